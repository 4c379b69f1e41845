#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `seda tune` finds, how long it takes, and whether it leaves cores to others.

Row 20 of bench/README.md, beside the best of the whole grid.

    bench/tune_bench.py SEDA CORPUS [--runs 3] [--keep bench/results] [-- --batch-size 32 ...]

Tunes with --grid, which knows the best of everything; then in turn alone and beside processes that keep all cores but one
busy. Prints {"rows": [...]}, medians of the runs; `--keep` writes them as <machine>-tune.json too, which bench/report.py
takes into its table. What follows `--` are flags of `seda tune`.

Threads left to others are asked for from four cores on: of two, one stays free beside the other, and the one or two
workers that are chosen alone may still be the best.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from book import kept

LEAST_CORES = 4
# Says that it runs, then runs until it is ended, or whoever started it is.
BUSY = "import os\nprint(flush=True)\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000): pass\n"


class BusyCores:
    """So many processes that each keep a core busy, for a `with` block; in it all of them run."""

    def __init__(self, count):
        self.count = count
        self.processes = []

    def __enter__(self):
        for _ in range(self.count):
            self.processes.append(subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE))
        for process in self.processes:
            process.stdout.readline()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdout.close()


def tune(seda, corpus, *flags):
    """One report."""
    command = [str(word) for word in (seda, "tune", corpus, "--json", "--quiet", *flags)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"tune_bench: {' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def row(name, unit, values):
    ordered = sorted(values)
    return {"name": name, "unit": unit, "median": statistics.median(ordered), "p90": ordered[int(len(ordered) * 0.9)],
            "runs": len(ordered)}


def workers(report, cores):
    """A number that is left to the loader is a thread for each core."""
    chosen = report["chosen"]["num_workers"]
    return cores if chosen == "auto" else chosen


def measure(seda, corpus, runs, cores, flags=()):
    """Rows; threads left to others only from LEAST_CORES on."""
    grid = [tune(seda, corpus, "--grid", *flags) for _ in range(runs)]
    alone, beside = [], []
    for _ in range(runs):
        alone.append(tune(seda, corpus, *flags))
        with BusyCores(cores - 1):
            beside.append(tune(seda, corpus, *flags))
    rows = [row("tune_grid/best_share", "%", [100 * report["best_share"] for report in grid]),
            row("tune/seconds", "s", [report["seconds"] for report in alone]),
            row("tune/workers", "threads", [workers(report, cores) for report in alone]),
            row("tune/workers_beside_others", "threads", [workers(report, cores) for report in beside])]
    if cores >= LEAST_CORES:
        fewer = [workers(one, cores) - workers(other, cores) for one, other in zip(alone, beside)]
        rows.append(row("tune/fewer_threads", "threads", fewer))
    return rows


def main():
    own, flags = (sys.argv[1:], []) if "--" not in sys.argv else (
        sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda", metavar="SEDA")
    parser.add_argument("corpus", metavar="CORPUS")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args(own)
    if options.runs < 1:
        parser.error(f"--runs: expected at least 1, found {options.runs}")

    cores = len(os.sched_getaffinity(0))
    rows = measure(options.seda, options.corpus, options.runs, cores, flags)
    if cores < LEAST_CORES:
        print(f"no row tune/fewer_threads: it takes {LEAST_CORES} cores, this machine has {cores}", file=sys.stderr)
    print(json.dumps({"rows": rows}, indent=1))
    if options.keep:
        command = " ".join(["bench/tune_bench.py SEDA CORPUS", f"--runs {options.runs}", *(["--", *flags] if flags else [])])
        kept.keep(options.keep, "tune", rows, options.seda, command)


if __name__ == "__main__":
    main()
