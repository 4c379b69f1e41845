#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains each model size for a while and writes what the runs said of themselves as a table.

    bench/train_bench.py SEDA FOLDER [--clips 13100] [--batch-size 32] [--seconds 25] [--output FILE.md]
                         [--keep bench/results]
    bench/train_bench.py SEDA FOLDER --batch-frames [FRAMES] [--steps 250] [--repeats 3] [--sizes tiny] …

Makes a practice corpus in FOLDER where there is none, then trains tiny, small, normal and big on the device that is there,
in bf16 and CUDA graphs on a GPU; tiny once more from raw files by the native and by the reference loader. Every number is
of `seda train --json`; docs/metrics.md has the words. `--keep` writes them as <machine>-train.json too, which bench/report.py
takes into its table.

`--batch-frames` compares batches of `--batch-size` clips with batches of a budget of frames instead: runs of `--steps` steps that
take turns, medians with the least and the most. Where no budget is given it is the one whose batches have as many padded frames
in the mean as those of the clips. Rates beside the medians are real frames and clips; the memory is torch's on a GPU, else the
process'.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from book import kept

STEPS_TRIED = 60  # to find out how long a step takes
CONFIG = "training: {log_every: 100, eval_every: 1000000, checkpoint_every: 1000000, epochs: 1000000}\n"
REFERENCE = "data: {native_loading: false}\n"


def train(seda, corpus, folder, steps, *flags):
    """One run and its report, with the peak of the process' memory."""
    command = [str(word) for word in (seda, "train", corpus, "--max-steps", steps, "--checkpoint-dir", folder,
                                      "--reset-training", "--json", "--quiet", *flags)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(f"train_bench: {' '.join(command)}\n{errors.read().decode()[-2000:]}")
        return {**json.loads(out.read()), "process_bytes": 1024 * used.ru_maxrss}


def timed(seda, corpus, folder, seconds, *flags):
    """A run of about `seconds`."""
    rate = train(seda, corpus, folder, STEPS_TRIED, *flags)["ceiling_steps_per_second"]
    return train(seda, corpus, folder, max(STEPS_TRIED, int(rate * seconds)), *flags)


def row(name, report):
    gpu = (report["gpus"] or [{}])[0]

    def percent(value):
        return "" if value is None else f"{100 * value:.2f} %"

    return [name, f"{report['parameters'] / 1e6:.1f} M", f"{report['steps_per_second']:.1f}",
            f"{report['frames_per_second']:,.0f}", f"{report['clips_per_second']:,.0f}", percent(report["au"]),
            percent(report["share_of_ceiling"]), percent(report["variation"]), percent(report["model_flop_utilisation"]),
            f"{report['host_syncs_per_step']:.2f}",
            f"{report['first_step_seconds']:.2f} s", percent(gpu.get("utilization_mean")),
            percent(gpu.get("utilization_worst")), f"{(gpu.get('memory_peak_bytes') or 0) / 2**30:.1f} GiB"]


HEADER = ["run", "weights", "steps/s", "frames/s", "clips/s", "AU", "share of ceiling", "variation", "MFU", "host syncs a step",
          "to first step", "utilisation", "worst 10 s", "memory"]


def table(rows, header=None):
    header = header or HEADER
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


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


def machine(seda):
    """The lines of `seda --version -v` that say where this ran."""
    text = subprocess.run([seda, "--version", "-v"], capture_output=True, text=True, check=True).stdout
    return "\n".join(f"- {' '.join(line.split())}" for line in text.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=13100)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--sizes", default="tiny,small,normal,big")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--batch-frames", type=int, nargs="?", const=0, metavar="FRAMES")
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()

    options.folder.mkdir(parents=True, exist_ok=True)
    corpus = options.folder / "corpus"
    subprocess.run([options.seda, "corpus", corpus, "--clips", str(options.clips), "--voices", "kal16", "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    (options.folder / "run.yaml").write_text(CONFIG, encoding="utf-8")
    (options.folder / "reference.yaml").write_text(CONFIG + REFERENCE, encoding="utf-8")
    batch = ["--batch-size", options.batch_size]
    config = ["--config", options.folder / "run.yaml"]
    flags = " ".join(sys.argv[3:])
    if options.batch_frames is not None:
        rows = compare_frames(options, corpus, config)
        text = (f"# Batches by clips and by frames\n\n{machine(options.seda)}\n- Command: `bench/train_bench.py SEDA FOLDER {flags}`\n"
                f"- {options.clips} clips of flite's kal16, {options.steps} steps a run, {options.repeats} runs of each that took turns: "
                f"medians, and the least and the most. Frames are real ones, the first step of each shape is not counted.\n\n"
                f"{table(rows, ['run', *(column for column, _, _ in COMPARED)])}\n")
        if options.output:
            options.output.write_text(text, encoding="utf-8")
        print(text)
        return
    rows, numbers = [], []
    for size in options.sizes.split(","):
        report = timed(options.seda, corpus, options.folder / size, options.seconds, "--model-size", size, *batch, *config)
        rows.append(row(size, report))
        numbers += kept.rows_of_report(f"train/{size}", report)
        print(rows[-1], file=sys.stderr, flush=True)
    for name, kept_as, how in (("tiny, raw files", "tiny_files", "run.yaml"),
                               ("tiny, raw files, reference loader", "tiny_files_reference", "reference.yaml")):
        report = train(options.seda, corpus, options.folder / "files", 150, "--model-size", "tiny", "--no-prepare", *batch,
                       "--config", options.folder / how)
        rows.append(row(name, report))
        numbers += kept.rows_of_report(f"train/{kept_as}", report)
        print(rows[-1], file=sys.stderr, flush=True)

    text = (f"# Training\n\n{machine(options.seda)}\n- Command: `bench/train_bench.py SEDA FOLDER {flags}`\n- {options.clips} clips of flite's kal16, "
            f"batches of {options.batch_size}; one GPU has both roles. Frames are real ones, the first step of each shape is not counted.\n\n"
            f"{table(rows)}\n")
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    if options.keep:
        kept.keep(options.keep, "train", numbers, options.seda, f"bench/train_bench.py SEDA FOLDER {flags}".strip())
    print(text)


if __name__ == "__main__":
    main()
