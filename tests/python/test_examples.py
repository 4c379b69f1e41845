# SPDX-License-Identifier: Apache-2.0
"""Every example runs; those whose package is not there are compiled."""
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(os.environ["SEDA_SOURCE_FOLDER"]) / "examples" / "python"
NEEDS = {"pytorch_loop.py": "torch", "dataset_replacement.py": "torch", "lightning_module.py": "lightning", "jax_loop.py": "jax"}


def test_every_example_is_known():
    assert {file.name for file in EXAMPLES.glob("*.py")} == set(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_runs(name, corpus):
    source = (EXAMPLES / name).read_text()
    compile(source, name, "exec")
    if importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"compiled only: there is no {NEEDS[name]}")
    done = subprocess.run([sys.executable, EXAMPLES / name, corpus, "--device", "cpu", "--epochs", "2", "--characters"],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    losses = [float(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("epoch")]
    assert len(losses) == 2 and losses[1] < losses[0], done.stdout
