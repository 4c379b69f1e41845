#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a part of a timeline (`seda profile data --trace FILE`) as an SVG picture, without anything but Python.

    scripts/trace_picture.py trace.json timeline.svg --from-ms 120 --length-ms 12
"""
import argparse
import json
from html import escape

WIDTH, LABELS, ROW, GAP, TOP = 1100, 190, 22, 6, 44
COLOURS = {"read": "#4c78a8", "decode": "#72b7b2", "mel": "#54a24b", "upload": "#f58518", "features": "#e45756",
           "transfer": "#b279a2", "step": "#9d9da1", "consumer": "#9d9da1", "wait": "#eeca3b"}


def read_spans(path):
    events = json.load(open(path, encoding="utf-8"))
    events = events["traceEvents"] if isinstance(events, dict) else events
    names = {e["tid"]: e["args"]["name"] for e in events if e.get("ph") == "M" and e["name"] == "thread_name"}
    spans = [(e["tid"], e["name"], e["ts"] / 1000, e["dur"] / 1000) for e in events if e.get("ph") == "X"]
    return names, spans


def tick_step(length):
    step = 1
    while length / step > 12:
        step *= 2 if str(step)[0] in "15" else 2.5
    return step


def draw(names, spans, begin, length):
    end = begin + length
    shown = [s for s in spans if s[2] < end and s[2] + s[3] > begin]
    rows = sorted({s[0] for s in shown}, key=lambda tid: (names.get(tid, ""), tid))
    place = {tid: i for i, tid in enumerate(rows)}
    scale = (WIDTH - LABELS - 10) / length
    height = TOP + len(rows) * (ROW + GAP) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    step = tick_step(length)
    for i in range(int(length / step) + 1):
        x = LABELS + i * step * scale
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{height - 26}" stroke="#e6e6e6"/>')
        out.append(f'<text x="{x:.1f}" y="{TOP - 14}" fill="#666" text-anchor="middle">{i * step:g} ms</text>')
    for tid in rows:
        y = TOP + place[tid] * (ROW + GAP)
        out.append(f'<text x="6" y="{y + 15}" fill="#222">{escape(names.get(tid, str(tid)))}</text>')
    used = {}
    for tid, name, start, duration in shown:
        colour = COLOURS.get(name.split()[0], "#888888")
        used[name] = colour
        left, right = max(start, begin), min(start + duration, end)
        x, width = LABELS + (left - begin) * scale, max((right - left) * scale, 0.6)
        y = TOP + place[tid] * (ROW + GAP)
        out.append(f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{ROW}" fill="{colour}">'
                   f'<title>{escape(name)} {duration:.3f} ms</title></rect>')
    x = LABELS
    for name, colour in sorted(used.items()):
        out.append(f'<rect x="{x}" y="{height - 18}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{x + 16}" y="{height - 8}" fill="#222">{escape(name)}</text>')
        x += 30 + 8 * len(name)
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("picture")
    parser.add_argument("--from-ms", type=float, default=0, help="begin, since the trace began")
    parser.add_argument("--length-ms", type=float, default=20)
    given = parser.parse_args()
    names, spans = read_spans(given.trace)
    with open(given.picture, "w", encoding="utf-8") as file:
        file.write(draw(names, spans, given.from_ms, given.length_ms))


if __name__ == "__main__":
    main()
