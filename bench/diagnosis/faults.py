# SPDX-License-Identifier: Apache-2.0
"""The faults that are planted, each at three strengths, by real means where there are such."""
import contextlib
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import threading

LOW, MEDIUM, HIGH = "low", "medium", "high"
STRENGTHS = (LOW, MEDIUM, HIGH)
FILE_BATCH = 16  # clips, of batches that are read from files


class Plant:
    """One run: a configuration, flags of `seda diagnose`, and what goes on beside it."""

    def __init__(self, config=None, flags=(), beside=None):
        self.config = config or {}
        self.flags = [str(flag) for flag in flags]
        self.beside = beside or contextlib.nullcontext


def inject(words, step_ms, beside=None, flags=(), **data):
    config = {"debug": {"inject": list(words)}}
    if data:
        config["data"] = data
    return Plant(config, ["--step-ms", step_ms, *flags], beside)


def settings(step_ms, flags=(), beside=None, **data):
    return Plant({"data": data} if data else {}, ["--step-ms", step_ms, *flags], beside)


def spin():
    while True:
        pass


@contextlib.contextmanager
def hogs(count):
    """Processes that use a core each."""
    running = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for one in running:
        one.start()
    try:
        yield
    finally:
        for one in running:
            one.terminate()
            one.join()


@contextlib.contextmanager
def toucher(corpus, share):
    """Something that gives files of the corpus a new time again and again, as a sync job does."""
    files = sorted((pathlib.Path(corpus) / "wavs").glob("*.wav"))
    files = files[: max(1, int(len(files) * share))]
    stop = threading.Event()

    def work():
        while not stop.is_set():
            for file in files:
                file.touch()
            stop.wait(0.02)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def drop_pages(folder):
    """Takes every file below a folder out of the page cache."""
    for file in pathlib.Path(folder).rglob("*"):
        if not file.is_file():
            continue
        with open(file, "rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


GROUP = pathlib.Path("/sys/fs/cgroup/blkio/seda-diagnosis")


def can_throttle():
    """Whether this user may limit how fast a group of processes reads a disk (cgroup v1)."""
    try:
        GROUP.mkdir(exist_ok=True)
        able = (GROUP / "blkio.throttle.read_bps_device").exists()
        GROUP.rmdir()
        return able
    except OSError:
        return False


@contextlib.contextmanager
def cold_and_throttled(corpus, bytes_per_second):
    """The page cache without the corpus, and a disk that reads so fast for whoever is in the group."""
    GROUP.mkdir(exist_ok=True)
    number = os.stat(corpus).st_dev
    device = f"{os.major(number)}:{os.minor(number)}"
    (GROUP / "blkio.throttle.read_bps_device").write_text(f"{device} {int(bytes_per_second)}")
    drop_pages(corpus)
    try:
        yield lambda: (GROUP / "cgroup.procs").write_text(str(os.getpid()))
    finally:
        (GROUP / "blkio.throttle.read_bps_device").write_text(f"{device} 0")
        with contextlib.suppress(OSError):
            GROUP.rmdir()


def graded(make, *values):
    return dict(zip(STRENGTHS, (make(value) for value in values)))


def file_rate(seda, corpus):
    """Clips a second that two workers read, decode and turn into mels from files, when nobody holds them up."""
    done = subprocess.run([seda, "diagnose", str(corpus), "--no-prepare", "--num-workers", "2", "--batch-size", str(FILE_BATCH), "--step-ms", "0.001",
                           "--output", str(pathlib.Path(corpus).parent / "report.txt"), "--json", "--quiet"],
                          capture_output=True, check=False, text=True)
    if done.returncode not in (0, 1):  # 1: something holds it back, as it should
        sys.exit(f"faults.py: expected the rate of files of {corpus}, seda ended with {done.returncode}\n{done.stderr[-2000:]}")
    rate = json.loads(done.stdout)["clips_per_second"]
    if not rate > 0:
        sys.exit(f"faults.py: expected clips a second of files of {corpus}, found {rate}: is the corpus empty?")
    return rate


def cpu_faults(corpus, cores, clips_per_second):
    """Fault -> strength -> plant, of those that a machine without a GPU can show.

    What all workers share must be so much slower as there are more of them. `clips_per_second` is `file_rate`: files
    are too slow where a step wants more.
    """
    many = max(1, cores / 2)
    wanted_ms = 1e3 * FILE_BATCH / clips_per_second
    faults = {
        "slow_storage": graded(lambda ms: inject([f"slow_storage={many * ms}"], 20), 1, 5, 20),
        "slow_decode": graded(lambda ms: inject([f"slow_decode={many * ms}"], 20), 0.5, 8, 15),
        # Lines are read in the loop by the reference loader alone, which must itself be no trouble where text is none.
        "slow_text": {
            LOW: inject(["slow_text=1"], 1000, native_loading=False),
            MEDIUM: inject(["slow_text=5"], 20, native_loading=False),
            HIGH: inject(["slow_text=15"], 20, native_loading=False)},
        "too_few_workers": graded(
            lambda ms: inject([f"slow_decode={ms}"], 16, num_workers=1), 0.5, 1.5, 2),
        "ring_too_small": graded(
            lambda ms: inject([f"uneven_storage={ms}"], 10, pipeline_buffer_size=2, prefetch_buffer_size=1,
                              enhanced_gpu_prefetch=False), 10, 60, 90),
        "slow_clip": graded(lambda ms: inject([f"slow_clip={ms}"], 20), 50, 800, 2000),
        "cpu_contention": graded(
            lambda hog: inject(["slow_decode=0.7"], 10 / many, beside=lambda: hogs(hog)), cores // 2, 3 * cores, 6 * cores),
        "padding_waste": {
            LOW: settings(20, num_buckets=4), MEDIUM: settings(20, num_buckets=1),
            HIGH: settings(20, num_buckets=1, max_mel_frames=1600)},
        "cache_rebuilt": graded(
            lambda share: settings(20, beside=lambda: toucher(corpus, share)), 0.02, 0.5, 1.0),
        "cache_off": graded(
            lambda ms: settings(ms, flags=["--no-prepare"], num_workers=2, batch_size=FILE_BATCH), 50, wanted_ms / 2, wanted_ms / 4),
        "reference_path": graded(lambda ms: settings(ms, native_loading=False), 500, 20 / min(many, 4), 5 / min(many, 4)),
    }
    if can_throttle():
        faults["cold_cache"] = graded(
            lambda rate: settings(5, beside=lambda: cold_and_throttled(corpus, rate)), 400e6, 16e6, 8e6)
        for plant in faults["cold_cache"].values():
            plant.flags += ["--num-batches", "400"]
    return faults


def training(size, batch_size=16, words=(), **keys):
    """A run that takes steps of its own with a model of that size."""
    config = {"model": {"size": size}, "data": {"batch_size": batch_size, "num_buckets": 6}}
    if keys:
        config["training"] = keys
    if words:
        config["debug"] = {"inject": list(words)}
    return Plant(config)


def gpu_faults():
    """Those that need a GPU, most of them with steps of a real model."""
    return {
        "unpinned_copies": graded(lambda ms: settings(ms, pin_memory=False, batch_size=32), 10, 0.5, 0.25),
        "slow_transfer": graded(lambda ms: inject([f"slow_transfer={ms}"], 20), 2, 40, 80),
        "host_sync": {LOW: training("normal", 32, words=["host_sync=0.01"]),
                      MEDIUM: training("small", 64, enable_eager_debug=True),
                      HIGH: training("small", 64, words=["host_sync=15"])},
        "launch_bound": {LOW: training("big", 32, enable_graph_mode=False),
                         MEDIUM: training("small", enable_graph_mode=False),
                         HIGH: training("tiny", enable_graph_mode=False, enable_xla_compilation=False)},
        "batch_too_small": graded(lambda size: training("small", size), 16, 4, 2),
    }


def healthy_runs(count, with_gpu):
    """Runs at which nothing is wrong, all different; with a GPU, every fifth takes steps of a real model."""
    steps = (8, 12, 20, 30, 50)
    batches = (4, 8, 16, 32)
    models = (("small", 64), ("normal", 32), ("normal", 64), ("big", 32))
    for i in range(count):
        if with_gpu and i % 5 == 0:
            yield training(*models[i // 5 % len(models)])
            continue
        data = {"batch_size": batches[i % len(batches)]}
        if i % 5 == 4:
            data["num_workers"] = 2
        if i % 7 == 3:
            data["prefetch_buffer_size"] = 4
        yield settings(steps[i % len(steps)], beside=(lambda: hogs(1)) if i % 6 == 5 else None, **data)


def prepare(seda, corpus):
    """A cache that nothing was done to."""
    shutil.rmtree(pathlib.Path(corpus) / ".seda", ignore_errors=True)
    subprocess.run([seda, "prepare", str(corpus), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def make_corpus(seda, folder, clips):
    subprocess.run([seda, "corpus", str(folder), "--clips", str(clips), "--voices", "kal16", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
