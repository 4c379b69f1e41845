// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::report {

/// How every page looks, by light and by dark.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --page: #f9f9f7; --card: #fcfcfb; --ink: #0b0b0b; --soft: #52514e;
  --line: #e1e0d9; --one: #2a78d6; --two: #eb6834; --three: #1f8a5b; --four: #8a5bd0;
  --five: #a37a00; --six: #c23b83; --good: #006300; --fair: #8a5a00; --poor: #b02a2a; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d0d0d; --card: #1a1a19; --ink: #ffffff; --soft: #c3c2b7; --line: #2c2c2a;
    --one: #3987e5; --two: #d95926; --three: #35b37e; --four: #a98be8;
    --five: #d9b12c; --six: #e36bab; --good: #0ca30c; --fair: #fab219; --poor: #e66767; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1120px; padding: 24px; background: var(--page); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 16px; margin: 32px 0 12px; } h3 { font-size: 14px; margin: 16px 0 6px; }
p { margin: 4px 0; }
.soft, .none { color: var(--soft); }
h1 ~ .grid-of, h1 ~ .card { margin-top: 12px; }
.grid-of { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); }
.charts { grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); }
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
.line-3 { stroke: var(--three); background: var(--three); } .line-4 { stroke: var(--four); background: var(--four); }
.line-5 { stroke: var(--five); background: var(--five); } .line-6 { stroke: var(--six); background: var(--six); }
.dot { stroke: var(--card); stroke-width: 1; }
.dot.line-1 { fill: var(--one); } .dot.line-2 { fill: var(--two); } .dot.line-3 { fill: var(--three); }
.dot.line-4 { fill: var(--four); } .dot.line-5 { fill: var(--five); } .dot.line-6 { fill: var(--six); }
.fill { stroke: none; } .fill.line-1 { fill: var(--one); } .fill.line-2 { fill: var(--two); }
.fill.line-3 { fill: var(--three); } .fill.line-4 { fill: var(--four); } .fill.line-5 { fill: var(--five); }
.fill.line-6 { fill: var(--six); } .empty { fill: var(--line); opacity: 0.5; }
.mark { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
.wide { overflow-x: auto; } .wide svg { min-width: 640px; }
.verdict { font-size: 20px; font-weight: 600; }
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

}  // namespace seda::report
