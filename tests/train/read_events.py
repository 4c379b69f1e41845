#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a folder with the `tensorboard` package: read_events.py FOLDER. Exit code 77: there is no such package.

Prints one line per event that TensorBoard would show.
"""
import sys
from pathlib import Path

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    folder = sys.argv[1]
    events = EventAccumulator(folder, size_guidance={"scalars": 0, "images": 0, "audio": 0, "tensors": 0})
    events.Reload()
    tags = events.Tags()
    for tag in sorted(tags["scalars"]):
        for event in events.Scalars(tag):
            print("scalar", tag, event.step, event.wall_time, event.value)
    for tag in sorted(tags["images"]):
        for event in events.Images(tag):
            print("image", tag, event.step, event.width, event.height, event.encoded_image_string.hex())
    for tag in sorted(tags["audio"]):
        for event in events.Audio(tag):
            print("audio", tag, event.step, event.sample_rate, event.length_frames, event.content_type,
                  event.encoded_audio_string.hex())
    for tag in sorted(tags["tensors"]):
        plugin = events.SummaryMetadata(tag).plugin_data.plugin_name
        for event in events.Tensors(tag):
            print(plugin, tag, event.step, event.tensor_proto.string_val[0].decode())
    # The form in which its pages get them.
    for path in sorted(Path(folder).iterdir()):
        for event in EventFileLoader(str(path)).Load():
            for value in event.summary.value:
                print("page", value.metadata.plugin_data.plugin_name, value.tag, event.step)


if __name__ == "__main__":
    main()
