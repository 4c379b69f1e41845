// SPDX-License-Identifier: Apache-2.0
#include "seda/report/figure.h"

#include <fmt/format.h>

#include "seda/base/html.h"

namespace seda::report {

std::string figure(std::string_view title, std::string_view body) {
  return fmt::format("<figure class=\"chart\">\n<figcaption>{}</figcaption>\n{}</figure>\n",
                     escape_html(title), body);
}

std::string picture(double width, double height, std::string_view label, std::string_view body) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     width, height, escape_html(label), body);
}

std::string legend(const std::vector<std::string>& names) {
  if (names.size() < 2) return {};
  std::string out = "<p class=\"legend\">";
  for (size_t i = 0; i < names.size(); ++i)
    out += fmt::format("<span class=\"key line-{}\"></span>{} ", i + 1, escape_html(names[i]));
  return out + "</p>\n";
}

std::string nothing_measured() {
  return "<p class=\"none\">nothing was measured</p>\n";
}

}  // namespace seda::report
