# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark and takes its rows.

A program is a Google Benchmark executable, or one that prints {"rows": [{name, unit, median, p90, runs}]}; one that has
nothing to measure on this machine prints no rows, and may exit with 3.
"""
import json
import statistics
import subprocess
from pathlib import Path

REPETITIONS = 9
NOTHING_HERE = 3  # exit status
COUNTERS = ("bytes_per_second", "items_per_second", "ns_per_sample", "real_time_factor", "flops", "frames_fed", "buckets")


def rows_of_google(found):
    """Rows of what Google Benchmark printed: the median over its repetitions, p90 and CPU time beside it."""
    times = {}
    for run in found["benchmarks"]:
        if run.get("run_type") != "iteration" or run.get("error_occurred"):
            continue
        times.setdefault((run["run_name"], run["time_unit"]), []).append(run)
    for (name, unit), runs in times.items():
        values = sorted(run["real_time"] for run in runs)
        counters = {key: statistics.median(run[key] for run in runs) for key in runs[0] if key in COUNTERS}
        yield {"name": name, "unit": unit, "median": statistics.median(values),
               "cpu": statistics.median(run["cpu_time"] for run in runs),
               "p90": values[int(len(values) * 0.9)], "runs": len(values), **counters}


def rows_of(program):
    """Raises subprocess.CalledProcessError or ValueError where a program fails or prints something else."""
    if b"libbenchmark" in Path(program).read_bytes():
        done = subprocess.run(
            [program, f"--benchmark_repetitions={REPETITIONS}", "--benchmark_min_time=0.1", "--benchmark_format=json"],
            stdout=subprocess.PIPE, text=True, check=True)
        return list(rows_of_google(json.loads(done.stdout)))
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != NOTHING_HERE:
        done.check_returncode()
    found = json.loads(done.stdout)
    if "rows" not in found:
        raise ValueError(f"{program}: expected {{\"rows\": [...]}} on stdout, found {sorted(found)}")
    return found["rows"]
