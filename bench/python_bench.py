#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clips/s of `for batch in seda.Loader(...)` in Python, beside a PyTorch DataLoader on the same prepared corpus.

    bench/python_bench.py [--corpus FOLDER] [--clips 1000] [--workers 1,2,4] [--device cpu]

Both start from mels and token ids that were made before: seda from its cache, the DataLoader from one .npy file a clip, as
projects keep them, padded by its collate function. Batches of 32; all arrays are taken as torch tensors and, on a GPU, on
it; one epoch to warm up, then three. `python/next` is the time of one `next` with all eight tensors, when a batch is ready.
FOLDER is the corpus of loader_bench (also SEDA_LOADER_CORPUS), else one of noise is made. Prints {"rows": [...]} for
report.py; what is missing is named on stderr.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
import time
import wave
from pathlib import Path

RATE, BATCH, EPOCHS = 22050, 32, 3
SETTINGS = {"data.text": {"phonemes": False, "tokenizer": "characters"}, "data.preprocessing_mode": "precompute",
            "data.max_mel_frames": 1000, "data.validation_share": 0}


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default=os.environ.get("SEDA_LOADER_CORPUS"))
    parser.add_argument("--clips", type=int, default=1000, help="of a corpus that is made")
    parser.add_argument("--workers", default=None, help="numbers of workers to try [1, 2 and all cores]")
    parser.add_argument("--device", default=None, help="[the first GPU, else cpu]")
    return parser.parse_args()


def make_corpus(folder, clips):
    """Noise of 1.1 to 10.1 s, 6.6 on average, and a line for each."""
    import numpy

    random = numpy.random.default_rng(1)
    (folder / "wavs").mkdir(parents=True)
    lines = []
    for clip in range(clips):
        seconds = 1.1 + 9 * random.beta(2.2, 1.4)
        samples = (random.standard_normal(int(seconds * RATE)) * 3000).astype("<i2")
        with wave.open(str(folder / f"wavs/n{clip:05}.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(samples.tobytes())
        lines.append(f"n{clip:05}|" + "noise and nothing else " * max(1, int(seconds)))
    (folder / "metadata.csv").write_text("\n".join(lines) + "\n")


def write_arrays(loader, folder):
    """What the loader feeds, a file for each clip: the peer's prepared corpus."""
    import numpy

    lengths = {}
    for batch in loader:
        mel, tokens = numpy.from_dlpack(batch.mel), numpy.from_dlpack(batch.tokens)
        frames, count = numpy.from_dlpack(batch.mel_lengths), numpy.from_dlpack(batch.token_lengths)
        for row, clip in enumerate(batch.ids):
            numpy.save(folder / f"{clip}.mel.npy", mel[row, :, :frames[row]])
            numpy.save(folder / f"{clip}.tokens.npy", tokens[row, :count[row]])
            lengths[clip] = int(frames[row])
    return sorted(lengths)


def make_dataset(folder, clips):
    import numpy
    import torch

    class Prepared(torch.utils.data.Dataset):
        def __len__(self):
            return len(clips)

        def __getitem__(self, index):
            clip = clips[index]
            return (torch.from_numpy(numpy.load(folder / f"{clip}.mel.npy")),
                    torch.from_numpy(numpy.load(folder / f"{clip}.tokens.npy")))

    return Prepared()


def collate(clips):
    import math

    import torch

    mel_lengths = torch.tensor([mel.shape[1] for mel, _ in clips])
    token_lengths = torch.tensor([len(tokens) for _, tokens in clips])
    mels = torch.full((len(clips), clips[0][0].shape[0], int(mel_lengths.max())), math.log(1e-5))
    tokens = torch.zeros(len(clips), int(token_lengths.max()), dtype=torch.int32)
    for row, (mel, ids) in enumerate(clips):
        mels[row, :, :mel.shape[1]] = mel
        tokens[row, :len(ids)] = ids
    mel_mask = torch.arange(mels.shape[2]) < mel_lengths[:, None]
    token_mask = torch.arange(tokens.shape[1]) < token_lengths[:, None]
    return mels, tokens, mel_mask, token_mask, mel_lengths, token_lengths


def synchronize(device):
    import torch

    if device != "cpu":
        torch.cuda.synchronize()


def seconds_per_clip(epoch, device):
    """One epoch to warm up, then those that count."""
    epoch()
    out = []
    for _ in range(EPOCHS):
        begin = time.perf_counter()
        clips = epoch()
        synchronize(device)
        out.append((time.perf_counter() - begin) / clips)
    return out


def measure_seda(corpus, workers, device):
    import seda

    with seda.Loader(corpus, batch_size=BATCH, device=device, num_workers=workers, config=SETTINGS,
                     output="torch") as loader:

        def epoch():
            clips = 0
            for batch in loader:
                clips += len(list(batch.values())[0])
            return clips

        return seconds_per_clip(epoch, device)


def measure_next(corpus, device):
    """Seconds of each `next`, with time for the loader to be ahead."""
    import seda

    out = []
    with seda.Loader(corpus, batch_size=BATCH, device=device, config=SETTINGS, output="torch") as loader:
        for epoch in range(1 + EPOCHS):
            batches = iter(loader)
            for _ in range(len(loader)):
                time.sleep(0.02)
                begin = time.perf_counter()
                arrays = list(next(batches).values())
                if epoch > 0:
                    out.append(time.perf_counter() - begin)
                del arrays
    return out


def measure_dataloader(dataset, workers, device):
    import torch

    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(dataset, batch_size=BATCH, shuffle=True, drop_last=True, num_workers=workers,
                                         collate_fn=collate, pin_memory=device != "cpu", persistent_workers=workers > 0)

    def epoch():
        clips = 0
        for batch in loader:
            batch = [array.to(device, non_blocking=True) for array in batch]
            clips += batch[0].shape[0]
        return clips

    return seconds_per_clip(epoch, device)


def row(name, seconds, unit="us/clip"):
    ordered = sorted(seconds)
    median = statistics.median(ordered)
    return {"name": name, "unit": unit, "median": median * 1e6, "p90": ordered[int(len(ordered) * 0.9)] * 1e6,
            "runs": len(ordered), **({"items_per_second": 1 / median} if unit == "us/clip" else {})}


def rows_of(corpus, folder, counts, device):
    import seda

    seda.prepare(corpus, config=SETTINGS)
    with seda.Loader(corpus, batch_size=BATCH, device="cpu", config=SETTINGS) as loader:
        clips = write_arrays(loader, folder)
    rows = [row("python/next", measure_next(corpus, device), "us")]
    for workers in counts:
        rows.append(row(f"python/seda/workers:{workers}", measure_seda(corpus, workers, device)))
        print(rows[-1], file=sys.stderr, flush=True)
    dataset = make_dataset(folder, clips)
    peers = []
    for workers in (0, *counts):
        peers.append(row(f"python_peers/dataloader/workers:{workers}", measure_dataloader(dataset, workers, device)))
        print(peers[-1], file=sys.stderr, flush=True)
    return [*rows, *peers, {**min(peers, key=lambda each: each["median"]), "name": "python_peers/best"}]


def main():
    arguments = read_arguments()
    rows = []
    try:
        import torch

        import seda

        seda.set_log_level("error")
        cores = len(os.sched_getaffinity(0))
        counts = [int(count) for count in arguments.workers.split(",")] if arguments.workers else sorted({1, 2, cores})
        device = arguments.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(arguments.corpus) if arguments.corpus else Path(folder) / "corpus"
            if not (corpus / "metadata.csv").exists():
                make_corpus(corpus, arguments.clips)
            arrays = Path(folder) / "arrays"
            arrays.mkdir()
            rows = rows_of(corpus, arrays, counts, device)
    except ImportError as error:
        print(f"python_bench: {error}; scripts/setup.sh python torch installs it", file=sys.stderr)
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
