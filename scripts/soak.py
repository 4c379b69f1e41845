#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Watches the loader or a training run for a long time, and says whether it grows.

  scripts/soak.py build/bin/seda corpora/voice --minutes 120
  scripts/soak.py build/bin/seda corpora/voice --minutes 20 --what train -- --batch-size 32
  scripts/soak.py --read soak/samples.csv

loader: one process takes batches at a pace, epoch after epoch, with a fresh loader now and then; it needs the Python
package beside the program (build/python), or installed. train: `seda train` with the flags after `--`, stopped with
SIGTERM when the time is over. Both are watched from outside, through /proc and nvidia-smi.

Every sample is a line of OUT/samples.csv. Exit codes: 0 flat, 1 something grows, 2 bad usage, 3 could not run."""
from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

MIB = 1 << 20
MEMORY = ("rss_mib", "anonymous_mib", "gpu_mib")
COUNTS = {"descriptors": 2, "threads": 2, "mapped_files": 4}  # how many more are no growth
FIELDS = ("seconds", *MEMORY, *COUNTS, "batches", "epochs", "loaders")
FEWEST_SAMPLES = 20


class CouldNotRun(Exception):
    pass


# What is watched.

def memory_of(process: int) -> tuple[float, float]:
    """All that is resident, and the part of it that is of no file, MiB."""
    kib = {}
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "RssAnon", "RssShmem"):
            kib[name] = int(value.split()[0])
    if "VmRSS" not in kib:
        raise ProcessLookupError(process)  # it has ended, and nobody has waited for it yet
    return kib["VmRSS"] / 1024, (kib.get("RssAnon", 0) + kib.get("RssShmem", 0)) / 1024


def mapped_files_of(process: int) -> int:
    lines = Path(f"/proc/{process}/maps").read_text(errors="replace").splitlines()
    return len({fields[5] for fields in (line.split(maxsplit=5) for line in lines)
                if len(fields) == 6 and fields[5].startswith("/")})


def nvidia_smi(*arguments: str) -> list[list[str]]:
    try:
        answer = subprocess.run(["nvidia-smi", *arguments, "--format=csv,noheader,nounits"], capture_output=True,
                                text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [[field.strip() for field in line.split(",")] for line in answer.stdout.splitlines() if line.strip()]


def gpu_memory_of(process: int) -> float | None:
    """What the process holds on all GPUs, MiB. Where the driver does not know it by our number, as in a container:
    what all processes hold."""
    own = [float(used) for owner, used in nvidia_smi("--query-compute-apps=pid,used_memory")
           if owner == str(process) and used.isdigit()]
    whole = own or [float(row[0]) for row in nvidia_smi("--query-gpu=memory.used") if row[0].isdigit()]
    return sum(whole) if whole else None


def last_line(file: Path) -> str:
    """The last whole line, or nothing."""
    try:
        with file.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - (64 << 10)))
            lines = log.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return ""
    return lines[-1].decode(errors="replace") if lines else ""


def progress_of(what: str, out: Path) -> dict[str, int]:
    line = last_line(out / ("progress.jsonl" if what == "loader" else "run/log.jsonl"))
    try:
        told = json.loads(line)
    except ValueError:
        return {"batches": 0, "epochs": 0, "loaders": 0}
    if what == "loader":
        return told
    return {"batches": int(told.get("step", 0)), "epochs": int(told.get("epoch", 0)), "loaders": 1}


def sample(process: int, what: str, out: Path, started: float) -> dict[str, object]:
    rss, anonymous = memory_of(process)
    gpu = gpu_memory_of(process)
    return {"seconds": round(time.monotonic() - started, 1), "rss_mib": round(rss, 2),
            "anonymous_mib": round(anonymous, 2), "gpu_mib": "" if gpu is None else gpu,
            "descriptors": len(os.listdir(f"/proc/{process}/fd")), "threads": len(os.listdir(f"/proc/{process}/task")),
            "mapped_files": mapped_files_of(process), **progress_of(what, out)}


# What runs.

def take_batches(arguments: argparse.Namespace) -> None:
    """The watched process of `--what loader`. Ends by a signal."""
    import ctypes

    import seda

    told = {"batches": 0, "epochs": 0, "loaders": 0}
    seen = 0
    with (arguments.out / "progress.jsonl").open("w", buffering=1) as progress:
        while True:
            loader = seda.Loader(arguments.corpus, batch_size=arguments.batch_size, seed=told["loaders"])
            told["loaders"] += 1
            renew = time.monotonic() + arguments.renew_seconds
            while time.monotonic() < renew:
                for batch in loader:
                    if str(batch.mel.device).startswith("cpu"):
                        seen ^= ctypes.c_uint8.from_address(batch.mel.data_ptr).value
                    told["batches"] += 1
                    time.sleep(arguments.pace_ms / 1000)
                    if time.monotonic() >= renew:
                        break  # in the middle of an epoch, as a rule
                else:
                    told["epochs"] += 1
                print(json.dumps(told), file=progress)
            loader.close()
            del loader, batch


def package_folder(program: Path) -> Path | None:
    beside = program.resolve().parent.parent / "python"
    return beside if (beside / "seda").is_dir() else None


def loader_command(arguments: argparse.Namespace) -> tuple[list[str], dict[str, str]]:
    environment = dict(os.environ)
    beside = package_folder(arguments.program)
    if beside:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(beside), environment.get("PYTHONPATH"))))
    trial = subprocess.run([sys.executable, "-c", "import seda"], env=environment, capture_output=True, text=True)
    if trial.returncode != 0:
        raise CouldNotRun(f"--what loader needs the Python package, in {arguments.program.parent.parent}/python or "
                          f"installed, and importing it failed:\n{trial.stderr.strip()}\nmake build makes it")
    return [sys.executable, __file__, str(arguments.program), str(arguments.corpus), "--out", str(arguments.out),
            "--pace-ms", str(arguments.pace_ms), "--renew-seconds", str(arguments.renew_seconds),
            "--batch-size", str(arguments.batch_size), "--take-batches"], environment


def train_command(arguments: argparse.Namespace) -> tuple[list[str], dict[str, str]]:
    settings = arguments.out / "soak.yaml"
    often = arguments.checkpoint_every
    settings.write_text(f"training: {{log_every: 10, checkpoint_every: {often}, eval_every: {often}, epochs: 1000000}}\n")
    return [str(arguments.program), "train", str(arguments.corpus), "--config", str(settings),
            "--checkpoint-dir", str(arguments.out / "run"), *arguments.flags], dict(os.environ)


def end(process: subprocess.Popen[bytes], what: str) -> int:
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise CouldNotRun(f"the {what} did not end within 300 s of SIGTERM") from None


def watch(arguments: argparse.Namespace) -> list[dict[str, float]]:
    arguments.out.mkdir(parents=True, exist_ok=True)
    command, environment = (loader_command if arguments.what == "loader" else train_command)(arguments)
    output = (arguments.out / "output.txt").open("wb")
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    over = started + arguments.minutes * 60
    try:
        with (arguments.out / "samples.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            due = started
            while (due := due + arguments.every_seconds) <= over:
                time.sleep(max(0.0, due - time.monotonic()))
                if process.poll() is not None:
                    raise CouldNotRun(f"the {arguments.what} ended by itself with {process.returncode} after "
                                      f"{time.monotonic() - started:.0f} s; its last words are in {output.name}")
                try:
                    writer.writerow(sample(process.pid, arguments.what, arguments.out, started))
                except (ProcessLookupError, FileNotFoundError):  # it ends just now, and the next round says so
                    process.wait(timeout=60)
                file.flush()
    except BaseException:
        if process.poll() is None:
            process.kill()
        raise
    status = end(process, arguments.what)
    fine = (0,) if arguments.what == "train" else (0, -signal.SIGTERM)
    if status not in fine:
        raise CouldNotRun(f"the {arguments.what} ended with {status} after SIGTERM; its last words are in {output.name}")
    return read(arguments.out / "samples.csv")


# What is made of it.

def read(file: Path) -> list[dict[str, float]]:
    with file.open(newline="") as lines:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(lines)]


def slope(times: list[float], values: list[float]) -> float:
    """Theil and Sen's: the median of the slopes between all pairs, which a few peaks do not move."""
    return statistics.median((values[b] - values[a]) / (times[b] - times[a])
                             for a in range(len(times)) for b in range(a + 1, len(times)))


def later(name: str, values: list[float]) -> float:
    """How much higher the second half gets than the first: of memory its peak; of what is counted the least there is, as
    a sample that meets the start of a loader finds files open that are closed again."""
    half = len(values) // 2
    extreme = min if name in COUNTS else max
    return extreme(values[half:]) - extreme(values[:half])


def judge(samples: list[dict[str, float]], name: str, arguments: argparse.Namespace) -> dict[str, object]:
    times = [row["seconds"] for row in samples]
    values = [row[name] for row in samples]
    quarter = len(values) // 4
    middle = statistics.median(values)
    allowed = COUNTS.get(name) or max(arguments.allow_mib, middle * arguments.allow_percent / 100)
    # What is in use at the moment of a sample differs, so that a later peak may be a little higher by chance.
    allowed_later = COUNTS.get(name) or max(2 * arguments.allow_mib, middle * arguments.allow_peak_percent / 100)
    by_line = slope(times, values) * (times[-1] - times[0])
    by_later = later(name, values)
    return {"what": name, "first": statistics.median(values[:quarter]), "last": statistics.median(values[-quarter:]),
            "peak": max(values), "line": by_line, "allowed": allowed, "later half": by_later,
            "allowed later": allowed_later, "grows": by_line > allowed or by_later > allowed_later}


def report(samples: list[dict[str, float]], arguments: argparse.Namespace) -> int:
    if not samples:
        raise CouldNotRun("no sample was taken")
    whole = samples[-1]["seconds"]
    warm = [row for row in samples if row["seconds"] >= whole * arguments.warm_up_percent / 100]
    if len(warm) < FEWEST_SAMPLES:
        raise CouldNotRun(f"expected {FEWEST_SAMPLES} samples after the warm-up, found {len(warm)}; "
                          "give it more --minutes or a shorter --every-seconds")
    done = {name: warm[-1][name] - warm[0][name] for name in ("batches", "epochs", "loaders")}
    if done["batches"] <= 0:
        raise CouldNotRun("no batch was taken after the warm-up, so there was nothing to watch")
    names = [name for name in (*MEMORY, *COUNTS) if all(name in row for row in warm)]
    rows = [judge(warm, name, arguments) for name in names]
    print(f"{whole / 60:.1f} min, the first {arguments.warm_up_percent:g} % for warming up; then {len(warm)} samples, "
          f"{done['batches']:.0f} batches, {done['epochs']:.0f} epochs, {done['loaders']:.0f} fresh loaders")
    columns = ("first", "last", "peak", "line", "allowed", "later half", "allowed later")
    print(" " * 14 + "".join(f"{name:>14}" for name in columns))
    for row in rows:
        numbers = "".join(f"{row[name]:14.1f}" for name in columns)
        print(f"{row['what']:14}{numbers}  {'GROWS' if row['grows'] else 'flat'}")
    growing = [str(row["what"]) for row in rows if row["grows"]]
    print(f"verdict: grows: {', '.join(growing)}" if growing else "verdict: flat")
    return 1 if growing else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, metavar="SEDA")
    parser.add_argument("corpus", nargs="?", type=Path, metavar="CORPUS")
    parser.add_argument("--what", choices=("loader", "train"), default="loader")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--every-seconds", type=float, default=10, help="between samples [10]")
    parser.add_argument("--out", type=Path, default=Path("soak"), help="folder of samples and output [soak]")
    parser.add_argument("--pace-ms", type=float, default=50, help="loader: rest after each batch [50]")
    parser.add_argument("--renew-seconds", type=float, default=60, help="loader: life of one loader [60]")
    parser.add_argument("--batch-size", type=int, default=8, help="loader: clips of a batch [8]")
    parser.add_argument("--checkpoint-every", type=int, default=200, metavar="STEPS",
                        help="train: and validate; the first must lie in the warm-up, as it takes memory that stays [200]")
    parser.add_argument("--warm-up-percent", type=float, default=15, help="of the time, not judged [15]")
    parser.add_argument("--allow-percent", type=float, default=2, help="growth of memory that is none [2]")
    parser.add_argument("--allow-peak-percent", type=float, default=10,
                        help="by how much the peak of the second half may be above that of the first [10]")
    parser.add_argument("--allow-mib", type=float, default=8, help="and at least this much, twice that of a peak [8]")
    parser.add_argument("--read", type=Path, metavar="CSV", help="judge the samples of an earlier run")
    parser.add_argument("--take-batches", action="store_true", help=argparse.SUPPRESS)
    own, flags = (sys.argv[1:], []) if "--" not in sys.argv else (
        sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:])
    arguments = parser.parse_args(own)
    arguments.flags = flags
    if not arguments.read and not arguments.corpus:
        parser.error("expected SEDA and CORPUS, or --read CSV")
    if flags and arguments.what != "train":
        parser.error("flags after -- are of --what train")
    return arguments


def main() -> int:
    arguments = parse()
    try:
        if arguments.take_batches:
            take_batches(arguments)
        return report(read(arguments.read) if arguments.read else watch(arguments), arguments)
    except (CouldNotRun, OSError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
