#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small HiFi-GAN generator with random weights, in plain PyTorch: make_hifigan.py FOLDER RESBLOCK. Exit code 77: there is
no torch.

Writes generator.pth and config.json as they are published, and mel.f32 [n_mels, frames] and sound.f32 [samples].
"""
import ctypes
import json
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
try:
    import torch
    from torch import nn
    from torch.nn.functional import leaky_relu
    from torch.nn.utils import weight_norm
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

CONFIG = {"upsample_rates": [4, 3], "upsample_kernel_sizes": [8, 6], "upsample_initial_channel": 16,
          "resblock_kernel_sizes": [3, 5], "resblock_dilation_sizes": [[1, 3], [1, 2]], "num_mels": 8, "n_fft": 48,
          "hop_size": 12, "win_size": 48, "sampling_rate": 8000, "fmin": 0, "fmax": None}
FRAMES = 11


def padding(kernel, dilation):
    return (kernel * dilation - dilation) // 2


def convolution(channels, kernel, dilation):
    return weight_norm(nn.Conv1d(channels, channels, kernel, 1, dilation=dilation, padding=padding(kernel, dilation)))


class Block1(nn.Module):
    def __init__(self, channels, kernel, dilations):
        super().__init__()
        self.convs1 = nn.ModuleList(convolution(channels, kernel, d) for d in dilations)
        self.convs2 = nn.ModuleList(convolution(channels, kernel, 1) for _ in dilations)

    def forward(self, x):
        for first, second in zip(self.convs1, self.convs2):
            x = second(leaky_relu(first(leaky_relu(x, 0.1)), 0.1)) + x
        return x


class Block2(nn.Module):
    def __init__(self, channels, kernel, dilations):
        super().__init__()
        self.convs = nn.ModuleList(convolution(channels, kernel, d) for d in dilations)

    def forward(self, x):
        for one in self.convs:
            x = one(leaky_relu(x, 0.1)) + x
        return x


class Generator(nn.Module):
    def __init__(self, config, block):
        super().__init__()
        channels = config["upsample_initial_channel"]
        kernels = list(zip(config["resblock_kernel_sizes"], config["resblock_dilation_sizes"]))
        self.kernels = len(kernels)
        self.conv_pre = weight_norm(nn.Conv1d(config["num_mels"], channels, 7, 1, padding=3))
        self.ups, self.resblocks = nn.ModuleList(), nn.ModuleList()
        for rate, kernel in zip(config["upsample_rates"], config["upsample_kernel_sizes"]):
            self.ups.append(weight_norm(nn.ConvTranspose1d(channels, channels // 2, kernel, rate,
                                                           padding=(kernel - rate) // 2)))
            channels //= 2
            self.resblocks.extend(block(channels, *sizes) for sizes in kernels)
        self.conv_post = weight_norm(nn.Conv1d(channels, 1, 7, 1, padding=3))

    def forward(self, x):
        x = self.conv_pre(x)
        for i, up in enumerate(self.ups):
            x = up(leaky_relu(x, 0.1))
            x = sum(self.resblocks[i * self.kernels + j](x) for j in range(self.kernels)) / self.kernels
        return torch.tanh(self.conv_post(leaky_relu(x)))


def write(path, tensor):
    tensor = tensor.contiguous()
    path.write_bytes(ctypes.string_at(tensor.data_ptr(), 4 * tensor.numel()))


def main():
    folder, resblock = Path(sys.argv[1]), sys.argv[2]
    torch.manual_seed(7)
    torch.set_num_threads(1)
    generator = Generator(CONFIG, Block1 if resblock == "1" else Block2)
    with torch.no_grad():
        for weight in generator.parameters():
            weight.mul_(1.5).add_(0.05)  # so that gains are not the norms they begin as
        mel = torch.randn(1, CONFIG["num_mels"], FRAMES)
        sound = generator(mel)[..., :FRAMES * CONFIG["hop_size"]]  # a kernel less its rate may be odd: a sample more
    write(folder / "mel.f32", mel)
    write(folder / "sound.f32", sound)
    torch.save({"generator": generator.state_dict()}, folder / "generator.pth")
    (folder / "config.json").write_text(json.dumps(CONFIG | {"resblock": resblock}), encoding="utf-8")


main()
