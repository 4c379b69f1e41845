#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains each model size for a while and writes what the runs said of themselves as a table.

Rows 8, 9, 10, 12, 14, 17 and 27 of bench/README.md, beside the reference loader and published figures.

    bench/train_bench.py SEDA FOLDER [--clips 13100] [--batch-size 32] [--seconds 25 | --steps N] [--output FILE.md]
                         [--costly CORPUS] [--keep bench/results]

Makes a practice corpus in FOLDER where there is none, then trains tiny, small, normal and big on the device that is there,
in bf16 and CUDA graphs on a GPU; tiny once more from raw files by the native and by the reference loader, and so from the files
of `--costly`, a corpus whose clips cost more to read (bench/mp3_corpus.py). Every number is of `seda train --json`;
docs/metrics.md has the words. `--keep` writes them as <machine>-train.json too, which bench/report.py takes into its table.
"""
import argparse
import pathlib
import sys

from book import kept
from book.training import CONFIG, machine, practice_corpus, table, train

STEPS_TRIED = 60  # to find out how long a step takes
RAW_STEPS, COSTLY_STEPS = 150, 60  # from files that are read anew for every batch
REFERENCE = "data: {native_loading: false}\n"


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


class Runs:
    """Rows of the table, and every number for `--keep`."""

    def __init__(self):
        self.rows, self.numbers = [], []

    def add(self, name, kept_as, report):
        self.rows.append(row(name, report))
        self.numbers += kept.rows_of_report(f"train/{kept_as}", report)
        print(self.rows[-1], file=sys.stderr, flush=True)


def train_sizes(options, corpus, runs):
    run, length = (train, options.steps) if options.steps else (timed, options.seconds)
    for size in options.sizes.split(","):
        runs.add(size, size, run(options.seda, corpus, options.folder / size, length, "--model-size", size,
                                 "--batch-size", options.batch_size, "--config", options.folder / "run.yaml"))


def train_from_files(options, corpus, steps, name, runs):
    """`tiny`, by the native and by the reference loader."""
    for loader, suffix, how in (("", "", "run.yaml"), (", reference loader", "_reference", "reference.yaml")):
        report = train(options.seda, corpus, options.folder / "files", steps, "--model-size", "tiny", "--no-prepare",
                       "--batch-size", options.batch_size, "--config", options.folder / how)
        runs.add(f"tiny, {name}{loader}", f"tiny_{name.replace(' ', '_').removeprefix('raw_')}{suffix}", report)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=13100)
    parser.add_argument("--batch-size", type=int, default=32)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, default=25, help="of each size's steps, after a short run that tells their rate [25]")
    length.add_argument("--steps", type=int, help="of each size, without that run")
    parser.add_argument("--sizes", default="tiny,small,normal,big")
    parser.add_argument("--costly", type=pathlib.Path, metavar="CORPUS")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    return parser.parse_args()


def write(options, runs):
    """The table of what has run so far; kept, too, so that a run that is cut short leaves what it had."""
    command = f"bench/train_bench.py SEDA FOLDER {kept.typed(sys.argv[3:])}".strip()
    text = (f"# Training\n\n{machine(options.seda)}\n- Command: `{command}`\n- {options.clips} clips of flite's kal16, "
            f"batches of {options.batch_size}; one GPU has both roles. Frames are real ones, the first step of each shape is not counted.\n\n"
            f"{table(runs.rows, HEADER)}\n")
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    if options.keep:
        kept.keep(options.keep, "train", runs.numbers, options.seda, command)
    return text


def main():
    options = read_arguments()
    corpus = practice_corpus(options.seda, options.folder, options.clips)
    (options.folder / "run.yaml").write_text(CONFIG, encoding="utf-8")
    (options.folder / "reference.yaml").write_text(CONFIG + REFERENCE, encoding="utf-8")
    runs = Runs()
    train_sizes(options, corpus, runs)
    write(options, runs)
    train_from_files(options, corpus, RAW_STEPS, "raw files", runs)
    write(options, runs)
    if options.costly:
        train_from_files(options, options.costly, COSTLY_STEPS, "costly files", runs)
    print(write(options, runs))


if __name__ == "__main__":
    main()
