#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks, keeps what they measured, and holds it against bench/rows.json.

    bench/report.py FOLDER [PROGRAM...]
    bench/report.py FOLDER --machine NAME
    bench/report.py --contents

Writes FOLDER/<machine>.json and from it <machine>.md. Rows of programs that are not run now stay as they were measured,
each with its own commit; those of FOLDER/<machine>-*.json (bench/keep.py, bench/train_bench.py --keep) are taken in. A program that
fails is named at the end, and the exit status is then 1. `--machine` writes another machine's page again without
measuring; `--contents` prints the table of bench/README.md.
"""
import argparse
import subprocess
import sys
import time
from pathlib import Path

from book import judge, kept, machine, measure, pages

BOOK = machine.ROOT / "bench" / "rows.json"


def write(folder, name, about, measured, seconds):
    """JSON and page of a machine."""
    book = judge.read_book(BOOK)
    rows = judge.judge(book, measured, about)
    kept.write(folder / f"{name}.json", {"machine": about, "rows": rows, "measured": list(measured.values()), "seconds": seconds})
    details = judge.judge_details(book, measured, about)
    (folder / f"{name}.md").write_text(pages.results(about, rows, measured, details, seconds), encoding="utf-8")


def run(programs, command):
    """Each program in turn: its measured rows, the seconds it took, or the error it ended with."""
    for program in programs:
        began = time.monotonic()
        try:
            rows = measure.rows_of(program)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            yield program, [], None, error
            continue
        yield program, kept.stamped(rows, machine.commit_of(program), command), time.monotonic() - began, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="bench/results")
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM")
    parser.add_argument("--machine", help="whose page to write again, as its files are named")
    parser.add_argument("--contents", action="store_true")
    options = parser.parse_args()
    if options.contents:
        print(pages.contents(judge.read_book(BOOK)))
        return
    if options.folder is None or (options.machine and options.programs):
        parser.error("expected FOLDER, and programs or --machine")

    about = machine.lines()
    name = options.machine or machine.name_of(about)
    found = kept.read(options.folder / f"{name}.json")
    if options.machine:
        if not found:
            parser.error(f"expected {options.folder / name}.json, found none")
        about = found["machine"]
    measured = kept.merged(found.get("measured", []), kept.rows_beside(options.folder, name))
    seconds, failed = found.get("seconds", {}), []
    command = f"bench/report.py FOLDER {' '.join(program.name for program in options.programs)}"
    for program, rows, took, error in run(options.programs, command):
        for row in rows:
            print(f"{row['name']}: {row['median']:.4g} {row['unit']} {pages.rate(row)}", flush=True)
        if error:
            failed.append(f"{program.name}: {error}")
        else:
            seconds[program.name] = took
        measured = kept.merged(measured.values(), rows)
        write(options.folder, name, about, measured, seconds)
    write(options.folder, name, about, measured, seconds)
    print(f"written: {options.folder / name}.json and .md")
    if failed:
        sys.exit("failed, and kept as measured before:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
