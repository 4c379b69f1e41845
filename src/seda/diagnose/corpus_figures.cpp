// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/corpus_figures.h"

#include <algorithm>
#include <limits>
#include <map>

namespace seda::diagnose {

CorpusFigures figures_of(const feed::OpenedClips& clips) {
  CorpusFigures out;
  const auto rows = clips.source->rows();
  out.clips = rows.size();
  out.shortest_s = std::numeric_limits<double>::infinity();
  for (const feed::ClipRow& row : rows) {
    if (!row.is_usable()) continue;
    ++out.usable;
    out.hours += row.duration_s / 3600;
    out.shortest_s = std::min(out.shortest_s, row.duration_s);
    out.longest_s = std::max(out.longest_s, row.duration_s);
  }
  if (out.usable == 0) out.shortest_s = 0;
  out.speakers = clips.source->speakers().size();
  out.languages = clips.source->languages();
  std::map<std::string, size_t> faults;
  for (const Fault& fault : clips.faults)
    ++faults[fault.code];
  out.faults.assign(faults.begin(), faults.end());
  return out;
}

}  // namespace seda::diagnose
