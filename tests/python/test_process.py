# SPDX-License-Identifier: Apache-2.0
"""What a loader does to its process: signals, forks, threads, memory, the end."""
import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest

import seda
from corpus import make_corpus, make_loader, run_python

START = "import sys, seda; from corpus import make_corpus, make_loader\n"


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def threads():
    return len(os.listdir("/proc/self/task"))


def use_one(corpus):
    with make_loader(corpus) as loader:
        mel = numpy.from_dlpack(next(iter(loader)).mel)
        next(iter(loader))
        assert mel.any()


def test_a_hundred_loaders_leave_nothing_behind(corpus):
    for _ in range(10):  # what is made once
        use_one(corpus)
    gc.collect()
    before = resident_bytes(), descriptors(), threads()
    for _ in range(100):
        use_one(corpus)
    gc.collect()
    after = resident_bytes(), descriptors(), threads()
    assert after[1:] == before[1:]
    assert after[0] - before[0] < 8 << 20, f"{(after[0] - before[0]) / 2**20:.1f} MiB more"


def test_loaders_that_are_only_dropped_end_too(corpus):
    use_one(corpus)
    before = threads()
    for _ in range(5):
        loader = make_loader(corpus)
        next(iter(loader))
    del loader
    gc.collect()
    assert threads() == before


def test_a_loader_that_goes_elsewhere_or_is_closed_ends_its_threads(corpus):
    use_one(corpus)
    before = threads()
    with make_loader(corpus) as loader:
        kept = [numpy.from_dlpack(next(iter(loader)).mel)]
        running = threads()
        for epoch in range(1, 4):
            loader.set_epoch(epoch)
            kept.append(numpy.from_dlpack(next(iter(loader)).mel))
        assert threads() == running
    assert threads() == before
    assert all(mel.any() for mel in kept)


def interrupted(code, corpus, word):
    """Runs `code`, sends Ctrl-C a moment after it has said `word`, and gives how it ended and after how long."""
    process = subprocess.Popen([sys.executable, "-c", START + code, str(corpus)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent)
    assert process.stdout.readline().strip() == word
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.monotonic() - begin


def test_ctrl_c_ends_a_wait_for_a_batch(corpus):
    code, out, err, seconds = interrupted("""
loader = make_loader(sys.argv[1], prepare=False, config={"data.num_workers": 1, "debug.inject": ["slow_storage=60000"]})
print("waiting", flush=True)
try:
    next(iter(loader))
except KeyboardInterrupt:
    print("stopped", loader.state_dict()["batch"], flush=True)
    import os; os._exit(7)  # the reader sleeps for a minute
""", corpus, "waiting")
    assert (code, out) == (7, "stopped 0\n"), err
    assert seconds < 20


def test_ctrl_c_ends_preparing_and_the_next_goes_on(tmp_path):
    folder = make_corpus(tmp_path / "voice", 30)
    code, out, err, _ = interrupted("""
print("preparing", flush=True)
try:
    while True:
        seda.prepare(sys.argv[1], force=True, config={"data.text": {"phonemes": False, "tokenizer": "characters"}})
except KeyboardInterrupt:
    print("stopped")
""", folder, "preparing")
    assert (code, out) == (0, "stopped\n"), err
    with make_loader(folder) as loader:
        assert sum(len(batch) for batch in loader) >= 30


def test_a_handler_of_ones_own_is_heard(corpus):
    """Signals are Python's: what a handler raises comes out of the wait."""
    done = run_python(START + """
import os, signal
class Enough(Exception): pass
def handler(*_): raise Enough
signal.signal(signal.SIGALRM, handler)
loader = make_loader(sys.argv[1], prepare=False, config={"data.num_workers": 1, "debug.inject": ["slow_storage=60000"]})
signal.alarm(1)
try:
    next(iter(loader))
except Enough:
    print("enough", flush=True)
    os._exit(0)
""", str(corpus))
    assert done.stdout == "enough\n", done.stderr


def test_a_signal_stops_the_call_that_hears_it_and_no_other(tmp_path):
    folder = make_corpus(tmp_path / "voice", 30)
    done = run_python(START + """
import signal, threading
class Enough(Exception): pass
armed = False
def handler(*_):
    global armed
    if armed:
        armed = False
        raise Enough
signal.signal(signal.SIGALRM, handler)
stopping, found = threading.Event(), []
def work():
    try:
        while not stopping.is_set():
            lines = (f"Line {len(found)} of {n} costs $3.50." for n in range(1000))
            found.append(len(seda.text.normalize(lines)))
    except BaseException as error:
        found.append(error)
thread = threading.Thread(target=work)
thread.start()
stopped = 0
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
while stopped < 30:
    try:
        armed = True
        seda.prepare(sys.argv[1], force=True, config={"data.text": {"phonemes": False, "tokenizer": "characters"}})
        armed = False
    except Enough:
        stopped += 1
signal.setitimer(signal.ITIMER_REAL, 0)
stopping.set()
thread.join()
print(set(found))
""", str(folder))
    assert done.stdout == "{1000}\n", done.stdout + done.stderr


def test_a_forked_process_is_told(corpus):
    done = run_python(START + """
import os, numpy
loader = make_loader(sys.argv[1])
batch = next(iter(loader))
mel = numpy.from_dlpack(batch.mel)
pid = os.fork()
if pid == 0:
    try:
        next(iter(loader))
    except seda.UsageError as error:
        print(error, repr(loader), flush=True)
    loader.close()
    del mel, batch, loader  # must neither wait nor crash
    sys.exit(5)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 5
print(sum(len(batch) for batch in loader), mel.any(), flush=True)
""", str(corpus))
    assert done.returncode == 0, done.stderr
    told, after = done.stdout.splitlines()
    assert "was forked" in told and "seda.Loader(of process" in told and "make the loader in the process that uses it" in told
    assert after == "32 True"


def test_a_loader_is_not_pickled(corpus):
    with make_loader(corpus) as loader, pytest.raises(TypeError, match="make it there"):
        pickle.dumps(loader)


def test_a_dataloader_without_workers_gives_the_batches(corpus):
    torch = pytest.importorskip("torch")
    with make_loader(corpus, output="torch") as loader:
        class Wrapped(torch.utils.data.IterableDataset):
            def __iter__(self):
                return iter(loader)

        assert [batch.index for batch in torch.utils.data.DataLoader(Wrapped(), batch_size=None, num_workers=0)] == list(range(5))


def test_workers_of_a_dataloader_are_told(corpus):
    pytest.importorskip("torch")
    done = run_python(START + """
import torch
loader = make_loader(sys.argv[1], output="numpy")
class Wrapped(torch.utils.data.IterableDataset):
    def __iter__(self): return (batch.ids for batch in loader)
try:
    list(torch.utils.data.DataLoader(Wrapped(), batch_size=None, num_workers=1, multiprocessing_context="fork"))
except seda.UsageError as error:
    print("was forked" in str(error))
print(len(list(batch.ids for batch in loader)))
""", str(corpus))
    assert done.stdout.split() == ["True", "5"], done.stderr


@pytest.mark.parametrize("rest", ["", "batch = next(iter(loader))", "import numpy; mel = numpy.from_dlpack(next(iter(loader)).mel)",
                                  "loader.me = loader; kept = [next(iter(loader))]", "raise SystemExit(0)",
                                  "import builtins; builtins.kept = loader; builtins.batch = next(iter(loader))"])
def test_a_program_ends_whatever_it_still_holds(corpus, rest):
    done = run_python(START + "loader = make_loader(sys.argv[1]); next(iter(loader))\n" + rest, str(corpus))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("work", [
    "for batch in loader: pass",
    "for batch in make_loader(corpus): pass",
    "for batch in make_loader(corpus, prepare=False, config={'debug.inject': ['slow_storage=200']}): begun.set()",
    "loader.set_epoch(loader.epoch + 2)",
    "seda.text.normalize(f'Line {line} costs $3.50.' for line in range(2000))",
    "seda.prepare(corpus, force=True, config={'data.text': {'phonemes': False, 'tokenizer': 'characters'}})",
])
def test_a_program_ends_whatever_its_threads_do(tmp_path, work):
    folder = make_corpus(tmp_path / "voice", 20)
    done = run_python(START + f"""
import threading
seda.set_log_level("error")
corpus, begun = sys.argv[1], threading.Event()
loader = make_loader(corpus)
def work():
    while True:
        {work}
        begun.set()
threading.Thread(target=work, daemon=True).start()
begun.wait()
""", str(folder))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_loader_that_is_dropped_lets_other_threads_run(corpus):
    """Its threads end with the interpreter lock free."""
    done = run_python(START + """
import threading
seda.set_log_level("error")
loader = make_loader(sys.argv[1], prepare=False, config={"data.num_workers": 1, "debug.inject": ["slow_storage=1000"]})
turns, stopping = 0, threading.Event()
def work():
    global turns
    while not stopping.is_set():
        turns += 1
thread = threading.Thread(target=work)
thread.start()
before = turns
del loader
print(turns - before > 1000)
stopping.set()
""", str(corpus))
    assert done.stdout == "True\n", done.stderr


def test_other_threads_run_while_one_waits(corpus):
    """The interpreter lock is free during a wait."""
    done = run_python(START + """
import os, threading, time
loader = make_loader(sys.argv[1], prepare=False, config={"data.num_workers": 1, "debug.inject": ["slow_storage=60000"]})
threading.Thread(target=lambda: next(iter(loader)), daemon=True).start()
begin = time.monotonic()
turns = 0
while time.monotonic() < begin + 0.5:
    turns += 1
print(turns > 1000, flush=True)
os._exit(0)
""", str(corpus))
    assert done.stdout == "True\n", done.stderr


def test_torch_is_not_needed(corpus):
    done = run_python(START + """
sys.modules["torch"] = None
with make_loader(sys.argv[1], output="numpy") as loader:
    print(next(iter(loader)).mel.shape[0], "torch" in str(sys.modules["torch"]))
""", str(corpus))
    assert done.stdout == "8 False\n", done.stderr


def test_nothing_but_the_standard_library_is_loaded():
    done = run_python("import sys, seda; print({'numpy', 'torch', 'jax'} & set(sys.modules))")
    assert done.stdout == "set()\n", done.stderr
