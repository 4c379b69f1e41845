#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a cache folder with nothing but its description (docs/cache_format.md) and the standard library.

    read_cache.py FOLDER

Checks sizes, layout, order and bounds, and checksums where the `xxhash` package is there. Prints one line per record:
table, key, type, dims, content, the last in hexadecimal. Of a key that is in several parts, the newest.
"""
import json
import struct
import sys
from pathlib import Path

try:
    import xxhash
except ImportError:
    xxhash = None

TYPES = {0: ("raw", 0), 1: ("int8", 1), 2: ("uint8", 1), 3: ("int16", 2), 4: ("int32", 4), 5: ("int64", 8),
         6: ("float16", 2), 7: ("bfloat16", 2), 8: ("float32", 4), 9: ("float64", 8)}


def xxh3(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed)


def read_manifest(folder):
    data = (folder / "MANIFEST.json").read_bytes()
    manifest = json.loads(data)
    assert manifest["seda_cache"] == 1
    if xxhash:
        body = data[:data.rindex(b'"checksum"')]
        assert manifest["checksum"] == f"{xxh3(body):016x}"
    return manifest


def read_entry(block, seed, end):
    high, low, offset, size, checksum, *dims = struct.unpack("<5Q4I", block[:56])
    rank, kind = block[62], block[63]
    name, width = TYPES[kind]
    assert rank <= 4 and not any(dims[rank:])
    assert offset % 64 == 0 and 64 <= offset <= end and size <= end - offset
    elements = 1
    for dim in dims[:rank]:
        elements *= dim
    assert width == 0 or size == elements * width
    if xxhash:
        assert int.from_bytes(block[56:62], "little") == xxh3(block[:56] + bytes(6) + block[62:], seed) % 2**48
    return (high, low), offset, size, checksum, name, dims[:rank]


def read_part(path, table, part):
    data = path.read_bytes()
    assert len(data) == part["bytes"]
    magic, version, header_size, high, low, number = struct.unpack("<8s2I3Q", data[:40])
    assert magic == b"SEDAPART" and version == 1 and header_size == 64 and not any(data[40:56])
    assert f"{high:016x}{low:016x}" == table["fingerprint"]
    assert path.name == f"{table['name']}-{high:016x}"[:-8] + f"-{number:016x}.part"
    magic, count, end, index, size, payload, header_checksum = struct.unpack("<8s6Q", data[-64:-8])
    seed, = struct.unpack("<Q", data[56:64])
    assert magic == b"SEDAPEND" and count == part["records"] and size == len(data) and header_checksum == seed
    assert index == (end + 63) // 64 * 64 == len(data) - 64 * (count + 1)
    if xxhash:
        assert seed == xxh3(data[:56]) and struct.unpack("<Q", data[-8:])[0] == xxh3(data[-64:-8])
    entries = [read_entry(data[index + 64 * i:index + 64 * (i + 1)], seed, end) for i in range(count)]
    assert all(a[0] < b[0] for a, b in zip(entries, entries[1:])) and payload == sum(e[2] for e in entries)
    for key, offset, size, checksum, name, dims in entries:
        content = data[offset:offset + size]
        assert not xxhash or xxh3(content) == checksum
        yield key, name, dims, content.hex()


def main():
    folder = Path(sys.argv[1])
    for table in read_manifest(folder)["tables"]:
        records = {}
        for part in table["parts"]:
            records.update({record[0]: record[1:] for record in read_part(folder / part["file"], table, part)})
        for (high, low), (name, dims, content) in sorted(records.items()):
            print(table["name"], f"{high:016x}{low:016x}", name, ",".join(map(str, dims)) or "-", content or "-")


if __name__ == "__main__":
    main()
