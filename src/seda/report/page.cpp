// SPDX-License-Identifier: Apache-2.0
#include "seda/report/page.h"

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/report/style.h"

namespace seda::report {

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escape_html(title), kStyle, body);
}

std::string section(std::string_view title, std::string_view body) {
  if (body.empty()) return {};
  return fmt::format("<h2>{}</h2>\n{}", escape_html(title), body);
}

std::string tile(std::string_view name, std::string_view value, std::string_view note) {
  return fmt::format(
      "<div class=\"tile\"><div class=\"soft\">{}</div><div class=\"value\">{}</div>"
      "<div>{}</div></div>\n",
      name, value, note);
}

std::string tiles(std::string_view content) {
  return fmt::format("<div class=\"grid-of\">\n{}</div>\n", content);
}

std::string charts(std::string_view content) {
  return fmt::format("<div class=\"grid-of charts\">\n{}</div>\n", content);
}

std::string in_band(std::string_view band, std::string_view word) {
  return fmt::format("<span class=\"{}\">{}</span>", escape_html(band), escape_html(word));
}

std::string table(const Row& names, const std::vector<Row>& rows) {
  std::string out = "<div class=\"card\"><table>\n<tr>";
  for (const std::string& name : names)
    out += "<th>" + name + "</th>";
  out += "</tr>\n";
  for (const Row& row : rows) {
    out += "<tr>";
    for (const std::string& cell : row)
      out += "<td>" + cell + "</td>";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string bars(const std::vector<Part>& parts, std::string_view note) {
  std::string out = "<div class=\"card\"><table>\n";
  for (const Part& part : parts) {
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.1f} %</td><td class=\"bar\"><div style=\"width: "
        "{:.2f}%\"></div></td></tr>\n",
        escape_html(part.name), escape_html(part.value), 100 * part.share, 100 * part.share);
  }
  out += "</table>";
  if (!note.empty()) out += fmt::format("<p class=\"soft\">{}</p>", escape_html(note));
  return out + "</div>\n";
}

std::string lines(const std::vector<std::string>& all) {
  if (all.empty()) return {};
  std::string out = "<div class=\"card\"><pre>";
  for (const std::string& line : all)
    out += escape_html(line) + "\n";
  return out + "</pre></div>\n";
}

}  // namespace seda::report
