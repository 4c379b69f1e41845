#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two processes train one voice on the CPU, started by torchrun as they would be on GPUs.

    torchrun_test.py SEDA TORCH_FOLDER [CASE ...]

Ends with 77 where torch's Python package cannot be used.
"""
import json
import math
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import wave

SKIPPED = 77
PATIENCE_S = 120
SETTINGS = """
data:
  num_workers: 1
  validation_share: 0.1
  model_gpu: cpu
  text: {phonemes: false, tokenizer: characters}
model: {hidden_size: 32, feed_forward_size: 64, encoder_layers: 1, decoder_layers: 1, heads: 2, dropout: 0.1}
training: {log_every: 2, checkpoint_every: 5, eval_every: 20, warmup_steps: 2, schedule: constant, lr: 0.001}
"""


def make_corpus(folder: pathlib.Path, clips: int) -> None:
    """Tones of different lengths, each of a speaker of its own."""
    (folder / "wavs").mkdir(parents=True)
    rows = ["path|text|speaker"]
    for clip in range(clips):
        samples = 9000 + 300 * (clip % 7)
        tone = [int(8000 * math.sin(0.02 * (clip + 3) * t)) for t in range(samples)]
        with wave.open(str(folder / f"wavs/{clip}.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(22050)
            sound.writeframes(struct.pack(f"<{samples}h", *tone))
        rows.append(f"wavs/{clip}.wav|This is line number {clip} of a corpus.|speaker{clip}")
    (folder / "metadata.csv").write_text("\n".join(rows) + "\n")


def environment(torch: str, **more: str) -> dict:
    return {**os.environ, "PYTHONPATH": torch, "SEDA_TORCH": torch, "OMP_NUM_THREADS": "1",
            "SEDA_RANK_TIMEOUT_S": "30", **more}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_until(what: str, is_so) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.02)


class Job:
    """A training run in a folder of its own: alone, by torchrun, or as processes of our own."""

    def __init__(self, world: "World", name: str, cache: str = "cache"):
        self.world = world
        self.runs = world.folder / name
        self.cache = world.folder / cache
        self.error = world.folder / f"{name}.log"

    def command(self, steps: int, batch: int, *more: str) -> list:
        return [self.world.seda, "train", str(self.world.corpus), "--config",
                str(self.world.settings), "--checkpoint-dir", str(self.runs), "--cache-dir",
                str(self.cache), "--trace-batches", str(self.runs / "trace.jsonl"), "--max-steps",
                str(steps), "--batch-size", str(batch), "--epochs", "1000000", *more]

    def start(self, command: list, **variables: str) -> subprocess.Popen:
        with open(self.error, "a") as error:
            return subprocess.Popen(command, stdout=error, stderr=error,
                                    env=environment(self.world.torch, **variables))

    def launch(self, command: list, *flags: str) -> subprocess.Popen:
        return self.start([sys.executable, "-m", "torch.distributed.run", "--no-python",
                           "--nproc-per-node", "2", "--master-port", str(free_port()), *flags,
                           *command])

    def said(self) -> str:
        return self.error.read_text(errors="replace")

    def end(self, process: subprocess.Popen, expected: int) -> None:
        code = process.wait(PATIENCE_S)
        assert code == expected, f"expected exit code {expected}, found {code}:\n{self.said()}"

    def losses(self) -> dict:
        lines = [json.loads(line) for line in (self.runs / "trace.jsonl").read_text().splitlines()]
        assert [line["step"] for line in lines] == list(range(1, len(lines) + 1))
        return {line["step"]: line["loss"] for line in lines}

    def steps(self) -> int:
        found = sorted(self.runs.glob("step-*/checkpoint.json"))
        return json.loads(found[-1].read_text())["progress"]["updates"] if found else 0


def ranks_of(launcher: int) -> dict:
    """Process numbers of a launcher's ranks."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent != launcher:
                continue
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        for variable in variables:
            if variable.startswith(b"RANK="):
                found[int(variable[5:])] = int(folder.name)
    return found


class World:
    def __init__(self, seda: str, torch: str, folder: pathlib.Path):
        self.seda, self.torch, self.folder = seda, torch, folder
        self.corpus = folder / "corpus"
        self.settings = folder / "settings.yaml"
        self.settings.write_text(SETTINGS)
        make_corpus(self.corpus, 64)


def two_halves_learn_what_the_whole_does(world: World) -> None:
    whole = Job(world, "whole", "cache-of-one")
    whole.end(whole.start(whole.command(10, 16)), 0)
    halves = Job(world, "halves", "cache-of-two")  # which both find unprepared
    halves.end(halves.launch(halves.command(10, 8)), 0)
    assert halves.said().count("CACHE SAVED") == 1, halves.said()
    assert "warning: cannot write the cache" not in halves.said(), halves.said()
    expected, found = whole.losses(), halves.losses()
    assert len(expected) == len(found) == 10
    for step, loss in expected.items():
        print(f"  step {step}: 1 x 16 {loss:.6f}, 2 x 8 {found[step]:.6f}")
        assert abs(found[step] - loss) <= 1e-4 * abs(loss), step


def a_signal_to_one_stops_both_after_the_same_step(world: World) -> None:
    for name, sent, code in (("term", signal.SIGTERM, 0), ("int", signal.SIGINT, 1)):
        job = Job(world, f"signal-{name}")
        process = job.launch(job.command(1000000, 8))
        wait_until("a checkpoint is there", lambda: job.steps() >= 5)
        os.kill(ranks_of(process.pid)[1], sent)
        job.end(process, code)  # torchrun's own: 1 where a rank ended with another than 0
        assert f"stopped by {'SIGTERM' if code == 0 else 'Ctrl-C'} after step" in job.said()
        assert len(job.losses()) == job.steps(), (job.losses(), job.steps())
        print(f"  {name}: stopped after step {job.steps()}")


def a_signal_to_torchrun_leaves_a_checkpoint_and_no_process(world: World) -> None:
    job = Job(world, "torchrun-term")
    process = job.launch(job.command(1000000, 8))
    wait_until("a checkpoint is there", lambda: job.steps() >= 5)
    ranks = ranks_of(process.pid)
    process.terminate()
    process.wait(PATIENCE_S)
    assert "stopped by SIGTERM after step" in job.said(), job.said()
    assert len(job.losses()) == job.steps()
    for pid in ranks.values():
        assert not pathlib.Path(f"/proc/{pid}").exists()
    print(f"  stopped after step {job.steps()}")


def a_killed_rank_ends_the_others(world: World) -> None:
    job = Job(world, "killed")
    port = str(free_port())
    ranks = [job.start(job.command(1000000, 8), RANK=str(rank), WORLD_SIZE="2",
                       LOCAL_RANK=str(rank), LOCAL_WORLD_SIZE="2", MASTER_ADDR="127.0.0.1",
                       MASTER_PORT=port) for rank in (0, 1)]
    wait_until("a checkpoint is there", lambda: job.steps() >= 5)
    begin = time.monotonic()
    ranks[1].kill()
    job.end(ranks[0], 3)
    assert "rank 1 went away" in job.said(), job.said()
    print(f"  rank 0 ended {time.monotonic() - begin:.1f} s after the kill of rank 1")
    ranks[1].wait()


def a_restart_goes_on_as_if_nothing_had_been(world: World) -> None:
    smooth = Job(world, "smooth")
    smooth.end(smooth.launch(smooth.command(100, 8)), 0)
    job = Job(world, "restarted")
    process = job.launch(job.command(100, 8, "--reset-training"), "--max-restarts", "1")
    wait_until("a checkpoint is there", lambda: job.steps() >= 5)
    os.kill(ranks_of(process.pid)[1], signal.SIGKILL)
    job.end(process, 0)
    assert "going on from" in job.said(), job.said()
    assert job.losses() == smooth.losses()
    print(f"  {len(job.losses())} losses, equal bit for bit")


CASES = [two_halves_learn_what_the_whole_does, a_signal_to_one_stops_both_after_the_same_step,
         a_signal_to_torchrun_leaves_a_checkpoint_and_no_process, a_killed_rank_ends_the_others,
         a_restart_goes_on_as_if_nothing_had_been]


def main() -> int:
    seda, torch, *names = sys.argv[1:]
    probe = subprocess.run([sys.executable, "-c", "import torch.distributed.run"],
                           env=environment(torch), capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        print(f"torchrun cannot be used: {probe.stderr.strip().splitlines()[-1]}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        world = World(seda, torch, pathlib.Path(folder))
        for case in CASES:
            if names and case.__name__ not in names:
                continue
            print(case.__name__, flush=True)
            case(world)
    return 0


if __name__ == "__main__":
    sys.exit(main())
