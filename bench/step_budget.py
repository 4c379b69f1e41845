#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a training step's time goes, each operation held against what the GPU could do at best.

    bench/step_budget.py STEP.json [--terabytes 4.8] [--kind fused]

STEP.json is what step_bench printed. An operation's floor is its FLOPs over the GPU's peak or its bytes over the bandwidth of
its memory, whichever is longer, both of the data sheet: what it must read and write once, and nothing twice. Kernels are
put to operations by their names; times are of one step recorded kernel by kernel. Markdown on stdout.
"""
import argparse
import json
import re
import sys

from step_peers import BATCH, FRAMES, LAYERS, MELS, WIDER

PLACES = BATCH * FRAMES
BF16 = 2
UPDATE_BYTES = 42 + 4 + 6  # a weight: the update, its gradient's square, and the gradient made fp32

KERNELS = {  # the first that fits
    "attention": r"sdpa|cudnn::fusion",
    "products": r"nvjet|cublas|gemm|cutlass",
    "norms and sums": r"norm",
    "gradients of biases and GELU": r"bias_",
    "joining q, k, v gradients": r"CatArray",
    "update": r"update_weights|sum_squares|find_numbers|multi_tensor",
}


def floors(width, weights):
    """Operation -> FLOPs, bytes."""
    layers, of_places = LAYERS[width], PLACES * width * BF16
    return {
        "products": (6 * PLACES * layers * (4 + 2 * WIDER) * width * width + 10 * PLACES * MELS * width, 0),
        # Two products forward; five backward, since scores are made again.
        "attention": ((2 + 5) * 2 * PLACES * FRAMES * width * layers, 0),
        # Forward and backward each read or write four arrays.
        "norms and sums": (0, 2 * layers * 8 * of_places),
        # GELU's: two arrays in, one out, four times as wide; biases' of q, k, v and of two outputs: read once.
        "gradients of biases and GELU": (0, layers * (3 * WIDER + 5) * of_places),
        "joining q, k, v gradients": (0, layers * 2 * 3 * of_places),
        "update": (0, weights * UPDATE_BYTES),
    }


def operation_of(kernel):
    return next((name for name, pattern in KERNELS.items() if re.search(pattern, kernel)), "other")


def table(row, terabytes):
    width = int(row["name"].rsplit(":", 1)[1])
    peak = row["flops"] / row["utilisation"]
    spent, counts = {}, {}
    for kernel in row["by_name"]:
        name = operation_of(kernel["name"])
        spent[name] = spent.get(name, 0) + kernel["ms"]
        counts[name] = counts.get(name, 0) + kernel["count"]
    known = floors(width, row["parameters"])
    lines = [f"Width {width}, {LAYERS[width]} layers: {row['median']:.2f} ms a step, {100 * row['utilisation']:.1f} % of the peak, "
             f"{row['kernels']} kernels.", "",
             "| operation | kernels | ms | share | floor, ms | times its floor |", "|---|---|---|---|---|---|"]
    least = 0
    for name in sorted(spent, key=spent.get, reverse=True):
        flops, size = known.get(name, (0, 0))
        floor = 1e3 * max(flops / peak, size / (terabytes * 1e12))
        least += floor
        held = f"{floor:.2f} | {spent[name] / floor:.2f}" if floor else "– | –"
        lines.append(f"| {name} | {counts[name]} | {spent[name]:.2f} | {100 * spent[name] / row['busy_ms']:.1f} % | {held} |")
    lines.append(f"| all | {row['kernels']} | {row['busy_ms']:.2f} | | {least:.2f} | {row['busy_ms'] / least:.2f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", help="what step_bench printed")
    parser.add_argument("--terabytes", type=float, default=4.8, help="a second, of the GPU's memory [%(default)s, an H200's]")
    parser.add_argument("--kind", choices=("fused", "plain"), default="fused")
    options = parser.parse_args()
    with open(options.step, encoding="utf-8") as file:
        rows = [row for row in json.load(file)["rows"] if row["name"].startswith(f"step/{options.kind}/")]
    rows = [row for row in rows if row.get("by_name") and row.get("utilisation")]
    if not rows:
        sys.exit(f"step_budget: {options.step}: expected rows step/{options.kind}/… with kernels and a known peak, found none")
    for row in rows:
        print("\n".join(table(row, options.terabytes)), end="\n\n")


if __name__ == "__main__":
    main()
