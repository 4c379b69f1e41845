# SPDX-License-Identifier: Apache-2.0
"""What batches hold, in what order they come, and how a loader goes on."""
import json
import shutil
import subprocess
import sys
import threading
import types

import numpy
import pytest

import seda
from corpus import CONFIG, make_loader


def values(batch):
    """Everything of a batch, copied."""
    return {name: numpy.from_dlpack(array).copy() for name, array in batch.items()}


def take(loader, count):
    """So many batches, copied, with their ids; ends of epochs are passed over."""
    out = []
    while len(out) < count:
        for batch in loader:
            out.append((batch.ids, values(batch)))
            if len(out) == count:
                break
    return out


def assert_equal(found, wanted):
    assert [ids for ids, _ in found] == [ids for ids, _ in wanted]
    for (_, one), (_, other) in zip(found, wanted):
        for name in one:
            numpy.testing.assert_array_equal(one[name], other[name])


def test_a_batch_has_the_clips_it_names(load, corpus, tmp_path):
    """Mels and tokens of each row are those of `seda mel` and `seda text`."""
    settings = tmp_path / "settings.yaml"
    settings.write_text(json.dumps({"data": {"text": CONFIG["data.text"]}}))
    program = seda.program.path()
    subprocess.run([program, "mel", *sorted(corpus.glob("wavs/*.wav")), "--output", f"{tmp_path}/", "--config", settings,
                    "--quiet"], check=True, stdout=subprocess.DEVNULL)
    lines = {row.split("|")[0][5:-4]: row.split("|")[1] for row in (corpus / "metadata.csv").read_text().splitlines()[1:]}
    said = subprocess.run([program, "text", "--json", "--quiet", "--config", settings], check=True, text=True,
                          input="\n".join(lines.values()), stdout=subprocess.PIPE).stdout
    tokens = dict(zip(lines, (line["tokens"] for line in json.loads(said)["lines"])))
    loader = load()
    seen = set()
    for batch in loader:
        held = values(batch)
        for row, clip in enumerate(batch.ids):
            mel = numpy.load(tmp_path / f"{clip}.npy")
            frames = mel.shape[1]
            assert held["mel_lengths"][row] == frames
            numpy.testing.assert_allclose(held["mel"][row, :, :frames], mel, atol=1e-5)
            assert held["mel"][row, :, frames:] == pytest.approx(numpy.log(1e-5))
            assert held["mel_mask"][row].tolist() == [frame < frames for frame in range(held["mel"].shape[2])]
            count = held["token_lengths"][row]
            assert held["tokens"][row, :count].tolist() == tokens[clip]
            assert not held["tokens"][row, count:].any()
            assert held["token_mask"][row].sum() == count
            assert loader.speakers[held["speakers"][row]] == f"speaker{int(clip[1:]) % 2}"
            seen.add(clip)
    assert seen == set(lines)


def test_fields_have_their_types_and_shapes(load):
    loader = load()
    batch = next(iter(loader))
    shapes = {name: (array.dtype, array.shape) for name, array in batch.items()}
    clips, n_mels, frames = batch.mel.shape
    length = batch.tokens.shape[1]
    assert (clips, n_mels) == (8, 80) and len(batch) == 8
    assert shapes == {
        "mel": ("float32", (8, 80, frames)), "tokens": ("int32", (8, length)), "mel_mask": ("bool", (8, frames)),
        "token_mask": ("bool", (8, length)), "mel_lengths": ("int32", (8,)), "token_lengths": ("int32", (8,)),
        "speakers": ("int32", (8,)), "languages": ("int32", (8,))}
    assert {"batch_size": 8, "tokens": length, "frames": frames} == loader.buckets[batch.bucket]
    assert batch.real_frames == numpy.from_dlpack(batch.mel_lengths).sum()
    assert (batch.epoch, batch.index, batch.step) == (0, 0, 0)
    assert dict(batch).keys() == set(batch.keys())
    with pytest.raises(KeyError):
        batch["pitch"]


def test_the_reference_loader_gives_the_same_batches(load):
    native, plain = load(), load(config={"data.native_loading": False})
    for (ids, one), (others, other) in zip(take(native, 8), take(plain, 8)):
        assert ids == others
        for name in one:
            numpy.testing.assert_allclose(one[name], other[name], atol=1e-4)


def test_every_epoch_has_each_clip_and_an_order_of_its_own(load):
    loader = load()
    orders = []
    for epoch in range(3):
        assert loader.epoch == epoch
        batches = [(batch.ids, batch.repeats) for batch in loader]
        assert len(batches) == len(loader) == 5
        clips = [clip for ids, repeats in batches for clip in ids[:len(ids) - repeats]]
        assert len(clips) == len(set(clips)) == 40
        orders.append(clips)
    assert len({tuple(order) for order in orders}) == 3


def test_order_is_a_function_of_the_seed(load):
    assert_equal(take(load(num_workers=1), 7), take(load(num_workers=3), 7))
    assert [ids for ids, _ in take(load(seed=6), 7)] != [ids for ids, _ in take(load(), 7)]


def test_ranks_share_a_batch_by_rows(load):
    whole = take(load(batch_size=8), 10)
    halves = [take(load(batch_size=4, rank=rank, world_size=2), 10) for rank in (0, 1)]
    for (ids, _), (even, _), (odd, _) in zip(whole, *halves):
        assert ids == [clip for pair in zip(even, odd) for clip in pair]


def test_ranks_are_those_of_torchrun(load, monkeypatch):
    for name, value in (("RANK", "1"), ("WORLD_SIZE", "2"), ("LOCAL_WORLD_SIZE", "2")):
        monkeypatch.setenv(name, value)
    loader = load(batch_size=4)
    assert (loader.rank, loader.world_size) == (1, 2)
    assert (load(rank=0, world_size=1).world_size) == 1


def test_numbers_of_a_launcher_that_are_none_are_named(load, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "x")
    with pytest.raises(seda.UsageError, match="RANK: expected an integer in the environment, found 'x'"):
        load()
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "")
    with pytest.raises(seda.UsageError, match="LOCAL_WORLD_SIZE: expected an integer in the environment, found ''"):
        load()
    assert load(rank=0, world_size=1).world_size == 1  # nobody to share the cores with


def test_ranks_are_those_of_torch_where_its_processes_are_joined(load, monkeypatch):
    distributed = types.SimpleNamespace(is_available=lambda: True, is_initialized=lambda: True, get_rank=lambda: 1,
                                        get_world_size=lambda: 2)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(distributed=distributed))
    loader = load(batch_size=4)
    assert (loader.rank, loader.world_size) == (1, 2)
    distributed.is_initialized = lambda: False
    assert load().world_size == 1


@pytest.mark.parametrize("done", [0, 1, 4, 5, 7, 10])
def test_a_state_goes_on_with_the_same_batches(load, done):
    whole = load()
    first = take(whole, done)
    state = json.loads(json.dumps(whole.state_dict()))  # plain numbers
    wanted = take(whole, 8)
    for resumed in (load(), load(num_workers=3)):
        take(resumed, 2)
        resumed.load_state_dict(state)
        assert resumed.state_dict() == state
        assert_equal(take(resumed, 8), wanted)
    assert len(first) == done


def test_a_state_after_the_last_batch_goes_on_with_the_next_epoch(load):
    loader = load()
    for batch in loader:
        state = loader.state_dict()  # as it is saved inside the loop
    assert (state["epoch"], state["batch"]) == (1, 0)
    for saved in (state, {**state, "epoch": 0, "batch": 5}):
        resumed = load()
        resumed.load_state_dict(saved)
        assert resumed.epoch == 1
        assert [batch.epoch for batch in resumed] == [1] * 5
    del batch


def test_an_epoch_is_over_after_its_last_batch(load):
    """However a loop ends, the next has the whole next epoch."""
    loader = load()
    for _ in zip(range(5), loader):
        pass
    assert len([batch.ids for batch in loader]) == 5
    for batch in loader:
        if batch.index == 4:
            break
    assert [batch.epoch for batch in loader] == [3] * 5
    iterator = iter(loader)
    assert [next(iterator).index for _ in range(5)] == list(range(5))
    assert next(iterator, None) is None and next(iterator, None) is None


def test_a_budget_of_frames_fills_each_shape(load):
    loader = load(batch_size=None, batch_frames=120)
    assert loader.batch_frames == 120 and load().batch_frames is None
    sizes = {bucket["frames"]: bucket["batch_size"] for bucket in loader.buckets}
    assert sizes == {frames: max(1, 120 // frames) for frames in sizes}
    assert loader.batch_size == max(sizes.values())
    for batch in loader:
        assert len(batch.ids) == sizes[batch.mel.shape[2]]
    loader.close()
    assert loader.batch_size == max(sizes.values())
    assert_equal(take(load(batch_size=None, batch_frames=120, num_workers=1), 9),
                 take(load(batch_size=None, batch_frames=120, num_workers=3), 9))


def test_a_state_of_a_budget_of_frames_goes_on_with_it_alone(load):
    whole = load(batch_size=None, batch_frames=120)
    take(whole, 3)
    state = json.loads(json.dumps(whole.state_dict()))
    resumed = load(batch_size=None, batch_frames=120)
    resumed.load_state_dict(state)
    assert_equal(take(resumed, 5), take(whole, 5))
    for arguments, word in (({"batch_frames": 128}, "batch_frames: 120 there, 128 here"),
                            ({"batch_frames": 120, "rank": 0, "world_size": 2}, "ranks: 1 there, 2 here"),
                            ({"batch_size": 8}, "batch_size: None there, 8 here")):
        with pytest.raises(seda.ConfigError, match=word):
            load(**{"batch_size": None, **arguments}).load_state_dict(state)


def test_a_state_of_another_order_is_refused_by_name(load):
    state = load().state_dict()
    for arguments, word in (({"seed": 9}, "seed: 5 there, 9 here"), ({"batch_size": 4}, "batch_size: 8 there, 4 here"),
                            ({"shuffle": False}, "shuffle")):
        with pytest.raises(seda.ConfigError, match=word):
            load(**arguments).load_state_dict(state)
    with pytest.raises(seda.ConfigError, match="at most 5, found 0, 6"):
        load().load_state_dict({**state, "batch": 6})
    with pytest.raises(seda.ConfigError, match="version"):
        load().load_state_dict({})
    halves = load(batch_size=4, rank=0, world_size=2)
    halves.load_state_dict(state)  # of all ranks the batch is the same


def test_a_state_of_other_clips_or_buckets_is_refused(load, corpus, tmp_path):
    """Where there are as many clips and batches."""
    state = load().state_dict()
    same = shutil.copytree(corpus, tmp_path / "same", ignore=shutil.ignore_patterns(".seda"))
    others = shutil.copytree(same, tmp_path / "others")
    lines = (others / "metadata.csv").read_text()
    (others / "wavs/c007.wav").rename(others / "wavs/d007.wav")
    (others / "metadata.csv").write_text(lines.replace("c007", "d007"))
    with make_loader(same) as loader:
        loader.load_state_dict(state)
    with make_loader(others) as loader, pytest.raises(seda.ConfigError, match="other clips there"):
        loader.load_state_dict(state)
    with pytest.raises(seda.ConfigError, match="the same in other buckets"):
        load(config={"data.num_buckets": 2}).load_state_dict(state)


def test_a_loop_that_was_left_is_gone_on_with(load):
    wanted = [ids for ids, _ in take(load(), 5)]
    loader = load()
    found = []
    for batch in loader:
        found.append(batch.ids)
        if len(found) == 2:
            break
    found += [batch.ids for batch in loader]
    assert found == wanted


def test_set_epoch_goes_to_its_start(load):
    whole = load()
    wanted = [[batch.ids for batch in whole] for _ in range(3)]
    loader = load()
    next(iter(loader))
    loader.set_epoch(2)
    assert [batch.ids for batch in loader] == wanted[2]
    loader.set_epoch(0)
    assert [batch.ids for batch in loader] == wanted[0]
    loader.set_epoch(1)  # where it is already
    assert [batch.ids for batch in loader] == wanted[1]


def test_validation_comes_in_order(load):
    config = {"data.validation_share": 0.4}
    train, validation = load(config=config), load(config=config, split="validation", batch_size=4)
    first, second = ([batch.ids for batch in validation] for _ in range(2))
    assert first == second
    fed = {clip for ids in first for clip in ids}
    assert fed and not fed & {clip for batch in train for clip in batch.ids}


def test_no_cache_reads_the_files(load, tmp_path):
    cached, raw = load(), load(prepare=False, cache_dir=tmp_path / "none")
    assert not (tmp_path / "none").exists()
    for (ids, one), (others, other) in zip(take(cached, 5), take(raw, 5)):
        assert ids == others
        numpy.testing.assert_allclose(one["mel"], other["mel"], atol=1e-4)


def test_a_file_and_arguments_over_it(load, corpus, tmp_path):
    file = tmp_path / "voice.yaml"
    file.write_text(json.dumps(seda.settings.nested({**CONFIG, "data.batch_size": 4, "data.dataset_path": str(corpus),
                                                     "data.model_gpu": "cpu"})))
    with seda.Loader(config=file) as loader, seda.Loader(config=str(file), batch_size=8) as other:
        assert len(next(iter(loader))) == 4
        assert len(next(iter(other))) == 8


def test_arrays_of_numpy_and_torch(load):
    torch = pytest.importorskip("torch")
    with pytest.raises(seda.UsageError, match="output: expected dlpack, numpy, torch, jax"):
        load(output="tensorflow")
    with pytest.raises(seda.UsageError, match="numpy.*needs batches on the CPU, found data.model_gpu 0"):
        load(output="numpy", device="cuda:0")
    one, other, plain = load(output="numpy", device=None), load(output="torch"), load()
    assert one.device == "cpu" and one.batch_size == 8
    for a, b, c in zip(one, other, plain):
        assert isinstance(a.mel, numpy.ndarray) and isinstance(b.mel, torch.Tensor)
        assert b.mel is b["mel"]
        for name in c.keys():
            numpy.testing.assert_array_equal(a[name], b[name].numpy())
            numpy.testing.assert_array_equal(a[name], numpy.from_dlpack(c[name]))


def test_arrays_stay_good_while_they_are_held(load):
    loader = load()
    kept = [numpy.from_dlpack(next(iter(loader)).mel) for _ in range(3)]
    copies = [mel.copy() for mel in kept]
    for _ in range(3):
        for batch in loader:
            pass
    del batch
    loader.close()
    del loader
    for mel, copy in zip(kept, copies):
        numpy.testing.assert_array_equal(mel, copy)


def test_a_loader_whose_slots_are_all_held_says_so(load):
    loader = load()
    kept = []
    with pytest.raises(seda.UsageError, match=rf"all {loader.slots} slots of .* more slots than such threads") as raised:
        for _ in range(4):
            kept.extend(loader)
    assert len(kept) == loader.slots == loader.statistics()["held"]
    assert raised.value.kind == "usage"
    ids = kept.pop().ids
    assert next(iter(loader)).ids != ids
    assert loader.statistics()["held"] == len(kept)


def test_threads_share_the_batches(load):
    loader = load()
    found, lock = [], threading.Lock()

    def work():
        for batch in loader:
            with lock:
                found.append((batch.epoch, batch.index, numpy.from_dlpack(batch.mel).sum()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    epochs = {epoch for epoch, _, _ in found}
    assert sorted((epoch, index) for epoch, index, _ in found) == [(e, i) for e in sorted(epochs) for i in range(5)]
    assert loader.epoch == len(epochs)


def test_others_may_take_batches_while_one_goes_elsewhere(load):
    loader = load()
    stopping, wrong = threading.Event(), []

    def work():
        try:
            while not stopping.is_set():
                for batch in loader:
                    pass
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for epoch in range(100):
        loader.set_epoch(2 * epoch)
        assert loader.statistics()["slots"] == loader.slots
    stopping.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_loader_that_cannot_go_elsewhere_stays_where_it_was(load):
    loader = load()
    ids = [next(iter(loader)).ids for _ in range(2)]
    with pytest.raises(seda.CheckFailed, match="batches in an epoch"):
        loader._native.seek((0, 1000))
    assert loader.state_dict()["batch"] == 2
    ids += [batch.ids for batch in loader]
    assert ids == [batch.ids for batch in load()]


def test_statistics_and_faults(load):
    loader = load()
    for batch in loader:
        pass
    del batch
    counted = loader.statistics()
    assert (counted["batches"], counted["clips"], counted["held"]) == (5, 40, 0)
    assert counted["stages"][0]["name"] == "read"
    assert loader.faults() == []
    assert loader.mel["n_mels"] == 80
    loader.set_workers(1)


def test_bad_clips_are_replaced_and_told(tmp_path):
    from corpus import make_corpus, make_loader

    folder = make_corpus(tmp_path / "voice", 20)
    (folder / "wavs/c003.wav").write_bytes(b"RIFF")
    config = {"data.max_fault_share": 0.5, "debug.inject": ["bad_clips=0.2"]}
    seda.set_log_level("off")  # planted faults have a banner
    with make_loader(folder, config=config) as loader:
        fed = [(batch.ids, batch.replaced) for batch in loader]
        faults = {fault["id"] for fault in loader.faults()}
        assert "c003" in faults and len(faults) == 1 + sum(replaced for _, replaced in fed)
        assert not faults & {clip for ids, _ in fed for clip in ids}
    seda.set_log_level("warning")
    with pytest.raises(seda.CheckFailed, match="max_fault_share"):
        with make_loader(folder, config={"data.max_fault_share": 0.0}) as loader:
            list(batch.ids for batch in loader)


def test_a_closed_loader_says_so(load):
    loader = load()
    loader.close()
    loader.close()
    with pytest.raises(seda.UsageError, match="closed"):
        next(iter(loader))
    assert repr(loader) == "seda.Loader(closed)" and loader
