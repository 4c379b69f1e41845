#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small PyTorch trainer as many are: a DataLoader that reads WAV files and makes mels, and a Transformer on the GPU.

    seda watch -- python bench/diagnosis/torch_trainer.py CORPUS --workers 1               # the GPU starves
    seda watch -- python bench/diagnosis/torch_trainer.py CORPUS --workers 8 --width 1024  # it does not
"""
import argparse
import pathlib
import time
import wave

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

FRAMES, MELS, FFT, HOP = 512, 80, 1024, 256


class Mels(Dataset):
    """Log-mels of WAV files, cut or padded to one length."""

    def __init__(self, folder, passes):
        self.files = sorted(pathlib.Path(folder).rglob("*.wav")) * passes
        self.window = torch.hann_window(FFT)
        self.filters = torch.rand(MELS, FFT // 2 + 1) / FFT

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        with wave.open(str(self.files[index]), "rb") as file:
            samples = torch.frombuffer(bytearray(file.readframes(file.getnframes())), dtype=torch.int16)
        spectrum = torch.stft(samples.float() / 32768, FFT, HOP, window=self.window, return_complex=True).abs()
        mel = (self.filters @ spectrum).clamp(min=1e-5).log()[:, :FRAMES]
        return nn.functional.pad(mel, (0, FRAMES - mel.shape[1])).T


class Model(nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.first = nn.Linear(MELS, width)
        layer = nn.TransformerEncoderLayer(width, 8, 4 * width, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers)
        self.last = nn.Linear(width, MELS)

    def forward(self, mels):
        return self.last(self.blocks(self.first(mels)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Mels(options.corpus, passes=1000), options.batch_size, shuffle=True, num_workers=options.workers,
                        pin_memory=device == "cuda", drop_last=True)
    model = Model(options.width, options.layers).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    began, steps = time.monotonic(), 0
    for mels in loader:
        mels = mels.to(device, non_blocking=True)
        with torch.autocast(device, torch.bfloat16):
            loss = (model(mels) - mels).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
        if time.monotonic() - began > options.seconds:
            break
    print(f"{steps} steps, {steps / (time.monotonic() - began):.1f} a second, loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
