#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Log-mel spectrograms by torchaudio and librosa: what mel_bench and mel_cuda_bench are held against.

Rows 4 and 5 of bench/README.md, the peers' side.

Same definition (22.05 kHz, 1024/256/80, magnitude, natural logarithm), same sizes: one clip of 10 s on one thread, and
256 clips of 10 s from 16-bit samples on the GPU. Prints {"rows": [...]} for report.py; a package or a GPU that is not
there is named on stderr.
"""
import json
import statistics
import sys
import time

RATE, SECONDS, CLIPS, RUNS = 22050, 10, 256, 25


def row(name, seconds, audio_seconds):
    ordered = sorted(seconds)
    median = statistics.median(ordered)
    return {"name": name, "unit": "ms", "median": median * 1e3, "p90": ordered[int(len(ordered) * 0.9)] * 1e3,
            "runs": len(ordered), "real_time_factor": audio_seconds / median}


def timed(work, wait=lambda: None):
    for _ in range(3):
        work()
    seconds = []
    for _ in range(RUNS):
        wait()
        begin = time.perf_counter()
        work()
        wait()
        seconds.append(time.perf_counter() - begin)
    return seconds


def torchaudio_mel(device):
    import torch
    import torchaudio

    transform = torchaudio.transforms.MelSpectrogram(
        RATE, n_fft=1024, hop_length=256, n_mels=80, f_min=0, f_max=8000, power=1, center=False, norm="slaney",
        mel_scale="slaney").to(device)

    def apply(samples):
        floats = torch.nn.functional.pad((samples.float() / 32768).unsqueeze(1), (384, 384), mode="reflect").squeeze(1)
        return torch.log(torch.clamp(transform(floats), min=1e-5))

    return apply


def torchaudio_rows():
    import torch

    torch.set_num_threads(1)
    with torch.inference_mode():
        clip = torch.randint(-8192, 8192, (1, RATE * SECONDS), dtype=torch.int16)
        mel = torchaudio_mel("cpu")
        yield row("mel_peers/torchaudio_cpu_one_thread", timed(lambda: mel(clip)), SECONDS)
        if not torch.cuda.is_available():
            print("mel_peers: no GPU for torchaudio", file=sys.stderr)
            return
        clips = torch.randint(-8192, 8192, (CLIPS, RATE * SECONDS), dtype=torch.int16, device="cuda")
        mel = torchaudio_mel("cuda")
        yield row("mel_peers/torchaudio_cuda", timed(lambda: mel(clips), torch.cuda.synchronize), CLIPS * SECONDS)


def librosa_rows():
    import librosa
    import numpy as np

    clip = np.random.default_rng(1).integers(-8192, 8192, RATE * SECONDS).astype(np.int16)
    bank = librosa.filters.mel(sr=RATE, n_fft=1024, n_mels=80, fmin=0, fmax=8000)

    def apply():
        padded = np.pad(clip.astype(np.float32) / 32768, 384, mode="reflect")
        spectrum = np.abs(librosa.stft(padded, n_fft=1024, hop_length=256, center=False))
        return np.log(np.maximum(bank @ spectrum, 1e-5))

    yield row("mel_peers/librosa_cpu", timed(apply), SECONDS)


def main():
    rows = []
    for peer in (torchaudio_rows, librosa_rows):
        try:
            rows += peer()
        except ImportError as error:
            print(f"mel_peers: {error}; scripts/setup.sh peers installs it", file=sys.stderr)
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
