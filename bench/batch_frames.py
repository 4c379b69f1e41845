#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares training on batches of a number of clips with batches of a budget of frames, and writes a table.

    bench/batch_frames.py SEDA FOLDER [--batch-frames FRAMES] [--batch-size 32] [--clips 13100] [--sizes tiny,small,normal,big]
                          [--steps 250] [--repeats 3] [--output FILE.md]

Makes a practice corpus in FOLDER where there is none. Runs of `--steps` steps take turns; the table has medians with the least
and the most. Where no budget is given it is the one whose batches have as many padded frames in the mean as those of
`--batch-size` clips. Rates beside the medians are real frames and clips; the memory is torch's on a GPU, else the process'.
"""
import argparse
import pathlib
import statistics
import sys

from book import kept
from book.training import CONFIG, machine, practice_corpus, table, train


def with_sizes(report):
    """The report with what its batches had, and its memory at the largest."""
    gpu = (report["gpus"] or [{}])[0]
    steps = report["steps_per_second"]
    return {**report, "clips_a_batch": report["clips_per_second"] / steps,
            "padded_frames_a_batch": report["frames_per_second"] / steps / (1 - report["padding"]),
            "peak_bytes": gpu.get("memory_peak_bytes") or report["process_bytes"]}


COMPARED = [  # column, field of a report, how it is written
    ("steps/s", "steps_per_second", "{:.2f}"),
    ("real frames/s", "frames_per_second", "{:,.0f}"),
    ("clips/s", "clips_per_second", "{:.1f}"),
    ("clips a batch", "clips_a_batch", "{:.1f}"),
    ("padded frames a batch", "padded_frames_a_batch", "{:,.0f}"),
    ("padding", "padding", "{:.2%}"),
    ("variation within a shape", "variation", "{:.2%}"),
    ("step, median", "median_ms", "{:.1f} ms"),
    ("step, 95 %", "p95_ms", "{:.1f} ms"),
    ("memory", "peak_bytes", "{:.0f} MiB"),
]


def compared_value(report, field):
    if field in ("median_ms", "p95_ms"):
        return report["step_ms"][field.removesuffix("_ms")]
    return report[field] / 2**20 if field == "peak_bytes" else report[field]


def compared_row(name, reports):
    cells = [name]
    for _, field, how in COMPARED:
        values = [compared_value(report, field) for report in reports]
        median, least, most = (how.format(f(values)) for f in (statistics.median, min, max))
        cells.append(median if least == most else f"{median} ({least} to {most})")
    return cells


def find_budget(run, clips):
    """The budget whose batches have as many padded frames in the mean as those of the clips."""
    wanted = run(*clips)["padded_frames_a_batch"]
    budget = round(wanted)
    for _ in range(2):  # batches are whole clips, so that they are smaller than their budget
        budget = round(budget * wanted / run("--batch-frames", budget)["padded_frames_a_batch"])
    return budget


def compare_frames(options, corpus, config):
    """Rows of the comparison: of each size, clips first."""
    rows = []
    for size in options.sizes.split(","):
        def run(*flags, size=size):
            return with_sizes(train(options.seda, corpus, options.folder / f"frames-{size}", options.steps,
                                    "--model-size", size, *config, *flags))

        clips = ["--batch-size", options.batch_size]
        budget = options.batch_frames or find_budget(run, clips)
        ways = [(f"{size}, batches of {options.batch_size} clips", clips, []),
                (f"{size}, batches of at most {budget} frames", ["--batch-frames", budget], [])]
        for turn in range(options.repeats):
            for name, flags, reports in ways if turn % 2 == 0 else ways[::-1]:
                reports.append(run(*flags))
                print(compared_row(name, reports[-1:]), file=sys.stderr, flush=True)
        rows += [compared_row(name, reports) for name, _, reports in ways]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=13100)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--batch-frames", type=int, metavar="FRAMES")
    parser.add_argument("--sizes", default="tiny,small,normal,big")
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()

    corpus = practice_corpus(options.seda, options.folder, options.clips)
    (options.folder / "run.yaml").write_text(CONFIG, encoding="utf-8")
    rows = compare_frames(options, corpus, ["--config", options.folder / "run.yaml"])
    command = f"bench/batch_frames.py SEDA FOLDER {kept.typed(sys.argv[3:])}"
    text = (f"# Batches by clips and by frames\n\n{machine(options.seda)}\n- Command: `{command}`\n"
            f"- {options.clips} clips of flite's kal16, {options.steps} steps a run, {options.repeats} runs of each that took turns: "
            f"medians, and the least and the most. Frames are real ones, the first step of each shape is not counted.\n\n"
            f"{table(rows, ['run', *(column for column, _, _ in COMPARED)])}\n")
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
