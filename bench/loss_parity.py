#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the same model on the same batches in several arithmetics, and holds their losses against each other.

    bench/loss_parity.py SEDA CORPUS FOLDER [--steps 2000] [--size small] [--batch-size 32] [--runs bf16,exact,plain,fp32]
                         [--picture FILE.svg]

`exact` is fp32 by torch's own operations without TF32: what the others are compared with. `bf16` is what `seda train` does of
itself: bf16 with fp32 weights and kernels of seda's own. `plain` is bf16 by torch's operations, `fp32` seda's kernels in fp32
with TF32. All have one seed, so that batches, dropout and noise are the same. A loss is the mean between two log points,
twenty steps apart. Runs go one after another into FOLDER; one that is there already is not repeated. Markdown on stdout.
"""
import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

FLAGS = {"bf16": [], "exact": ["--no-xla", "--no-mixed-precision"], "plain": ["--no-xla"], "fp32": ["--no-mixed-precision"]}
COLOURS = {"bf16": "#e45756", "exact": "#222222", "plain": "#4c78a8", "fp32": "#54a24b"}
CONFIG = "training: {log_every: 20, eval_every: 1000000, checkpoint_every: 1000000, epochs: 1000000}\n"
LAST_POINTS = 10  # that are averaged at the end
WIDTH, HEIGHT, LEFT, BOTTOM = 900, 420, 60, 40


def train(options, name):
    """The losses of a run by step."""
    folder = options.folder / name
    log = folder / "log.jsonl"
    if not log.exists():
        config = options.folder / "parity.yaml"
        config.write_text(CONFIG, encoding="utf-8")
        command = [options.seda, "train", options.corpus, "--config", config, "--model-size", options.size, "--batch-size",
                   options.batch_size, "--max-steps", options.steps, "--checkpoint-dir", folder, "--quiet", *FLAGS[name]]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"loss_parity: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    points = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {point["step"]: point["loss"]["total"] for point in points if "loss" in point}


def compared(name, losses, exact):
    """How far a run's losses are from the exact ones, as a row."""
    steps = sorted(losses.keys() & exact.keys())
    apart = [losses[step] / exact[step] - 1 for step in steps]
    last = statistics.mean(losses[step] for step in steps[-LAST_POINTS:])
    last_exact = statistics.mean(exact[step] for step in steps[-LAST_POINTS:])
    return (f"| {name} | {losses[steps[0]]:.4f} | {last:.4f} | {100 * (last / last_exact - 1):+.2f} % "
            f"| {100 * statistics.mean(apart):+.2f} % | {100 * max(map(abs, apart)):.2f} % |")


def picture(runs):
    """All losses over steps."""
    steps = max(step for losses in runs.values() for step in losses)
    values = sorted(value for losses in runs.values() for value in losses.values())
    low, high = values[0], values[int(0.98 * (len(values) - 1))]

    def place(step, value):
        x = LEFT + (WIDTH - LEFT - 20) * step / steps
        y = 20 + (HEIGHT - BOTTOM - 20) * (high - min(value, high)) / (high - low)
        return f"{x:.1f},{y:.1f}"

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for i in range(5):
        value = low + (high - low) * i / 4
        y = place(0, value).split(",")[1]
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y}" y2="{y}" stroke="#e6e6e6"/>'
                   f'<text x="{LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end" fill="#666">{value:.2f}</text>')
        x = place(steps * i / 4, low).split(",")[0]
        out.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#666">{steps * i // 4}</text>')
    for i, (name, losses) in enumerate(runs.items()):
        line = " ".join(place(step, losses[step]) for step in sorted(losses))
        out.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.5" opacity="0.8"/>')
        out.append(f'<text x="{WIDTH - 90}" y="{36 + 18 * i}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--size", default="small")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--runs", default="exact,bf16,plain,fp32", help="with commas; exact is always among them [%(default)s]")
    parser.add_argument("--picture", type=Path, help="an SVG of all losses")
    options = parser.parse_args()
    names = ["exact", *[name for name in options.runs.split(",") if name != "exact"]]
    unknown = [name for name in names if name not in FLAGS]
    if unknown:
        parser.error(f"expected runs among {', '.join(FLAGS)}, found {', '.join(unknown)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    runs = {name: train(options, name) for name in names}
    print(f"{options.size}, batches of {options.batch_size}, {options.steps} steps; losses of twenty steps, the end of {20 * LAST_POINTS}\n\n"
          "| run | at first | at the end | the end, from exact | all, from exact, mean | largest |\n|---|---|---|---|---|---|")
    for name in names:
        print(compared(name, runs[name], runs["exact"]))
    if options.picture:
        options.picture.write_text(picture(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
