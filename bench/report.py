#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks and writes one Markdown file: machine, commit, command, and per row median, p90 and target.

    bench/report.py FOLDER [--part NAME] PROGRAM...

The file is named after the machine, and where only a part of the benchmarks is run, after that.
A program is a Google Benchmark executable, or one that prints {"rows": [{name, unit, median, p90, runs}]}; one that has
nothing to measure on this machine prints no rows and exits with 3.
"""
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPETITIONS = 9
NOTHING_HERE = 3  # exit status
COUNTERS = ("bytes_per_second", "items_per_second", "ns_per_sample", "real_time_factor", "flops", "frames_fed", "buckets")

# What a row is measured against: the limit, and whose number it is.
TARGETS = json.loads((ROOT / "bench" / "targets.json").read_text())


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def machine():
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    lines = [f"CPU: {model.group(1) if model else platform.machine()}, {len(os.sched_getaffinity(0))} cores"]
    gpus = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    lines += [f"GPU: {gpu}" for gpu in gpus.splitlines()] or ["no GPU"]
    lines.append(f"System: {platform.system()}, {' '.join(platform.libc_ver())}")
    return lines


def file_name(lines):
    """amd-epyc-2-cores.md, intel-xeon-platinum-8480-16-cores-nvidia-h200.md"""
    words = " ".join(line.split(": ", 1)[1].split(", ")[0] if line.startswith("GPU") else line.split(": ", 1)[1]
                     for line in lines if line.startswith(("CPU", "GPU: N")))
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(r\)|\(tm\)|cpu", "", words.lower())).strip("-") + ".md"


def commit_of(program):
    seda = program.resolve().parent.parent / "bin" / "seda"
    text = output_of(str(seda), "--version", "--json")
    if text:
        return json.loads(text)["commit"]
    return output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12") or "unknown"


def google_rows(program):
    done = subprocess.run(
        [program, f"--benchmark_repetitions={REPETITIONS}", "--benchmark_min_time=0.1", "--benchmark_format=json"],
        stdout=subprocess.PIPE, text=True, check=True)
    times = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run.get("run_type") != "iteration" or run.get("error_occurred"):
            continue
        times.setdefault((run["run_name"], run["time_unit"]), []).append(run)
    for (name, unit), runs in times.items():
        values = sorted(run["real_time"] for run in runs)
        counters = {key: statistics.median(run[key] for run in runs)
                    for key in runs[0] if key in COUNTERS}
        yield {"name": name, "unit": unit, "median": statistics.median(values),
               "cpu": statistics.median(run["cpu_time"] for run in runs),
               "p90": values[int(len(values) * 0.9)], "runs": len(values), **counters}


def rows_of(program):
    if b"libbenchmark" in Path(program).read_bytes():
        yield from google_rows(program)
    else:
        done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0 and not (done.returncode == NOTHING_HERE and done.stdout):
            done.check_returncode()
        yield from json.loads(done.stdout)["rows"]


def rate(row):
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
        parts.append(f"{row['frames_fed']:.2f} % of frames padded in {row['buckets']:.0f} shapes")
    return ", ".join(parts)


def verdict(row, rows):
    """Target, and whether the row meets it; a row without one is there for comparison.

    A target is the most (`limit`) or the least (`least`) that a field may be; with a peer, a share of what the peer took
    in this run.
    """
    target = TARGETS.get(row["name"])
    if not target:
        return "", ""
    value, limit, unit = row[target["field"]], target.get("limit"), target["unit"]
    if "least" in target:
        least = target["least"]
        return f"≥ {least:.4g} {unit}", "met" if value >= least else f"MISSED ({value:.3g})"
    if "peer" in target:
        peer = rows.get(target["peer"])
        if not peer:
            return f"{unit}", "not measured: no peer"
        limit = peer[target["field"]] / target["times"]
    return f"≤ {limit:.4g} {unit}", "met" if value <= limit else f"MISSED ({value:.3g})"


def main():
    about = machine()
    folder, *names = sys.argv[1:]
    name = file_name(about)
    if names[0] == "--part":
        name = name.replace(".md", f"-{names[1]}.md")
        names = names[2:]
    output = Path(folder) / name
    programs = [Path(name) for name in names]
    lines = ["# Benchmarks", "", *[f"- {line}" for line in about], f"- Commit: {commit_of(programs[0])}",
             f"- Command: `bench/report.py FOLDER {' '.join(p.name for p in programs)}`",
             f"- Medians over {REPETITIONS} repetitions where not said otherwise, p90 and CPU time beside them. With n "
             "threads the wall time is that of all threads over all their iterations; the CPU time is what one costs.", "",
             "| row | median | p90 | CPU | unit | runs | rate | target | |", "|---|---|---|---|---|---|---|---|---|"]
    rows = {}
    for program in programs:
        for row in rows_of(program):
            rows[row["name"]] = row
            print(f"{row['name']}: {row['median']:.4g} {row['unit']} {rate(row)}", flush=True)
    for row in rows.values():
        target, met = verdict(row, rows)
        cpu = f"{row['cpu']:.4g}" if "cpu" in row else ""
        lines.append(f"| {row['name']} | {row['median']:.4g} | {row['p90']:.4g} | {cpu} | {row['unit']} | {row['runs']} "
                     f"| {rate(row)} | {target} | {met} |")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(lines) + "\n")
    print(f"written: {output}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
