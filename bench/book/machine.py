# SPDX-License-Identifier: Apache-2.0
"""Where and of what a benchmark ran: the machine's lines, the name of its files, the commit."""
import json
import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def lines():
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    out = [f"CPU: {model.group(1) if model else platform.machine()}, {len(os.sched_getaffinity(0))} cores"]
    gpus = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    out += [f"GPU: {gpu}" for gpu in gpus.splitlines()] or ["no GPU"]
    out.append(f"System: {platform.system()}, {' '.join(platform.libc_ver())}")
    return out


def name_of(about):
    """amd-epyc-2-cores, intel-xeon-platinum-8480-16-cores-nvidia-h200"""
    words = " ".join(line.split(": ", 1)[1].split(", ")[0] if line.startswith("GPU") else line.split(": ", 1)[1]
                     for line in about if line.startswith(("CPU", "GPU: N")))
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(r\)|\(tm\)|cpu", "", words.lower())).strip("-")


def gpus_of(about):
    return sum(line.startswith("GPU") for line in about)


def cores_of(about):
    found = re.search(r"(\d+) cores", " ".join(about))
    return int(found.group(1)) if found else 0


def commit_of(program):
    """Of the seda beside a program, or of the sources where it is a script of theirs."""
    text = output_of(str(Path(program).resolve().parent.parent / "bin" / "seda"), "--version", "--json")
    if text:
        return json.loads(text)["commit"]
    commit = git("rev-parse", "--short=12", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)bench/results")
    return f"{commit}{'-dirty' if changed else ''}" if commit else "unknown"


def git(*words):
    return output_of("git", "-C", str(ROOT), *words)
