#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants faults, asks `seda diagnose` what is wrong, and counts how often it is right.

Row 19 of bench/README.md; nobody publishes a peer.

    bench/diagnosis/run.py SEDA [--device cpu|gpu] [--faults a,b] [--repeat N] [--healthy N]
                           [--work FOLDER] [--output FOLDER]
    bench/diagnosis/run.py SEDA --merge FOLDER...

Each fault is planted at three strengths by the means of faults.py, `seda diagnose --json` is run beside it, and where its
first remedy sets keys, at medium strength, once more with these, so that what was promised stands against what came. Writes a confusion
matrix, seconds to each verdict, and gains as Markdown into bench/results, named after the machine, and what is counted as JSON beside
it, for bench/report.py. With a work folder the
cells stay there too, and several such runs can be merged into one table.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import faults as planted  # noqa: E402
from book import kept, machine  # noqa: E402

CORPUS_CLIPS = 400
MOST_SECONDS = 60
MOST_ERROR = 0.20


def yaml_of(config):
    """Two levels of keys; JSON is YAML. A file must not be empty."""
    return "".join(f"{section}: {json.dumps(keys)}\n" for section, keys in (config or {"data": {"batch_size": 16}}).items())


class Runner:
    def __init__(self, seda, corpus, folder):
        self.seda, self.corpus, self.folder = seda, corpus, folder

    def diagnose(self, plant, config=None):
        """One run of the verb; its JSON with `wall` seconds."""
        file = self.folder / "run.yaml"
        file.write_text(yaml_of(config if config is not None else plant.config), encoding="utf-8")
        command = [self.seda, "diagnose", str(self.corpus), "--config", str(file), "--json", "--quiet", "--output",
                   str(self.folder / "report.txt"), *plant.flags]
        with plant.beside() as enter:
            began = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=enter)
            wall = time.monotonic() - began
        if done.returncode not in (0, 1) or not done.stdout:
            sys.exit(f"run.py: {' '.join(command)}\n{done.stderr[-2000:]}")
        found = json.loads(done.stdout)
        found["wall"] = wall
        return found


def with_changes(config, change):
    """`config` with `key: value` of a remedy in it; nothing where it is no key."""
    match = re.fullmatch(r"(data|training)\.(\w+): (\S+)", change)
    if not match:
        return None
    section, key, value = match.groups()
    out = {name: dict(keys) for name, keys in config.items()}
    out.setdefault(section, {})[key] = json.loads(value) if re.fullmatch(r"\d+|true|false", value) else value
    return out


def achieved(runner, plant, found):
    """Expected and achieved rate after the first remedy, or nothing."""
    for remedy in found["verdict"]["remedies"]:
        if remedy["after"] is None:
            continue
        config = with_changes(plant.config, remedy["change"])
        if config is None:
            continue
        after = runner.diagnose(plant, config)
        return {"change": remedy["change"], "before": remedy["before"], "expected": remedy["after"],
                "achieved": REACHED[remedy["unit"]](after), "unit": remedy["unit"]}
    return None


def section(found, name):
    return next(part["evidence"] for part in found["sections"] if part["name"] == name)


def step_rate(found):
    step = section(found, "graph mode and fused kernels")
    return 1e3 * step["batch_size"] / step["step_ms"]


REACHED = {"clips/s": lambda found: found["clips_per_second"],
           "share of real frames": lambda found: 1 - section(found, "pipeline")["padding"],
           "clips/s of the step": step_rate}


def cell(fault, strength, found, gain):
    cause = found["verdict"]["cause"]
    right = cause == fault or (strength == planted.LOW and cause == "healthy") or (fault == "healthy" and cause == "healthy")
    return {"fault": fault, "strength": strength, "cause": cause, "right": right, "wall": found["wall"],
            "stall": found["data_stall"], "others": found["other_cores"], "gain": gain}


def run_all(runner, chosen, options, keep):
    """Every cell; `keep` has those so far after each, so that a run that is stopped leaves what it found."""
    cells = []

    def note(one):
        cells.append(one)
        keep(cells)
        print(f"{one['fault']:<16} {one['strength']:<7} -> {one['cause']:<16} {'ok   ' if one['right'] else 'WRONG'} "
              f"{one['wall']:5.1f} s, others {one['others']:.1f} cores, gain {one['gain']}", flush=True)

    for fault, strengths in chosen.items():
        planted.prepare(runner.seda, runner.corpus)
        for strength, plant in strengths.items():
            for _ in range(options.repeat):
                found = runner.diagnose(plant)
                wanted = found["verdict"]["cause"] == fault and strength == planted.MEDIUM
                note(cell(fault, strength, found, achieved(runner, plant, found) if wanted else None))
    planted.prepare(runner.seda, runner.corpus)
    for plant in planted.healthy_runs(options.healthy, options.device == "gpu"):
        note(cell("healthy", "", runner.diagnose(plant), None))
    return cells


def matrix(cells):
    """Rows: what was planted; columns: what was named."""
    rows = collections.defaultdict(collections.Counter)
    for one in cells:
        rows[f"{one['fault']} {one['strength']}".strip()][one["cause"]] += 1
    causes = sorted({one["cause"] for one in cells}, key=lambda cause: (cause == "healthy", cause))
    lines = ["| planted | " + " | ".join(causes) + " |", "|---" * (len(causes) + 1) + "|"]
    for name, counts in rows.items():
        lines.append(f"| {name} | " + " | ".join(str(counts[cause] or "") for cause in causes) + " |")
    return lines


def gains(cells):
    lines = ["| planted | change | before | expected | achieved | unit | off by |", "|---|---|---|---|---|---|---|"]
    errors = []
    for one in cells:
        gain = one["gain"]
        if not gain:
            continue
        error = gain["achieved"] / gain["expected"] - 1
        errors.append(abs(error))
        lines.append(f"| {one['fault']} {one['strength']} | `{gain['change']}` | {gain['before']:.4g} | {gain['expected']:.4g} "
                     f"| {gain['achieved']:.4g} | {gain['unit']} | {100 * error:+.0f} % |")
    return lines, errors


def summary(cells):
    planted_cells = [one for one in cells if one["fault"] != "healthy"]
    strong = [one for one in planted_cells if one["strength"] != planted.LOW]
    low = [one for one in planted_cells if one["strength"] == planted.LOW]
    fine = [one for one in cells if one["fault"] == "healthy"]
    walls = [one["wall"] for one in cells]
    others = [one["others"] for one in cells]

    def of(group):
        return f"{sum(one['right'] for one in group)} of {len(group)}"

    lines = []
    if planted_cells:
        lines += [f"- Medium and high, named right as the top cause: {of(strong)}",
                  f"- Low, named or called healthy: {of(low)}"]
    if fine:
        lines.append(f"- Healthy runs without an alarm: {of(fine)}")
    return [*lines,
            f"- Seconds to a verdict: median {statistics.median(walls):.1f}, longest {max(walls):.1f} (limit {MOST_SECONDS})",
            f"- Cores that other processes used meanwhile: median {statistics.median(others):.1f}, most {max(others):.1f}"]


def counters_line(about, folder):
    """What the always-on counters cost, as the loader's benchmark measured it on the same machine."""
    name = f"{machine.name_of(about)}.json"
    row = kept.merged(kept.read(folder / name).get("measured", []), []).get("loader/counters")
    if not row:
        return "- Overhead of the counters: not measured on this machine (bench/loader_bench)"
    return f"- Overhead of the counters: {row['median']:.4g} % of a clip's CPU time ({name})"


def counted(cells):
    """Rows of the book: what was named wrong of medium and strong plants, kinds of fault, alarms on healthy runs."""
    strong = [one for one in cells if one["fault"] != "healthy" and one["strength"] != planted.LOW]
    fine = [one for one in cells if one["fault"] == "healthy"]
    rows = []
    if strong:
        rows += [{"name": "diagnosis/named_wrong", "unit": "wrong", "median": sum(not one["right"] for one in strong), "runs": len(strong)},
                 {"name": "diagnosis/faults_planted", "unit": "faults", "median": len({one["fault"] for one in strong}), "runs": 1}]
    if fine:
        rows.append({"name": "diagnosis/false_alarms", "unit": "alarms", "median": sum(not one["right"] for one in fine), "runs": len(fine)})
    return rows


def write(cells, about, commit, options, left_out, folder):
    gain_lines, errors = gains(cells)
    within = sum(error <= MOST_ERROR for error in errors)
    text = ["# Diagnosis", "", *[f"- {line}" for line in about],
            f"- Commit: {commit}",
            f"- Command: `{command_of(options)}`",
            f"- {CORPUS_CLIPS} clips of flite's kal16; means: bench/diagnosis/faults.py", *summary(cells),
            counters_line(about, folder),
            *([f"- Gains within {100 * MOST_ERROR:.0f} % of what was promised: {within} of {len(errors)}"] if errors else [])]
    if options.merge and len(options.merge) > 1:
        text.append(f"- {len(options.merge)} runs; every cell counts, also those from before a rule or a plant was mended")
    if left_out:
        text.append(f"- Not planted here: {', '.join(left_out)}")
    text += ["", "## What was planted, and what was named", "", *matrix(cells), ""]
    if errors:
        text += ["## What remedies promised and brought", "", *gain_lines, ""]
    path = folder / f"{machine.name_of(about)}-diagnosis.md"
    kept.write(path.with_suffix(".json"), {"machine": about, "rows": kept.stamped(counted(cells), commit, command_of(options))})
    path.write_text("\n".join(text), encoding="utf-8")
    return path


def merged(runs):
    """Every cell of every run, sorted by fault and strength: none replaces another."""
    order = ("low", "medium", "high", "")
    return sorted((one for cells in runs for one in cells),
                  key=lambda one: (one["fault"] == "healthy", one["fault"], order.index(one["strength"])))


def command_of(options):
    if not options.merge:
        return f"bench/diagnosis/run.py SEDA {kept.typed(sys.argv[2:])}".strip()
    return "bench/diagnosis/run.py SEDA --merge FOLDER..."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seda")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--faults", help="names, with commas [all that the device can show]")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--healthy", type=int, default=20)
    parser.add_argument("--merge", type=pathlib.Path, nargs="+", metavar="FOLDER", help="work folders of runs that were made apart")
    parser.add_argument("--work", type=pathlib.Path, help="folder for the corpus [a temporary one]")
    parser.add_argument("--output", type=pathlib.Path, default=machine.ROOT / "bench" / "results")
    options = parser.parse_args()
    options.seda = str(pathlib.Path(options.seda).resolve())
    if options.merge:
        runs = [json.loads((folder / "cells.json").read_text(encoding="utf-8")) for folder in options.merge]
        cells = merged([run["cells"] for run in runs])
        commits = sorted({run["commit"] for run in runs})
        named = {one["fault"] for one in cells}
        left_out = [name for name in [*planted.cpu_faults("", 2, 1), *planted.gpu_faults()] if name not in named]
        print(write(cells, runs[0]["machine"], ", ".join(commits), options, left_out, options.output).read_text(encoding="utf-8"))
        return
    about, commit = machine.lines(), machine.commit_of(options.seda)
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="seda-diagnosis-") as temporary:
        folder = options.work or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        corpus = folder / "corpus"
        planted.make_corpus(options.seda, corpus, CORPUS_CLIPS)
        known = planted.cpu_faults(corpus, cores, planted.file_rate(options.seda, corpus))
        if options.device == "gpu":
            known.update(planted.gpu_faults())
        left_out = [name for name in planted.gpu_faults() if name not in known]
        wanted = list(known) if options.faults is None else options.faults.split(",")
        unknown = [name for name in wanted if name and name not in known]
        if unknown:
            sys.exit(f"run.py: expected faults among {', '.join(known)}, found {', '.join(unknown)}")
        chosen = {name: known[name] for name in wanted if name}
        runner = Runner(options.seda, corpus, folder)
        cells = run_all(runner, chosen, options,
                        lambda so_far: (folder / "cells.json").write_text(
                            json.dumps({"machine": about, "commit": commit, "cells": so_far}), encoding="utf-8"))
    print(write(cells, about, commit, options, left_out, options.output).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
