# SPDX-License-Identifier: Apache-2.0
"""What was measured, kept as JSON: bench/results/<machine>.json, and beside it <machine>-<program>.json of single programs.

A measured row is {name, unit, median, p90, runs, ..., commit, date, command}. One that was carried over from a document
has `source`, the file it stands in, and `kept`, the day that file was committed, in place of `date`.
"""
import datetime
import json
from pathlib import Path

from . import machine

# Fields of seda's reports that are shares of one; rows have them in percent.
SHARES = {"au", "best_share", "character_error", "data_stall", "model_flop_utilisation", "padding", "share_of_ceiling",
          "utilization_mean", "utilization_worst", "variation", "word_error"}


def typed(words):
    """Arguments as they would be typed on any machine: of an absolute path its last part."""
    return " ".join(Path(word).name if word.startswith("/") else word for word in words)


def read(path):
    """The file's object; {} where there is none yet."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: expected JSON, found {error}; mend it or take it away") from None
    return found


def write(path, found):
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(path)


def stamped(rows, commit, command):
    stamp = {"commit": commit, "date": datetime.date.today().isoformat(), "command": command}
    return [{**row, **stamp} for row in rows]


def merged(old, new):
    """Rows by name: what is new replaces what has its name, the rest stays as it was measured."""
    return {**{row["name"]: row for row in old}, **{row["name"]: row for row in new}}


def rows_beside(folder, name):
    """Rows of the files <machine>-<program>.json."""
    rows = []
    for path in sorted(Path(folder).glob(f"{name}-*.json")):
        found = read(path)
        if not isinstance(found.get("rows"), list):
            raise ValueError(f"{path}: expected {{\"rows\": [...]}} as bench/keep.py writes it, found {sorted(found)}")
        missing = [row.get("name", "?") for row in found["rows"] if not {"name", "unit", "median", "commit"} <= row.keys()]
        if missing:
            raise ValueError(f"{path}: expected name, unit, median and commit in each row, found less in {', '.join(missing)}")
        rows += found["rows"]
    return rows


def keep(folder, part, rows, seda, command):
    """Writes rows of one program as <machine>-<part>.json; rows of that file with other names stay."""
    about = machine.lines()
    path = Path(folder) / f"{machine.name_of(about)}-{part}.json"
    new = stamped(rows, machine.commit_of(seda), command)
    write(path, {"machine": about, "rows": list(merged(read(path).get("rows", []), new).values())})
    return path


def unit_of(field):
    if field in SHARES:
        return "%"
    for end, unit in (("_per_second", "/s"), ("seconds", "s"), ("_ms", "ms"), ("_bytes", "bytes")):
        if field.endswith(end):
            return unit
    return ""


def rows_of_report(prefix, report):
    """Every number of a report of seda's as a row PREFIX/field; objects in it by their path, of GPUs the first.

    An object with `clips` is about these: their number is that of the runs. What was planned was not measured.
    """
    clips = report.get("clips")
    runs = len(clips) if isinstance(clips, dict) else 1
    rows = []
    for field, value in report.items():
        if field == "plan":
            continue
        if field == "gpus" and value:
            value = value[0]
        if isinstance(value, dict):
            rows += rows_of_report(f"{prefix}/{field}", value) if field != "clips" else []
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            share = 100 if field in SHARES else 1
            rows.append({"name": f"{prefix}/{field}", "unit": unit_of(field), "median": value * share, "runs": runs})
    return rows
