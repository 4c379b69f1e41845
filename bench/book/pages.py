# SPDX-License-Identifier: Apache-2.0
"""Markdown of what was judged: the table of rows first, then everything that was measured."""
import itertools

from . import judge


def number(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 10000 else f"{value:.4g}"


def rate(row):
    """Rates beside a time; as the document has it where the row was carried over from one."""
    if "rate" in row:
        return row["rate"]
    parts = []
    if "real_time_factor" in row:
        parts.append(f"{row['real_time_factor']:,.0f} × real time")
    if "flops" in row:
        parts.append(f"{row['flops'] / 1e9:.1f} GFLOP/s")
    if "utilisation" in row:
        parts.append(f"{100 * row['utilisation']:.1f} % of the peak")
    if row.get("kernels"):
        parts.append(f"{row['kernels']} kernels")
    if "bytes_per_second" in row:
        parts.append(f"{row['bytes_per_second'] / 1e9:.2f} GB/s")
    if "items_per_second" in row:
        each = row["items_per_second"]
        parts.append(f"{each / 1e6:.2f} M/s" if each >= 1e5 else f"{each:,.0f} /s")
    if "frames_fed" in row:
        shapes = f" in {row['buckets']:.0f} shapes" if "buckets" in row else ""
        parts.append(f"{row['frames_fed']:.2f} % of frames padded{shapes}")
    return ", ".join(parts)


def line(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def table(head, rows):
    return [line(head), "|" + "---|" * len(head), *(line(row) for row in rows)]


def origin(found):
    """Commit, and the document a figure was carried over from."""
    source = found.get("source")
    return f"{found.get('commit', '')}{f' ([kept]({source}))' if source else ''}"


def peer_of(part):
    other = f" (commit {part['peer_commit']})" if "peer_commit" in part else ""
    return f"{number(part['peer_value'])}{other}"


def value_of(part):
    return f"{number(part['value'])} {part['unit']}".strip() if part["value"] is not None else ""


def verdict_words(part):
    verdict = "**missed**" if part["verdict"] == "missed" else part["verdict"]
    return f"{verdict}. {part['note']}" if part.get("note") else verdict


def stretch_words(part):
    return part["stretch"] + {True: ": met", False: ": missed", None: ""}[part["stretch_met"]]


def joined(parts):
    """Parts, those in a row of which there is no number for the same reason as one."""
    def kind(part):
        return (part["target"], part["verdict"]) if part["value"] is None else part["of"]

    for _, group in itertools.groupby(parts, kind):
        group = list(group)
        yield {**group[0], "what": ", ".join(part["what"] for part in group)}


def row_lines(rows):
    for row in rows:
        for place, part in enumerate(joined(row["parts"])):
            name = f"{row['measures']}: {part['what']}" if place == 0 else part["what"]
            yield [row["number"] if place == 0 else "", name, value_of(part), number(part["p90"]), peer_of(part), number(part["ratio"]),
                   part["target"], stretch_words(part), verdict_words(part), origin(part)]


def summary(rows):
    counts = {"met": [], "missed": [], "not measured": [], "measured": []}
    for row in rows:
        counts[row["verdict"].split(":")[0]].append(str(row["number"]))
    words = {"met": "met", "missed": "missed, at least in part", "not measured": "not measured, at least in part",
             "measured": "measured, nothing asked"}
    return [f"- {len(numbers)} {words[verdict]}: {', '.join(numbers)}" for verdict, numbers in counts.items() if numbers]


def detail_line(row, judged):
    targets = "; ".join(dict.fromkeys(target for target, _ in judged if target))
    verdicts = "; ".join(dict.fromkeys("**missed**" if verdict == "missed" else verdict for _, verdict in judged))
    return [row["name"], *(f"{row[key]:.4g}" if key in row else "" for key in ("median", "p90", "cpu")), row["unit"], row.get("runs", ""),
            rate(row), targets, verdicts, origin(row)]


def programs(seconds):
    if not seconds:
        return []
    return ["", "## How long programs took", "", *table(["program", "s"], ([name, f"{took:.0f}"] for name, took in seconds.items()))]


def results(about, rows, measured, details, seconds):
    """A machine's page."""
    commands = dict.fromkeys((row.get("command", ""), row["commit"]) for row in measured.values())
    return "\n".join([
        "# Benchmarks", "", *[f"- {item}" for item in about], "- How to repeat each: [bench/README.md](../README.md)", "",
        "## The rows", "", *summary(rows), "",
        "A row is met where all its parts are. The ratio is that with the peer, a comparison of what stands in the same line.", "",
        *table(["#", "measured", "value", "p90", "peer", "ratio", "target", "stretch", "", "commit"], row_lines(rows)), "",
        "## Everything measured", "",
        "Medians, p90 and CPU time beside them. With n threads the wall time is that of all threads over all their iterations; the CPU time is "
        "what one costs.", "",
        *table(["row", "median", "p90", "CPU", "unit", "runs", "rate", "target", "", "commit"],
               (detail_line(row, details.get(name, [])) for name, row in measured.items())), "",
        "## Commands", "", *table(["command", "commit"], ([f"`{command}`", commit] for command, commit in commands)),
        *programs(seconds), ""])


def asked(row, key):
    """Targets or stretches of a row's parts, each once."""
    limits = ((part, part.get("stretch") if key == "stretch" else judge.target_of(part)) for part in row["parts"])
    return "; ".join(dict.fromkeys(filter(None, (judge.words_of(part, limit) for part, limit in limits))))


def made_by(row):
    return f"`{row['command']}`" + (f", kept as {row['kept_as']}" if "kept_as" in row else "")


def contents(book):
    """The table of bench/README.md: every row, what makes it, what that takes."""
    return "\n".join(table(["#", "measured", "elsewhere", "target", "stretch", "made by", "needs", "takes"],
                           ([row["number"], row["measures"], row["elsewhere"], asked(row, "target") or "the number alone",
                             asked(row, "stretch"), made_by(row), row["needs"], row["takes"]] for row in book["rows"])))
