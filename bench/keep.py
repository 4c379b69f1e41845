#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps what a command printed with --json as rows of the book.

    bench/keep.py FOLDER PREFIX REPORT.json --seda PROGRAM --command 'WHAT WAS RUN'

Every number of the report becomes a row PREFIX/field in FOLDER/<machine>-<first word of PREFIX>.json; shares are in percent. Then
`bench/report.py FOLDER` takes it into the table. Which prefixes the table asks for: bench/README.md.
"""
import argparse
import json
import sys
from pathlib import Path

from book import kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("prefix")
    parser.add_argument("report", type=Path)
    parser.add_argument("--seda", required=True, help="the program that was run, for its commit")
    parser.add_argument("--command", required=True, help="as it would be typed")
    options = parser.parse_args()
    try:
        report = json.loads(options.report.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"keep: {options.report}: expected the JSON object of a command, found {error}")
    rows = kept.rows_of_report(options.prefix, report) if isinstance(report, dict) else []
    if not rows:
        sys.exit(f"keep: {options.report}: expected an object with numbers, found none; was the command run with --json?")
    print(kept.keep(options.folder, options.prefix.split("/")[0], rows, options.seda, options.command))


if __name__ == "__main__":
    main()
