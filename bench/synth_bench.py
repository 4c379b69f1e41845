#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times `seda synth` in bf16 and fp32, by voice, batch size, solver steps and vocoder, as a table.

    bench/synth_bench.py SEDA LINES --voice NAME=CHECKPOINT [--voice ...] [--vocoder NAME=PATH ...]
                         [--batches 1,8,16] [--steps 4,10] [--runs 5] [--device cpu]

LINES is a file of sentences of about 4 s each. Griffin-Lim is always among the vocoders. Runs of all settings take turns, so
that a busy minute is shared by all; every number is the median of its runs, as `seda synth --json` says it. Weights of few
steps are as fast as those of many.
"""
import argparse
import itertools
import json
import statistics
import subprocess
import sys
import tempfile

PRECISIONS = {"bf16": [], "fp32": ["--no-mixed-precision"]}
HEADER = ["voice", "vocoder", "batch", "steps", "bf16, × real time", "fp32", "ratio", "voice s", "vocoder s", "rest s"]


def named(text):
    name, mark, path = text.partition("=")
    if not mark:
        raise argparse.ArgumentTypeError(f"expected NAME=PATH, found {text}")
    return name, path


def numbers(text):
    return [int(word) for word in text.split(",")]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("lines")
    parser.add_argument("--voice", type=named, action="append", required=True, metavar="NAME=CHECKPOINT")
    parser.add_argument("--vocoder", type=named, action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--batches", type=numbers, default=[1, 8, 16])
    parser.add_argument("--steps", type=numbers, default=[4, 10])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rate", default="1", help="--speaking-rate of each run [1]")
    return parser.parse_args()


def speak(flags, setting, precision, folder):
    """One run's report."""
    (_, checkpoint), (_, vocoder), batch, steps = setting
    command = [flags.seda, "synth", "--file", flags.lines, "--checkpoint", checkpoint, "--vocoder", vocoder, "--batch-size", str(batch),
               "--steps", str(steps), "--device", flags.device, "--speaking-rate", flags.rate, "--output", folder + "/", "--json",
               "--quiet", *PRECISIONS[precision]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"synth_bench: {' '.join(command)}\n{done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    if report["precision"] != precision:
        sys.exit(f"synth_bench: expected {precision}, found {report['precision']}: this device does not speak in bf16 by itself")
    return report


def row(setting, reports):
    (voice, _), (vocoder, _), batch, steps = setting

    def median(precision, field):
        return statistics.median(report[field] for report in reports[setting, precision])

    speeds = {precision: 1 / median(precision, "real_time_factor") for precision in PRECISIONS}
    parts = [median("bf16", "voice_seconds"), median("bf16", "vocoder_seconds")]
    rest = median("bf16", "synthesis_seconds") - sum(parts)
    return [voice, vocoder, str(batch), str(steps), f"{speeds['bf16']:.1f}", f"{speeds['fp32']:.1f}", f"{speeds['bf16'] / speeds['fp32']:.2f}",
            *(f"{seconds:.2f}" for seconds in [*parts, rest])]


def main():
    flags = read_arguments()
    vocoders = [("Griffin-Lim", "griffin_lim"), *flags.vocoder]
    settings = list(itertools.product(flags.voice, vocoders, flags.batches, flags.steps))
    reports = {(setting, precision): [] for setting in settings for precision in PRECISIONS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(flags.runs):
            for setting, precision in reports:
                reports[setting, precision].append(speak(flags, setting, precision, folder))
    lengths = [output["seconds"] for output in next(iter(reports.values()))[0]["outputs"]]
    print(f"{len(lengths)} sentences, {statistics.mean(lengths):.2f} s each on average; medians of {flags.runs} runs\n")
    for cells in [HEADER, ["---"] * len(HEADER), *(row(setting, reports) for setting in settings)]:
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
