// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/live_page.h"

#include <fmt/format.h>

#include "seda/diagnose/watch/live_script.h"
#include "seda/report/page.h"

namespace seda::diagnose {

std::string live_page() {
  const std::string body = fmt::format(
      R"(<h1>seda watch</h1>
<p class="soft" id="state">waiting for the first samples</p>
<div class="card" style="margin-top: 12px"><b id="cause">no verdict yet</b><div id="evidence"></div></div>
<div class="grid-of" id="tiles"></div>
<div class="grid-of charts" id="charts" style="margin-top: 12px"></div>
<p class="soft">The last five minutes. Machines read <a href="/metrics">/metrics</a>, <a href="/samples.json">/samples.json</a> and <a href="/verdict.json">/verdict.json</a>.</p>
<noscript><p>This page needs its own script; /metrics and /samples.json do not.</p></noscript>
<script>{}</script>
)",
      kLiveScript);
  return report::page("seda watch", body);
}

}  // namespace seda::diagnose
