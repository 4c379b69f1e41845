#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges speech by machines, the source voice beside it.

Rows 23 and 24 of bench/README.md, beside recordings of the source voice.

    bench/speech_quality/run.py LINES --voice CHECKPOINT [--seda PROGRAM] [--source WAVS] [-- FLAGS OF SYNTH]
    bench/speech_quality/run.py LINES --wavs FOLDER [--source WAVS]

LINES has a line `id|text` for each clip (more columns do not matter), or a text alone, which is then clip 0001, 0002, … With
`--voice`, `seda synth` speaks them first. `--source` is a folder of recordings of the voice it learned; those named as lines
are also held against them one by one.

- Word errors: pocketsphinx with the en-us model that it brings, or with `--words` of a grammar; what it hears wrong in the
  recordings is not the voice's fault.
- Likeness: cosine of Resemblyzer's embeddings with the source's mean, over that of the source's clips with each other.
- DNSMOS: overall quality by a network, 1 to 5.
- Pitch: semitones between the 5th and the 95th hundredth of a clip.
- Durations: mean of |log(spoken / recorded)|. Mels: dB between them, along the best path through time.

A table on stdout, or `--json`. What listens is installed by `scripts/setup.sh judges`; nothing is fetched while it runs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HOME = Path(os.environ.get("SEDA_HOME", Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "seda"))
TORCH = os.environ.get("SEDA_TORCH") or next((str(path) for path in sorted(HOME.glob("torch-*"), reverse=True)), "")
sys.path[:0] = [str(HOME / "judges"), TORCH]
sys.path.insert(0, str(Path(__file__).resolve().parent))
warnings.filterwarnings("ignore")
try:
    import judges
    import sounds
except ImportError as error:
    sys.exit(f"speech_quality: {error}; run scripts/setup.sh judges")

MORE_WORD_ERRORS = 0.03  # than the source has,
LEAST_LIKENESS = 0.95  # of the source's own,
LESS_QUALITY = 0.3  # than the source: what is asked of a voice


def speak(flags, texts, folder):
    """Wavs of the texts, and how fast they came."""
    lines = folder / "lines.txt"
    lines.write_text("\n".join(texts.values()) + "\n", encoding="utf-8")
    command = [flags.seda, "synth", "--file", str(lines), "--checkpoint", flags.voice, "--output", str(folder / "spoken"), "--json",
               "--quiet", *flags.synth]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"speech_quality: {' '.join(command)}\n{done.stderr[-2000:]}")
    spoken = json.loads(done.stdout)
    paths = [output["path"] for output in spoken["outputs"]]
    if len(paths) != len(texts):
        sys.exit(f"speech_quality: expected {len(texts)} wavs from seda synth, found {len(paths)}")
    speech = {name: sounds.read_sound(path) for name, path in zip(texts, paths, strict=True)}
    return speech, {"command": command, "real_time_factor": spoken["real_time_factor"], "vocoder": spoken["vocoder"]}


def judge_one(texts, voice, words):
    heard = judges.Recogniser(words).judge(voice)
    said = {name: text for name, text in heard.items() if name in texts}
    marks = judges.word_errors(texts, said) if said else {}
    return {**marks, "dnsmos": judges.mean(judges.quality(voice)), "pitch_semitones": judges.mean(judges.pitch_ranges(voice)),
            "seconds": sum(len(samples) for samples in voice.values()) / sounds.RATE,
            "clips": {name: {"text": sounds.normalize(texts[name]), "heard": text} for name, text in said.items()}}


def judge(flags, texts, speech):
    written = sounds.write_out(texts, flags.seda) if flags.write_out else texts
    out = {"speech": judge_one(written, speech, flags.words)}
    if not flags.source:
        return out
    source = sounds.read_folder(flags.source, texts)
    others = source or sounds.read_folder(flags.source, [path.stem for path in sorted(Path(flags.source).rglob("*.wav"))[:100]])
    if not others:
        sys.exit(f"speech_quality: {flags.source}: expected wavs, found none")
    out["source"] = judge_one(written, others, flags.words)
    of_speech, of_source = judges.Likeness().judge(speech, others)
    out["speech"]["likeness"], out["source"]["likeness"] = judges.mean(of_speech), judges.mean(of_source)
    out["duration_error"] = judges.mean(judges.duration_errors(speech, source))
    out["mel_distance_db"] = judges.mean(judges.mel_distances(speech, source))
    return out


def verdicts(out):
    """What is asked of a voice, and whether it is so, where there is a source to hold it against."""
    speech, source = out["speech"], out.get("source")
    if not source:
        return {}
    wanted = {}
    if "word_error" in source:
        most = source["word_error"] + MORE_WORD_ERRORS
        wanted["word_error"] = (f"<= {most:.1%}", speech["word_error"] <= most)
    if source["likeness"]:
        least = LEAST_LIKENESS * source["likeness"]
        wanted["likeness"] = (f">= {least:.3f}", speech["likeness"] >= least)
    least = source["dnsmos"] - LESS_QUALITY
    wanted["dnsmos"] = (f">= {least:.2f}", speech["dnsmos"] >= least)
    return wanted


FORMATS = {"word_error": "{:.1%}", "character_error": "{:.1%}", "likeness": "{:.3f}", "dnsmos": "{:.2f}", "pitch_semitones": "{:.1f}",
           "seconds": "{:.0f}"}


def show(out, transcripts):
    wanted = verdicts(out)
    print("| | speech | source | wanted |\n|---|---|---|---|")
    for name, form in FORMATS.items():
        values = [out.get(voice, {}).get(name) for voice in ("speech", "source")]
        shown = ["–" if value is None else form.format(value) for value in values]
        words, met = wanted.get(name, ("", True))
        print(f"| {name.replace('_', ' ')} | {shown[0]} | {shown[1]} | {words}{'' if met else ' **missed**'} |")
    for name in ("duration_error", "mel_distance_db"):
        if out.get(name) is not None:
            print(f"| {name.replace('_', ' ')} | {out[name]:.3f} | | |")
    for name, clip in list(out["speech"]["clips"].items())[:transcripts]:
        print(f"\n{name}  {clip['text']}\n{'':{len(name)}}  {clip['heard']}")


def split_at_dashes(words):
    """What stands before `--`, and what after it."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", help="file of lines id|text, or texts")
    made = parser.add_mutually_exclusive_group(required=True)
    made.add_argument("--voice", help="checkpoint or folder of a run: speaks the lines")
    made.add_argument("--wavs", help="folder of what was spoken already, named as the lines")
    parser.add_argument("--seda", default="build/bin/seda", help="the program [%(default)s]")
    parser.add_argument("--source", help="folder of recordings of the voice")
    parser.add_argument("--words", type=lambda text: text.split(","), default=[], help="all words there are, with commas: a grammar of them")
    parser.add_argument("--write-out", action="store_true", help="numbers and abbreviations of the lines as they are said, by seda text")
    parser.add_argument("--transcripts", type=int, default=10, help="lines shown as they were heard [%(default)s]")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    own, synth = split_at_dashes(sys.argv[1:])
    flags = parser.parse_args(own)
    flags.synth = synth
    texts = sounds.read_texts(flags.lines)
    with tempfile.TemporaryDirectory() as folder:
        if flags.voice:
            speech, spoken = speak(flags, texts, Path(folder))
        else:
            speech, spoken = sounds.read_folder(flags.wavs, texts), {}
        if not speech:
            sys.exit(f"speech_quality: {flags.wavs}: expected wavs named as the lines of {flags.lines}, found none")
        out = {**spoken, **judge(flags, texts, speech)}
    if flags.json:
        print(json.dumps({**out, "wanted": {name: {"limit": limit, "met": met} for name, (limit, met) in verdicts(out).items()}}, indent=2,
                         ensure_ascii=False))
    else:
        show(out, flags.transcripts)


if __name__ == "__main__":
    main()
