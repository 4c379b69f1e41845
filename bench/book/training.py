# SPDX-License-Identifier: Apache-2.0
"""What programs share that measure `seda train`: its corpus, its runs, and what is written of them."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CONFIG = "training: {log_every: 100, eval_every: 1000000, checkpoint_every: 1000000, epochs: 1000000}\n"


def practice_corpus(seda, folder, clips):
    """One of `clips` in `folder`, made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / "corpus"
    subprocess.run([seda, "corpus", corpus, "--clips", str(clips), "--voices", "kal16", "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    return corpus


def train(seda, corpus, folder, steps, *flags):
    """One run and its report, with the peak of the process' memory."""
    command = [str(word) for word in (seda, "train", corpus, "--max-steps", steps, "--checkpoint-dir", folder,
                                      "--reset-training", "--json", "--quiet", *flags)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {' '.join(command)}\n{errors.read().decode()[-2000:]}")
        return {**json.loads(out.read()), "process_bytes": 1024 * used.ru_maxrss}


def table(rows, header):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine(seda):
    """The lines of `seda --version -v` that say where this ran."""
    text = subprocess.run([seda, "--version", "-v"], capture_output=True, text=True, check=True).stdout
    text = re.sub(r" in /\S+", "", text)  # where torch lies is that machine's own affair
    return "\n".join(f"- {' '.join(line.split())}" for line in text.splitlines())
