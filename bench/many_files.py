#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A corpus of very many small files through validate, prepare and later starts: seconds and memory.

  bench/many_files.py SEDA FOLDER [FILES]     prints a table; FILES is 100,000

Of every hundred files one is made, a tone of a fifth of a second, and the others are hard links to it: the program sees
paths, sizes and times as of files of their own, and the disk holds little. Each has a text of its own."""
import math
import os
import shutil
import struct
import sys
import time
from pathlib import Path

RATE = 22050
LINKS = 100


def tone(number: int) -> bytes:
    samples = [round(6000 * math.sin((0.03 + 0.0001 * number) * t)) for t in range(RATE // 5)]
    data = struct.pack(f"<{len(samples)}h", *samples)
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16,
                       b"data", len(data)) + data


def make_corpus(folder: Path, files: int) -> None:
    sounds = folder / "wavs"
    sounds.mkdir(parents=True)
    with (folder / "metadata.csv").open("w") as metadata:
        for i in range(files):
            path = sounds / f"c{i:06}.wav"
            if i % LINKS == 0:
                path.write_bytes(tone(i))
                first = path
            else:
                os.link(first, path)
            metadata.write(f"c{i:06}|Go {i}.\n")


def run(command: list[str], log: Path) -> tuple[float, float, float]:
    """Seconds, seconds of CPU, and MB at the peak."""
    started = time.monotonic()
    with log.open("ab") as output:
        child = os.posix_spawn(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, output.fileno(), 2)])
        _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(command)} failed; see {log}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024e-6


def main() -> None:
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    program, folder = sys.argv[1], Path(sys.argv[2])
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    shutil.rmtree(folder, ignore_errors=True)
    corpus = folder / "corpus"
    make_corpus(corpus, files)
    settings = folder / "many.yaml"
    settings.write_text("data: {text: {phonemes: false, language: en}}\n")
    given = [str(corpus), "--config", str(settings)]
    print(f"| {files:,} files | seconds | CPU seconds | MB at the peak |\n|---|---|---|---|")
    for name, verb in (("validate, not prepared", ["validate"]), ("prepare", ["prepare"]),
                       ("prepare, nothing to do", ["prepare"]), ("validate, prepared", ["validate"]),
                       ("first batch of a loader", ["profile", "data"]), ("cache verify", ["cache", "verify"])):
        flags = ["--num-batches", "1"] if verb[0] == "profile" else []
        where = [str(corpus)] if verb[0] == "cache" else given
        seconds, cpu, memory = run([program, *verb, *where, *flags], folder / "log.txt")
        print(f"| {name} | {seconds:.2f} | {cpu:.2f} | {memory:.0f} |", flush=True)
    sizes = [entry.stat().st_size for entry in (corpus / ".seda").rglob("*") if entry.is_file()]
    print(f"\nThe cache has {sum(sizes) / 1e6:.0f} MB.")


if __name__ == "__main__":
    main()
