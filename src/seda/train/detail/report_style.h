// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::train::detail {

/// How the page of a run looks, by light and by dark.
constexpr const char* kReportStyle = R"(
:root { color-scheme: light dark; --page: #f9f9f7; --card: #fcfcfb; --ink: #0b0b0b; --soft: #52514e;
  --line: #e1e0d9; --one: #2a78d6; --two: #eb6834; --good: #006300; --fair: #8a5a00; --poor: #b02a2a; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d0d0d; --card: #1a1a19; --ink: #ffffff; --soft: #c3c2b7; --line: #2c2c2a;
    --one: #3987e5; --two: #d95926; --good: #0ca30c; --fair: #fab219; --poor: #e66767; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1120px; padding: 24px; background: var(--page); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 16px; margin: 32px 0 12px; }
p { margin: 4px 0; }
.soft, .none { color: var(--soft); }
h1 ~ .grid-of { margin-top: 12px; }
.grid-of { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); }
.charts { grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); }
.tile, .chart, .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 12px 14px; margin: 0; overflow-x: auto; }
.tile .value { font-size: 22px; font-weight: 600; }
.good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; height: auto; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick { fill: var(--soft); font: 12px system-ui, sans-serif; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line-1 { stroke: var(--one); background: var(--one); } .line-2 { stroke: var(--two); background: var(--two); }
.dot { stroke: var(--card); stroke-width: 1; }
.dot.line-1 { fill: var(--one); } .dot.line-2 { fill: var(--two); }
.legend { color: var(--soft); font-size: 12px; margin: 0; }
.key { display: inline-block; width: 14px; height: 3px; margin: 0 6px 3px 0; vertical-align: middle; }
.legend .key:not(:first-child) { margin-left: 12px; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
td.bar { width: 60%; vertical-align: middle; }
.bar div { background: var(--one); height: 12px; min-width: 1px; border-radius: 0 3px 3px 0; }
pre { margin: 0; white-space: pre-wrap; font: 12px/1.5 ui-monospace, monospace; }
.sample { margin-bottom: 12px; }
.sample img { max-width: 100%; display: block; margin: 8px 0; }
.sample audio { display: block; width: 100%; max-width: 420px; margin-top: 8px; }
)";

}  // namespace seda::train::detail
