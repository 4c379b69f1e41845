# SPDX-License-Identifier: Apache-2.0
"""Holds what was measured against bench/rows.json.

A row of the book has parts. A part names the measured row it is `of`, the `field` of that (the median, if nothing is said),
and what is asked: `most` or `least`, of the value or, with `on: "comparison"`, of the comparison with the `peer`'s measured
row: `value/peer`, `peer/value` (over `threads`, where it says how many) or `value-peer`. `runs` is the least number of
runs that counts. Part and row are "met", "missed" or "not measured: " and why; a part of which nothing is asked is "measured".
"""
import json

from . import machine

FIELDS = {"what", "of", "field", "unit", "peer", "compare", "on", "threads", "most", "least", "stretch", "runs", "gpus",
          "cores", "program", "reason"}
COMPARISONS = {"value/peer": lambda value, peer: value / peer, "peer/value": lambda value, peer: peer / value,
               "value-peer": lambda value, peer: value - peer}


def read_book(path):
    """Rows and other parts; raises ValueError where a part is not one."""
    book = json.loads(path.read_text(encoding="utf-8"))
    for part in [*book["others"], *(part for row in book["rows"] for part in row["parts"])]:
        unknown = part.keys() - FIELDS
        if unknown:
            raise ValueError(f"{path}: {part.get('of')}: expected fields among {sorted(FIELDS)}, found {sorted(unknown)}")
        if "peer" in part and part.get("compare") not in COMPARISONS:
            raise ValueError(f"{path}: {part['of']}: expected compare among {sorted(COMPARISONS)}, found {part.get('compare')}")
        if {"most", "least"} <= part.keys() or (isinstance(part.get("stretch"), (int, float)) and target_of(part) is None):
            raise ValueError(f"{path}: {part['of']}: expected most or least, one of them beside a stretch, found {sorted(part)}")
        if part.get("on", "comparison") != "comparison" or ("on" in part and "peer" not in part):
            raise ValueError(f"{path}: {part['of']}: expected on: \"comparison\" beside a peer, found {part.get('on')}")
    return book


def lack(part, about):
    """What a machine would need for the part; "" where it has it. What was measured without says nothing of the target."""
    gpus, cores = machine.gpus_of(about), machine.cores_of(about)
    if gpus < part.get("gpus", 0):
        return f"it takes {part['gpus']} GPU{'s' if part['gpus'] > 1 else ''}, this machine has {gpus or 'none'}"
    if cores < part.get("cores", 0):
        return f"it takes {part['cores']} cores, this machine has {cores}"
    return ""


def words_of(part, limit):
    """A target or a stretch as it is read."""
    if limit is None or isinstance(limit, str):
        return limit or ""
    sign, unit = "≤" if "most" in part else "≥", part.get("unit", "")
    if "on" not in part:
        return f"{sign} {limit:,.10g} {unit}".strip() if limit else f"0 {unit}".strip()
    if part["compare"] == "value-peer":
        more = f" {'−' if limit < 0 else '+'} {abs(limit):.10g} {unit}".rstrip() if limit else ""
        return f"{sign} the peer's{more}"
    if "threads" in part:
        return f"{sign} {limit:.10g} of a thread alone"
    return f"{sign} {limit:.10g} × {'as fast' if part['compare'] == 'peer/value' else 'the peer'}"


def target_of(part):
    return part.get("most", part.get("least"))


def holds(part, figure, limit):
    """Whether a figure is within a limit; None where the limit is words, or there is none."""
    if limit is None or isinstance(limit, str):
        return None
    return figure <= limit if "most" in part else figure >= limit


def judge_part(part, measured, program, about):
    program = part.get("program", program)
    out = {"what": part["what"], "of": part["of"], "value": None, "unit": part.get("unit", ""), "p90": None, "peer": part.get("peer"),
           "peer_value": None, "ratio": None, "target": words_of(part, target_of(part)), "stretch": words_of(part, part.get("stretch")),
           "stretch_met": None}
    row, field = measured.get(part["of"]), part.get("field", "median")
    lacking = lack(part, about)
    if row is None or lacking:
        reason = lacking or part.get("reason") or f"nothing kept of {program} on this machine"
        return {**out, "verdict": f"not measured: {reason}"}
    out.update({key: row[key] for key in ("commit", "date", "kept", "command", "source", "note", "runs") if key in row})
    if row.get(field) is None:
        return {**out, "verdict": f"not measured: {row.get('source', program)} kept no {field} of {part['of']}"}
    out["value"] = row[field]
    if field == "median" and row.get("runs", 1) > 1:
        out["p90"] = row.get("p90")
    figure = row[field]
    peer = measured.get(part.get("peer"))
    if peer is not None and peer.get(field) is not None:
        out["peer_value"] = peer[field]
        out["ratio"] = COMPARISONS[part["compare"]](row[field], peer[field]) / part.get("threads", 1)
        if peer.get("commit") != row.get("commit"):
            out["peer_commit"] = peer.get("commit")
    if part.get("on"):
        if out["ratio"] is None:
            return {**out, "verdict": f"not measured: nothing kept of the peer {part['peer']}"}
        figure = out["ratio"]
    if row.get("runs", 0) < part.get("runs", 0):
        return {**out, "verdict": f"not measured: {row.get('runs', 0)} runs, {part['runs']} are asked for"}
    out["stretch_met"] = holds(part, figure, part.get("stretch"))
    return {**out, "verdict": {True: "met", False: "missed", None: "measured"}[holds(part, figure, target_of(part))]}


def verdict_of(parts):
    """Of a row: missed where one of its parts is; met where all are."""
    verdicts = [part["verdict"] for part in parts]
    if "missed" in verdicts:
        return "missed"
    absent = list(dict.fromkeys(verdict for verdict in verdicts if verdict.startswith("not measured")))
    if not absent:
        return "met" if "met" in verdicts else "measured"
    count = sum(verdict.startswith("not measured") for verdict in verdicts)
    some = "" if count == len(verdicts) else f"{count} of {len(verdicts)} parts, "
    return "not measured: " + some + "; ".join(reason.removeprefix("not measured: ") for reason in absent)


def judge(book, measured, about):
    """The rows of the book as measured: those of bench/results/<machine>.json."""
    rows = []
    for row in book["rows"]:
        parts = [judge_part(part, measured, row["program"], about) for part in row["parts"]]
        rows.append({"number": row["number"], "measures": row["measures"], "verdict": verdict_of(parts), "parts": parts})
    return rows


def judge_details(book, measured, about):
    """Target and verdict of each measured row of which something is asked, by its name."""
    out = {}
    programs = {part["of"]: row["program"] for row in book["rows"] for part in row["parts"]}
    for part in [*(part for row in book["rows"] for part in row["parts"]), *book["others"]]:
        if part["of"] in measured:
            found = judge_part(part, measured, programs.get(part["of"], "make bench"), about)
            out.setdefault(part["of"], []).append((found["target"], found["verdict"]))
    return out
