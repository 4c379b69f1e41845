#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) `seda prepare` or `seda train` at random moments, and says what was lost.

Row 18 of bench/README.md, beside trainers that lose their place.

  scripts/kills.py build/bin/seda corpora/small --what prepare --kills 1000
  scripts/kills.py build/bin/seda corpora/small --what train --kills 200 --steps 120
  scripts/kills.py build/bin/seda corpora/voice --what train --kills 5 --steps 2000 --keep bench/results -- --batch-size 32

prepare: after each kill every record of the cache is held against its checksum, and none that was sealed may be gone.
When a cache is finished its records must be those of an undisturbed one, byte for byte; then it is removed, or some clips
change, and it starts over. `cache gc` is killed as well. The corpus is copied: only the copy is changed.

train: after each kill every checkpoint is opened and held against its hashes; the next run must go on from the newest.
When a run is finished its batches, losses and weights must be those of an undisturbed one, bit for bit (on a GPU with
training.deterministic, which is set); then the next starts from nothing. Without flags after `--` the model is very small.
`--keep` writes how many lines of batches and losses differ as <machine>-resume.json, which bench/report.py takes into its table.

Only kills that met a living process count. Exit codes: 0 nothing was lost, 1 something was, 2 bad usage, 3 could not run."""
from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import itertools
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from book import kept  # noqa: E402

SMALL_MODEL = ("data: {batch_size: 2}\nmodel: {size: tiny, hidden_size: 16, feed_forward_size: 16, encoder_layers: 1, "
               "decoder_layers: 1, heads: 1}\n")
TRAINING = ("training: {{max_steps: {steps}, epochs: 1000000, log_every: {often}, checkpoint_every: {often}, "
            "eval_every: {seldom}, deterministic: true}}\n")
CHECKPOINT_FILES = ("model.safetensors", "training.safetensors")
LEFT_IN_A_RUN = {"best", "log.jsonl", "report.html", "samples", "tensorboard", ".lock-0"}


class Lost(Exception):
    """What the tool is there to find."""


class CouldNotRun(Exception):
    pass


# Processes.

def run(command: list[str], environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment)


def must_run(command: list[str], environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = run(command, environment)
    if done.returncode != 0:
        raise CouldNotRun(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.strip()}")
    return done


class Outcome:
    """How a process that was to be killed ended."""

    def __init__(self, command: list[str], after_s: float, environment: dict[str, str] | None = None) -> None:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env=environment)
        try:
            self.output, _ = process.communicate(timeout=after_s)
            self.killed = False
        except subprocess.TimeoutExpired:
            process.kill()
            self.output, _ = process.communicate()
            self.killed = process.returncode < 0  # else it ended by itself just then
        if not self.killed and process.returncode != 0:
            raise Lost(f"{' '.join(command)} ended by itself with {process.returncode}:\n{self.output.strip()}")


# prepare.

class Prepare:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.program = str(arguments.program)
        self.corpus = arguments.out / "corpus"
        self.cache = arguments.out / "killed"
        self.whole = arguments.out / "whole"
        self.flags = arguments.flags
        self.random = arguments.random
        shutil.copytree(arguments.corpus, self.corpus, ignore=shutil.ignore_patterns(".seda"))
        self.records = 0  # that were there after the last kill of this round
        self.duration_s = self.build_whole()

    def command(self, cache: Path) -> list[str]:
        return [self.program, "prepare", str(self.corpus), "--cache-dir", str(cache), "--quiet", *self.flags]

    def collect(self, cache: Path) -> list[str]:
        return [self.program, "cache", "gc", str(self.corpus), "--cache-dir", str(cache), "--quiet"]

    def build_whole(self) -> float:
        shutil.rmtree(self.whole, ignore_errors=True)
        started = time.monotonic()
        must_run(self.command(self.whole))
        return time.monotonic() - started

    def cycle(self) -> bool:
        """Whether a kill met it."""
        outcome = Outcome(self.command(self.cache), self.random.uniform(0, 1.1 * self.duration_s))
        self.verify()
        if outcome.killed:
            return True
        killed = self.collect_and_compare()
        self.start_over()
        return killed

    def verify(self) -> None:
        done = run([self.program, "cache", "verify", str(self.cache), "--json"])
        if done.returncode == 3 and "holds no cache" in done.stderr and self.records == 0:
            return
        if done.returncode != 0:
            raise Lost(f"cache verify ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        found = json.loads(done.stdout)["records"]
        if found < self.records:
            raise Lost(f"{self.records} records were sealed, and {found} are there after the kill")
        self.records = found

    def collect_and_compare(self) -> bool:
        """The tidied cache has the records of an undisturbed one, though gc was killed as well."""
        outcome = Outcome(self.collect(self.cache), self.random.uniform(0, 0.02))
        self.records = 0  # gc drops those that nothing names any more
        self.verify()
        must_run(self.command(self.cache))
        must_run(self.collect(self.cache))
        self.compare()
        return outcome.killed

    def compare(self) -> None:
        if records_of(self.cache) != records_of(self.whole):
            raise Lost(f"{self.cache} has other records than {self.whole}, which was not disturbed")
        report = json.loads(must_run([self.program, "cache", "verify", str(self.cache), "--json"]).stdout)
        if report["unnamed"]:
            raise Lost(f"left behind in a finished cache: {', '.join(report['unnamed'])}")

    def start_over(self) -> None:
        self.records = 0
        if self.random.random() < 0.5:
            shutil.rmtree(self.cache)
            return
        sounds = sorted(self.corpus.rglob("*.wav"))
        for sound in self.random.sample(sounds, max(1, len(sounds) // 3)):
            moment = sound.stat().st_mtime_ns + 1_000_000_000
            os.utime(sound, ns=(moment, moment))
        self.build_whole()

    def finish(self) -> None:
        must_run(self.command(self.cache))
        must_run(self.collect(self.cache))
        self.compare()


ROW_BYTES = 128  # docs/cache_format.md, with the places of the records of a clip
PLACES = (slice(32, 48), slice(80, 88))


def records_of(cache: Path) -> dict[tuple[str, str], object]:
    """As the reader of the tests sees them, which shares no code with the program; without where they lie and when they
    were written."""
    reader = Path(__file__).resolve().parent.parent / "tests/cache/read_cache.py"
    records: dict[tuple[str, str], object] = {}
    for line in must_run([sys.executable, str(reader), str(cache)]).stdout.splitlines():
        table, key, kind, dims, content = line.split(" ")
        records[table, key] = listed(bytes.fromhex(content)) if table == "clips" else (kind, dims, content)
    return records


def listed(content: bytes) -> object:
    if content.startswith(b"{"):
        return {name: value for name, value in json.loads(content).items() if name not in ("prepared_at", "run")}
    if len(content) % ROW_BYTES != 0:
        return content
    rows = bytearray(content)
    for row in range(0, len(rows), ROW_BYTES):
        for place in PLACES:
            rows[row + place.start:row + place.stop] = bytes(place.stop - place.start)
    return bytes(rows)


# train.

class Digest(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


class Hash:
    """XXH3 of 128 bits, by the machine's libxxhash; nothing where it has none."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("xxhash") or "libxxhash.so.0"
        try:
            self.function = ctypes.CDLL(name).XXH3_128bits
        except OSError:
            self.function = None
            return
        self.function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self.function.restype = Digest

    def of(self, content: bytes) -> str | None:
        if not self.function:
            return None
        digest = self.function(content, len(content))
        return f"{digest.high:016x}{digest.low:016x}"


def check_safetensors(file: Path, content: bytes) -> None:
    """Header and content are whole, and fill the file."""
    if len(content) < 8:
        raise Lost(f"{file}: cut at {len(content)} bytes")
    size, = struct.unpack("<Q", content[:8])
    try:
        header = json.loads(content[8:8 + size])
    except ValueError as error:
        raise Lost(f"{file}: {error}") from error
    end = max((tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"), default=0)
    if len(content) != 8 + size + end:
        raise Lost(f"{file}: expected {8 + size + end} bytes, found {len(content)}")


def lines_that_differ(one: Path, other: Path) -> int:
    """Of two files, line by line; what one has more of counts too."""
    pairs = itertools.zip_longest(one.read_bytes().splitlines(), other.read_bytes().splitlines())
    return sum(first != second for first, second in pairs)


class Train:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.program = str(arguments.program)
        self.corpus = str(arguments.corpus)
        self.out = arguments.out
        self.random = arguments.random
        self.hash = Hash()
        self.newest = 0
        self.opened = 0
        self.lines_that_differ = 0
        config = self.out / "kills.yaml"
        config.write_text(("" if arguments.flags else SMALL_MODEL) + TRAINING.format(
            steps=arguments.steps, often=max(1, arguments.steps // 30), seldom=max(1, arguments.steps // 2)))
        self.flags = ["--config", str(config), *arguments.flags]
        # Threads of the CPU that wait for each other do so for long where others want its cores too.
        self.environment = {"OMP_NUM_THREADS": "1", **os.environ}
        started = time.monotonic()
        must_run(self.command("whole"), self.environment)
        self.duration_s = time.monotonic() - started

    def command(self, name: str) -> list[str]:
        return [self.program, "train", self.corpus, "--checkpoint-dir", str(self.out / name),
                "--trace-batches", str(self.out / f"{name}.jsonl"), *self.flags]

    def cycle(self) -> bool:
        outcome = Outcome(self.command("killed"), self.random.uniform(0, 1.1 * self.duration_s), self.environment)
        self.check_where_it_went_on(outcome)
        self.check_checkpoints()
        if outcome.killed:
            return True
        self.compare()
        self.start_over()
        return False

    def check_where_it_went_on(self, outcome: Outcome) -> None:
        told = f"going on from {self.out / 'killed'}/step-{self.newest:08}:"
        if self.newest > 0 and "plan: " in outcome.output and told not in outcome.output:
            raise Lost(f"expected the run to say '{told}', found:\n{outcome.output.strip()}")

    def checkpoints(self, name: str) -> list[Path]:
        return sorted((self.out / name).glob("step-*"))

    def check_checkpoints(self) -> None:
        found = self.checkpoints("killed")
        for folder in found:
            self.open(folder)
        newest = int(found[-1].name.removeprefix("step-")) if found else 0
        if newest < self.newest:
            raise Lost(f"the newest checkpoint was step {self.newest}, and is step {newest} after the kill")
        self.newest = newest

    def open(self, folder: Path) -> None:
        try:
            description = json.loads((folder / "checkpoint.json").read_text())
            contents = {name: (folder / name).read_bytes() for name in CHECKPOINT_FILES}
        except (OSError, ValueError) as error:
            raise Lost(f"{folder} is half a checkpoint: {error}") from error
        for name, content in contents.items():
            check_safetensors(folder / name, content)
            found = self.hash.of(content)
            if found is not None and found != description["files"][name]:
                raise Lost(f"{folder / name}: expected the hash {description['files'][name]}, found {found}")
        self.opened += 1

    def compare(self) -> None:
        for name in ("whole.jsonl", "killed.jsonl"):
            if not (self.out / name).exists():
                raise Lost(f"{self.out / name} is not there")
        self.lines_that_differ = lines_that_differ(self.out / "whole.jsonl", self.out / "killed.jsonl")
        if self.lines_that_differ > 0:
            raise Lost(f"{self.out}/whole.jsonl and killed.jsonl differ in {self.lines_that_differ} lines: other batches or losses")
        for name in CHECKPOINT_FILES:
            whole, killed = (self.checkpoints(run)[-1] / name for run in ("whole", "killed"))
            if whole.read_bytes() != killed.read_bytes():
                raise Lost(f"{whole} and {killed} differ")
        left = {entry.name for entry in (self.out / "killed").iterdir()} - LEFT_IN_A_RUN
        left = {name for name in left if not name.startswith("step-")}
        if left:
            raise Lost(f"left behind by a finished run: {', '.join(sorted(left))}")

    def start_over(self) -> None:
        shutil.rmtree(self.out / "killed")
        (self.out / "killed.jsonl").unlink()
        self.newest = 0

    def finish(self) -> None:
        must_run(self.command("killed"), self.environment)
        self.check_checkpoints()
        self.compare()


# Both.

def kill_many(arguments: argparse.Namespace) -> None:
    what = (Prepare if arguments.what == "prepare" else Train)(arguments)
    print(f"undisturbed: {what.duration_s:.2f} s", flush=True)
    started = time.monotonic()
    killed = finished = 0
    try:
        while killed < arguments.kills:
            if what.cycle():
                killed += 1
                if killed % max(1, arguments.kills // 10) == 0:
                    print(f"{killed} kills, {time.monotonic() - started:.0f} s", flush=True)
            else:
                finished += 1
        what.finish()
    except Lost:
        if arguments.keep:
            keep(arguments, what, killed, lost=1)
        raise
    print(f"{killed} kills of {arguments.what} in {time.monotonic() - started:.0f} s, seed {arguments.seed}: nothing was "
          f"lost; {finished} more ran to their end between them, and the last, all with the undisturbed result")
    if isinstance(what, Train):
        print(f"{what.opened} times a checkpoint was opened"
              f"{'' if what.hash.function else ', without hashes: there is no libxxhash'}")
    if arguments.keep:
        keep(arguments, what, killed, lost=0)


def keep(arguments: argparse.Namespace, what: Train, kills: int, lost: int) -> None:
    rows = [{"name": "resume/losses", "unit": "losses", "median": lost, "runs": kills},
            {"name": "resume/kills", "unit": "kills", "median": kills, "runs": kills}]
    if not lost or what.lines_that_differ:  # what was lost before any were compared is no row of the book
        rows.append({"name": "resume/lines_that_differ", "unit": "lines", "median": what.lines_that_differ, "runs": kills})
    command = (f"scripts/kills.py SEDA CORPUS --what train --kills {arguments.kills} --steps {arguments.steps} "
               f"--seed {arguments.seed}")
    flags = " ".join(["", "--", *arguments.flags]) if arguments.flags else ""
    print(f"kept: {kept.keep(arguments.keep, 'resume', rows, arguments.program, command + flags)}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, metavar="SEDA")
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--what", choices=("prepare", "train"), required=True)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--steps", type=int, default=120, help="train: steps of a run [120]")
    parser.add_argument("--out", type=Path, default=Path("kills"), help="folder to work in, made anew [kills]")
    parser.add_argument("--seed", type=int, default=1, help="of the moments [1]")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="train: write what was found there, for bench/report.py")
    own, flags = (sys.argv[1:], []) if "--" not in sys.argv else (
        sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:])
    arguments = parser.parse_args(own)
    if arguments.keep and arguments.what != "train":
        parser.error("--keep: the book has a row of --what train alone")
    arguments.flags = flags
    arguments.random = random.Random(arguments.seed)
    return arguments


def main() -> int:
    arguments = parse()
    try:
        shutil.rmtree(arguments.out, ignore_errors=True)
        arguments.out.mkdir(parents=True)
        kill_many(arguments)
    except Lost as loss:
        print(f"LOST: {loss}\nwhat was found is left in {arguments.out}", file=sys.stderr)
        return 1
    except (CouldNotRun, OSError) as error:
        print(f"kills: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
