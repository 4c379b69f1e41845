# SPDX-License-Identifier: Apache-2.0
"""Every example runs; those whose package is not there are compiled."""
import importlib.util
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from corpus import CONFIG

EXAMPLES = Path(os.environ["SEDA_SOURCE_FOLDER"]) / "examples" / "python"
NEEDS = {"pytorch_loop.py": "torch", "dataset_replacement.py": "torch", "lightning_module.py": "lightning", "jax_loop.py": "jax"}


def test_every_example_is_known():
    assert {file.name for file in EXAMPLES.glob("*.py")} == set(NEEDS)


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def data_module(corpus, monkeypatch):
    """Lightning's part in it is small enough to be played."""
    torch = pytest.importorskip("torch")
    lightning = types.SimpleNamespace(LightningDataModule=object, LightningModule=object)
    monkeypatch.setitem(sys.modules, "lightning", lightning)
    module = example("lightning_module").SedaDataModule(corpus, config={**CONFIG, "data.validation_share": 0.5})
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "1")
    module.trainer = types.SimpleNamespace(strategy=types.SimpleNamespace(root_device=torch.device("cpu")), global_rank=0,
                                           world_size=1, num_devices=1)
    yield module
    module.teardown("fit")


def test_batches_have_what_matcha_and_coqui_read(load):
    torch = pytest.importorskip("torch")
    adapters = example("dataset_replacement")
    plain = [{"ids": batch.ids, **{name: array.clone() for name, array in batch.items()}} for batch in load(output="torch")]
    for batch, wanted in zip(adapters.MatchaBatches(load(output="torch"), -5.0, 2.0), plain):
        assert batch.keys() == {"x", "x_lengths", "y", "y_lengths", "spks", "filepaths", "x_texts", "durations"}
        assert torch.equal(batch["y"], (wanted["mel"] + 5) / 2) and batch["durations"] is None
    loader = load(output="torch")
    for batch, wanted in zip(adapters.CoquiBatches(loader), plain):
        assert batch.keys() == {"token_id", "token_id_lengths", "speaker_names", "linear", "mel", "mel_lengths", "stop_targets",
                                "item_idxs", "d_vectors", "speaker_ids", "attns", "waveform", "raw_text", "pitch", "energy",
                                "language_ids", "audio_unique_names"}
        assert batch["token_id_lengths"].tolist() == sorted(wanted["token_lengths"].tolist(), reverse=True)
        for row, clip in enumerate(batch["item_idxs"]):
            place = wanted["ids"].index(clip)
            assert torch.equal(batch["mel"][row].T, wanted["mel"][place])
            assert torch.equal(batch["token_id"][row], wanted["tokens"][place].long())
            assert batch["speaker_names"][row] == loader.speakers[wanted["speakers"][place]]
            assert batch["stop_targets"][row].argmax() == wanted["mel_lengths"][place] - 1


def test_validation_in_lightning_is_whole_after_a_look_at_it(data_module):
    validation = data_module.val_dataloader()
    first = next(iter(validation)).ids
    for _ in range(2):
        found = [batch.ids for batch in validation]
        assert len(found) == len(validation) > 1 and found[0] == first


def test_a_data_module_of_lightning_is_used_again(data_module):
    loader = data_module.train_dataloader()
    next(iter(loader))
    state = data_module.state_dict()
    assert state["loader"]["batch"] == 1
    for stage in ("fit", "validate"):
        data_module.val_dataloader()
        data_module.teardown(stage)
    assert repr(loader) == "seda.Loader(closed)" and data_module.state_dict() == {}
    data_module.load_state_dict(state)
    for place in ((0, 1), (1, 0)):  # Lightning may ask for it again: it goes on
        batch = next(iter(data_module.train_dataloader()))
        assert (batch.epoch, batch.index) == place


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
