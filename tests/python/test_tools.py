# SPDX-License-Identifier: Apache-2.0
"""Text, mels, preparing, caches, diagnosis, and the program itself."""
import json
import subprocess
import sys
import wave

import numpy
import pytest

import seda
from corpus import CONFIG, make_corpus, run_python

TEXT = {"data.text": CONFIG["data.text"]}
LINES = ["Dr. Smith paid $3.50 on May 5, 1998.", "Chapter IV.", "سلام ۱۲"]


def program(*words, **options):
    return subprocess.run([sys.executable, "-m", "seda", *map(str, words)], capture_output=True, text=True, check=False,
                          **options)


def told(*words, **options):
    done = program(*words, "--json", "--quiet", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_program_is_the_same_version():
    done = program("--version")
    assert done.returncode == 0 and seda.__version__ in done.stdout
    assert json.loads(program("--version", "--json").stdout)["version"] == seda.__version__
    assert program("prepair").returncode == 2


def test_text_is_that_of_the_program(tmp_path):
    settings = tmp_path / "settings.yaml"
    settings.write_text(json.dumps(seda.settings.nested(TEXT)))
    lines = told("text", "--config", settings, input="\n".join(LINES))["lines"]
    assert seda.text.Frontend(config=TEXT).lines(LINES) == lines
    assert seda.text.normalize(LINES) == [line["normalized"] for line in lines]
    assert seda.text.tokens(LINES[0], config=TEXT) == lines[0]["tokens"]
    assert seda.text.normalize(LINES[1]) == "Chapter four."
    assert seda.text.tokens([], config=TEXT) == []


def test_a_language_can_be_said():
    assert seda.text.normalize("12", language="de") == "zwölf"
    with pytest.raises(seda.UsageError, match="stage: expected normalize, phonemes or tokens"):
        seda.text.Frontend("words")


def test_phonemes_are_those_of_the_program():
    done = program("text", "--stage", "phonemes", "--language", "en", "--quiet", input="Hello there.")
    if done.returncode != 0:
        pytest.skip(done.stderr)
    assert seda.text.phonemes("Hello there.", language="en") == done.stdout.rstrip("\n")


def test_pieces_are_found_beside_the_package(tmp_path):
    """The library that learns pieces is opened from the package."""
    folder = make_corpus(tmp_path / "voice", 60)
    report = seda.prepare(folder, config={"data.text": {"phonemes": False, "tokenizer": "sentencepiece",
                                                        "vocabulary_size": 64}})
    assert report["clips"] == 60
    assert seda.Cache(folder).stat()["tokenizer"]["kind"] == "sentencepiece"


def samples_of(file):
    with wave.open(str(file)) as sound:
        return numpy.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2")


def test_a_mel_is_that_of_the_program(corpus, tmp_path):
    file = corpus / "wavs/c007.wav"
    told("mel", file, "--output", tmp_path / "mel.npy")
    wanted = numpy.load(tmp_path / "mel.npy")
    samples = samples_of(file)
    numpy.testing.assert_array_equal(seda.mel(file), wanted)
    numpy.testing.assert_array_equal(seda.mel(samples), wanted)
    numpy.testing.assert_allclose(seda.mel(samples / 32768.0), wanted, atol=1e-4)
    both = seda.mel(numpy.stack([samples, samples]).astype(numpy.float32) / 32768)
    assert both.shape == (2, *wanted.shape)
    numpy.testing.assert_allclose(both[1], wanted, atol=1e-4)
    centred = seda.Mel(preset="tacotron2")
    assert centred(samples).shape == (80, centred.frames(len(samples)))
    assert seda.Mel(config={"data.mel.n_mels": 40}).n_mels == 40


def test_torch_in_torch_out(corpus):
    torch = pytest.importorskip("torch")
    samples = torch.from_numpy(samples_of(corpus / "wavs/c007.wav").astype(numpy.float32) / 32768)
    mel = seda.mel(samples)
    assert isinstance(mel, torch.Tensor)
    numpy.testing.assert_array_equal(mel.numpy(), seda.mel(samples.numpy()))
    assert seda.mel(torch.stack([samples, samples]).requires_grad_()).shape == (2, *mel.shape)
    torch.set_default_device("meta")
    try:
        assert seda.mel(samples).device.type == "cpu"
    finally:
        torch.set_default_device(None)


@pytest.mark.parametrize("sound, words", [(numpy.zeros(10, dtype=numpy.int64), "expected float32 or int16, found int64"),
                                          (numpy.zeros((1, 2, 3000), dtype=numpy.float32), "found 3 dimensions"),
                                          (numpy.zeros(0, dtype=numpy.float32), "too few for a frame"),
                                          (numpy.array([0.5] * 3000 + [numpy.nan]), "expected finite numbers, found nan at 3000"),
                                          (numpy.full((2, 3000), -numpy.inf), "expected finite numbers, found -inf at 0"),
                                          (b"nowhere.wav", "expected float32 or int16")])
def test_what_has_no_mel_is_refused(sound, words):
    with pytest.raises(seda.Error, match=words):
        seda.mel(sound)


def test_a_file_that_cannot_be_read_is_an_error_of_storage(tmp_path):
    (tmp_path / "broken.wav").write_bytes(b"RIFF")
    for name, code in (("nowhere.wav", "audio_missing"), ("broken.wav", "audio_")):
        with pytest.raises(OSError, match=f"{name}: {code}") as raised:
            seda.mel(tmp_path / name)
        assert raised.type is seda.StorageError


def test_what_mels_need_is_named(corpus):
    done = run_python("import sys, seda; sys.modules['numpy'] = None; seda.mel(sys.argv[1])", str(corpus / "wavs/c007.wav"))
    assert "numpy" in done.stderr and "nanobind" not in done.stderr


def test_preparing_tells_what_was_done(tmp_path):
    folder = make_corpus(tmp_path / "voice", 12)
    planned = seda.prepare(folder, config=TEXT, dry_run=True)
    assert planned["audio_built"] == 12 and not (folder / ".seda").exists()
    report = seda.prepare(folder, config=TEXT)
    assert (report["clips"], report["text_built"], report["audio_built"], report["faults"]) == (12, 12, 12, [])
    again = seda.prepare(folder, config=TEXT, num_workers=1)
    assert (again["text_hits"], again["audio_hits"], again["audio_built"]) == (12, 12, 0)
    assert seda.prepare(folder, config=TEXT, force=True)["audio_built"] == 12
    elsewhere = seda.prepare(folder, config=TEXT, cache_dir=tmp_path / "elsewhere")
    assert elsewhere["cache"] == str(tmp_path / "elsewhere")


def test_too_many_bad_clips_are_an_error_with_the_report(tmp_path):
    folder = make_corpus(tmp_path / "voice", 10)
    (folder / "wavs/c001.wav").write_bytes(b"RIFF")
    with pytest.raises(seda.CheckFailed, match="max_fault_share") as raised:
        seda.prepare(folder, config=TEXT)
    assert raised.value.report["faults"][0]["id"] == "c001"
    assert seda.prepare(folder, config={**TEXT, "data.max_fault_share": 0.5})["clips"] == 9


def test_a_cache_is_looked_at_checked_and_cleared(tmp_path):
    folder = make_corpus(tmp_path / "voice", 12)
    cache = seda.Cache(folder)
    with pytest.raises(seda.Error, match="holds no cache"):
        cache.stat()
    seda.prepare(folder, config=TEXT)
    assert cache.stat()["clips"] == 12
    assert cache.verify()["bad"] == [] and cache.verify(sample=3)["records"] == 3
    part = max((folder / ".seda").rglob("*"), key=lambda file: file.stat().st_size if file.is_file() else 0)
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    assert cache.verify()["bad"] != []
    assert cache.gc(repair=True)["damaged"] != []
    assert cache.clear()["files"] > 0
    assert not (folder / ".seda").exists()


def test_a_cache_is_that_of_its_path_wherever_the_program_was_started(tmp_path, monkeypatch):
    folder = make_corpus(tmp_path / "voice", 4)
    seda.prepare(folder, config=TEXT)
    seda.prepare(folder, config=TEXT, cache_dir=tmp_path / "elsewhere")
    for file in ("data: {cache_dir: %s}" % (tmp_path / "elsewhere"), "data: [broken"):
        (tmp_path / "seda.yaml").write_text(file)
        monkeypatch.chdir(tmp_path)
        assert seda.Cache(folder).stat()["folder"] == str(folder / ".seda")
    named = seda.Cache(folder, config={"data.cache_dir": tmp_path / "elsewhere"})
    assert named.stat()["folder"] == str(tmp_path / "elsewhere")
    seda.Cache(folder).clear()
    assert not (folder / ".seda").exists() and named.stat()["clips"] == 4
    with pytest.raises(seda.ConfigError, match="did you mean data.cache_dir"):
        seda.Cache(folder, config={"data.cache_dri": "x"}).stat()


def test_a_path_is_not_a_flag(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(seda.Error, match="--help"):
        seda.Cache("--help").stat()
    with pytest.raises(seda.Error, match="--help"):
        seda.diagnose("--help", step_ms=5)


def test_bad_arguments_of_the_tools_are_named(tmp_path):
    for call, words in ((lambda: seda.Cache(tmp_path).verify(sample=0), "sample: expected an integer of 1 or more, found 0"),
                        (lambda: seda.Cache(5), "path: expected a path, found 5"),
                        (lambda: seda.diagnose(tmp_path, html=True), "html: expected a path, found True"),
                        (lambda: seda.diagnose(tmp_path, num_batches=1.5), "num_batches: expected an integer")):
        with pytest.raises(seda.UsageError, match=words):
            call()


def test_a_folder_that_is_named_torch_is_no_torch(tmp_path):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").touch()
    done = program("--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_diagnosis_is_a_dictionary(tmp_path):
    folder = make_corpus(tmp_path / "voice", 24)
    found = seda.diagnose(folder, config={**CONFIG, "data.model_gpu": "cpu", "data.batch_size": 4}, step_ms=20,
                          num_batches=8, html=tmp_path / "report.html")
    assert len(found["sections"]) == 8
    assert found["verdict"]["cause"] and found["verdict"]["evidence"]
    assert "<html" in (tmp_path / "report.html").read_text()
    with pytest.raises(seda.ConfigError, match="did you mean data.batch_size"):
        seda.diagnose(folder, config={"data.batch_sise": 4})
