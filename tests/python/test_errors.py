# SPDX-License-Identifier: Apache-2.0
"""Mistakes and what is said of them."""
import enum
import fractions
from pathlib import Path

import numpy
import pytest

import seda
from corpus import CONFIG, make_loader


@pytest.mark.parametrize("arguments, kind, words", [
    ({"batch_size": 0}, "config", "batch_size: expected an integer from 1 to 4096 (clips), found 0"),
    ({"batch_size": None, "batch_frames": 7}, "config",
     "batch_frames: expected an integer from 8 to 1000000 (frames), or none, found 7"),
    ({"batch_frames": 800}, "config", "data.batch_frames is 800 (batch_frames), but data.batch_size is 8 (batch_size)"),
    ({"batch_size": None, "batch_frames": 800, "config": {"data.pad_to_fixed_length": False}}, "config",
     "only fixed shapes say how many clips fit a budget of frames"),
    ({"batch_size": "8"}, "config", "batch_size: expected an integer"),
    ({"batch_size": [8]}, "config", "batch_size: expected an integer"),
    ({"config": {"data.batch_sise": 8}}, "config",
     'config["data.batch_sise"]: unknown key data.batch_sise; did you mean data.batch_size?'),
    ({"config": {"data": {"mel": {"n_fft": 7}}}}, "config", 'config["data.mel.n_fft"]'),
    ({"batch_size": b"8"}, "config", "found b'8'"),
    ({"config": {"data.num_workers": object()}}, "config", "expected a bool, int, float, str, None or a list"),
    ({"config": {"data": 3}}, "config", 'config["data"]: expected the keys of the section data, found a value'),
    ({"device": "tpu"}, "config", "device: expected the number of a GPU or cpu, or auto, found tpu"),
    ({"config": {"data.data_gpu": "tpu"}}, "config", 'config["data.data_gpu"]: expected the number of a GPU'),
    ({"device": "cuda:99"}, "unavailable", "cuda:99"),
    ({"split": "test"}, "usage", "split: expected train or validation, found 'test'"),
    ({"split": None}, "usage", "split: expected text, found None"),
    ({"shuffle": "no"}, "usage", "shuffle: expected True or False, found 'no'"),
    ({"prepare": None}, "usage", "prepare: expected True or False, found None"),
    ({"output": ["torch"]}, "usage", "output: expected dlpack, numpy, torch, jax, found ['torch']"),
    ({"cache_dir": "a\udc80"}, "usage", "cache_dir: expected text that UTF-8 can hold, found 'a\\udc80'"),
    ({"rank": 1}, "usage", "expected rank and world_size together"),
    ({"rank": 2, "world_size": 2}, "usage", "rank: expected an integer from 0 to 1, found 2"),
    ({"rank": 0.7, "world_size": 2}, "usage", "rank: expected an integer from 0 to 1, found 0.7"),
    ({"rank": 0, "world_size": 0}, "usage", "world_size: expected an integer of 1 or more, found 0"),
])
def test_a_bad_argument_is_named_with_what_was_expected(corpus, arguments, kind, words):
    with pytest.raises(seda.Error) as raised:
        make_loader(corpus, **arguments)
    assert raised.value.kind == kind
    assert words in str(raised.value)


class Kind(enum.IntEnum):
    TWO = 2


class Way(str, enum.Enum):
    MEL = "mel"


@pytest.mark.parametrize("given, held", [
    (numpy.float64(0.25), 0.25), (numpy.float32(0.25), 0.25), (numpy.int64(3), 3), (numpy.bool_(True), True),
    (numpy.str_("a"), "a"), (numpy.array(7), 7), (Kind.TWO, 2), (Way.MEL, "mel"), (fractions.Fraction(1, 4), 0.25),
    ((1, numpy.int8(2)), [1, 2]), (Path("a/b"), "a/b"), (True, True), (None, None)])
def test_values_of_other_libraries_are_plain(given, held):
    found = seda.settings.plain(given)
    assert found == held and type(found) is type(held)


def test_numbers_of_numpy_are_taken(load):
    config = {"data.validation_share": numpy.float64(0.25), "data.num_buckets": Kind.TWO, "data.pin_memory": numpy.bool_(False)}
    assert len(load(config=config, batch_size=numpy.int32(8), seed=numpy.uint64(3)).buckets) == 2


def test_a_configuration_of_keys_is_a_file_too(tmp_path):
    torch = pytest.importorskip("torch")
    for device, held in ((torch.device("cpu"), "cpu"), ("cuda", "0"), ("auto", None), (None, None)):
        file = seda.settings.file_of({"data.model_gpu": device, "data.num_buckets": numpy.int64(2)}, tmp_path)
        read = seda.settings.read(file)
        assert (read.get("data.model_gpu"), read.get("data.num_buckets")) == (held, 2)


def test_a_device_may_be_chosen(load):
    assert load(device="auto", data_device="cpu").data_device == "cpu"
    assert load(device=None, config={"data.model_gpu": "auto"}, data_device="cpu").data_device == "cpu"


@pytest.mark.parametrize("call, words", [
    (lambda loader: loader.set_epoch(1.5), "epoch: expected an integer of 0 or more, found 1.5"),
    (lambda loader: loader.set_epoch(-1), "epoch: expected an integer of 0 or more, found -1"),
    (lambda loader: loader.set_workers(10**6), "workers: expected an integer from 1 to 256, found 1000000"),
    (lambda loader: loader.set_workers(0), "workers: expected an integer from 1 to 256, found 0"),
    (lambda loader: loader.load_state_dict(None), r"state: expected what state_dict\(\) gave, found None"),
    (lambda _: seda.Loader("voice", config=b"missing.yaml"), "missing.yaml"),
    (lambda _: seda.Loader("voice", config=7), "config: expected a path, found 7"),
    (lambda _: seda.Loader(5), "path: expected a path, found 5"),
    (lambda _: seda.prepare("voice", shard=1), "shard: expected text, found 1"),
    (lambda _: seda.prepare("voice", force="yes"), "force: expected True or False, found 'yes'"),
    (lambda _: seda.text.normalize(b"abc"), "texts: expected lines of text, found b'abc'"),
    (lambda _: seda.text.normalize(5), "texts: expected lines of text, found 5"),
    (lambda _: seda.text.normalize(["a", None]), "texts: expected text, found None"),
    (lambda _: seda.text.normalize("a\ud800"), "texts: expected text that UTF-8 can hold"),
    (lambda _: seda.text.normalize("a", language=["en"]), "language: "),
    (lambda _: seda.text.Frontend("normalize").lines("Hey"), r"found 'Hey'; line\(\) takes one"),
    (lambda _: seda.text.Frontend(None), "stage: expected text, found None"),
    (lambda _: seda.mel("c.wav", preset=["hifigan"]), "preset: "),
    (lambda _: seda.mel("c.wav", sample_rate=[22050]), "sample_rate: "),
    (lambda _: seda.Mel().frames(1.5), "samples: expected an integer of 0 or more"),
])
def test_a_bad_argument_of_a_call_is_named(load, call, words):
    with pytest.raises((seda.UsageError, seda.ConfigError), match=words):
        call(load())


def test_no_corpus_is_named(tmp_path):
    with pytest.raises(seda.Error, match="nothing-here"):
        make_loader(tmp_path / "nothing-here")
    with pytest.raises(seda.UsageError, match="data.dataset_path"):
        make_loader(None)


def test_a_file_is_quoted_with_its_line(tmp_path):
    file = tmp_path / "voice.yaml"
    file.write_text("data:\n  batch_size: many\n")
    with pytest.raises(seda.ConfigError, match=r"voice.yaml:2:15: data.batch_size: expected an integer"):
        seda.Loader("nowhere", config=file)
    with pytest.raises(seda.ConfigError, match="missing.yaml"):
        seda.Loader("nowhere", config=tmp_path / "missing.yaml")


def test_errors_are_what_python_programs_catch():
    for error, builtin, kind in ((seda.ConfigError, ValueError, "config"), (seda.UsageError, ValueError, "usage"),
                                 (seda.StorageError, OSError, "io"), (seda.OutOfMemory, MemoryError, "memory"),
                                 (seda.Unavailable, RuntimeError, "unavailable"),
                                 (seda.InternalError, RuntimeError, "internal")):
        assert issubclass(error, builtin) and issubclass(error, seda.Error)
        assert error.kind == kind and seda.errors.of_kind(kind) is error
    assert seda.errors.of_kind("interrupted") is KeyboardInterrupt


def test_a_corpus_without_a_clip_to_feed_is_an_error(corpus):
    with pytest.raises(seda.Error):
        seda.Loader(corpus, device="cpu", config={**CONFIG, "data.max_mel_frames": 4})


def test_contradictions_are_found(corpus):
    with pytest.raises(seda.ConfigError):
        make_loader(corpus, config={"data.mel.fmin": 9000.0, "data.mel.fmax": 100.0})


def test_the_log_has_levels():
    for level in ("debug", "info", "error", "off", "warning"):
        seda.set_log_level(level)
    with pytest.raises(seda.UsageError, match="expected debug, info"):
        seda.set_log_level("loud")
