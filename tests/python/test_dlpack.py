# SPDX-License-Identifier: Apache-2.0
"""DLPack: no copies, and nothing kept longer than it is used."""
import gc

import numpy
import pytest

import seda


def test_numpy_and_torch_see_the_same_memory(load):
    torch = pytest.importorskip("torch")
    batch = next(iter(load()))
    for name, tensor in batch.items():
        array, other = numpy.from_dlpack(tensor), torch.from_dlpack(tensor)
        assert array.ctypes.data == other.data_ptr() == tensor.data_ptr
        assert other.is_contiguous() and tuple(other.shape) == tensor.shape
        assert str(other.dtype) == f"torch.{tensor.dtype}" and array.dtype == tensor.dtype
    torch.from_dlpack(batch.mel).add_(1)
    before = numpy.from_dlpack(batch.mel)[0, 0, 0]
    torch.from_dlpack(batch.mel).add_(1)
    assert numpy.from_dlpack(batch.mel)[0, 0, 0] == pytest.approx(before + 1)


def test_what_is_written_does_not_come_back(load):
    loader, other = load(), load()
    for _ in range(4):
        for batch, untouched in zip(loader, other):
            mel = numpy.from_dlpack(batch.mel)
            numpy.testing.assert_array_equal(mel, numpy.from_dlpack(untouched.mel))
            mel[:] = 7


def test_jax_sees_the_same_memory(load):
    jax = pytest.importorskip("jax")
    batch = next(iter(load()))
    mel = jax.dlpack.from_dlpack(batch.mel)
    numpy.testing.assert_array_equal(numpy.asarray(mel), numpy.from_dlpack(batch.mel))
    assert mel.unsafe_buffer_pointer() == batch.mel.data_ptr
    assert next(iter(load(output="jax"))).tokens.dtype == "int32"


@pytest.mark.parametrize("arguments, name", [({}, "dltensor"), ({"max_version": (0, 8)}, "dltensor"),
                                             ({"max_version": (1, 0)}, "dltensor_versioned"),
                                             ({"max_version": None, "stream": None, "copy": None, "dl_device": (1, 0)},
                                              "dltensor")])
def test_capsules_have_the_version_that_was_asked_for(load, arguments, name):
    assert f'"{name}"' in repr(next(iter(load())).mel.__dlpack__(**arguments))


def test_what_cannot_be_is_refused(load):
    mel = next(iter(load())).mel
    assert mel.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="not copied"):
        mel.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="stays on its device"):
        mel.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError):
        mel.__dlpack__(1)


def test_a_capsule_that_nobody_takes_lets_go(load):
    loader = load()
    batch = next(iter(loader))
    capsules = [batch.mel.__dlpack__(), batch.mel.__dlpack__(max_version=(1, 0))]
    del batch
    gc.collect()
    assert loader.statistics()["held"] == 1
    capsules.pop()
    assert loader.statistics()["held"] == 1
    capsules.pop()
    assert loader.statistics()["held"] == 0


def test_a_slot_goes_back_with_its_last_array(load):
    loader = load()
    batch = next(iter(loader))
    mel, tokens = numpy.from_dlpack(batch.mel), numpy.from_dlpack(batch.tokens)
    part = mel[:2]
    del batch, mel
    assert loader.statistics()["held"] == 1
    del tokens
    assert loader.statistics()["held"] == 1
    del part
    assert loader.statistics()["held"] == 0


def test_arrays_outlive_everything_else(load):
    torch = pytest.importorskip("torch")
    loader = load()
    mel = torch.from_dlpack(next(iter(loader)).mel)
    copy = mel.clone()
    loader.close()
    assert torch.equal(mel, copy)


def test_a_tensor_tells_what_it_is(load):
    mel = next(iter(load())).mel
    assert repr(mel) == f"seda.Tensor([8, 80, {mel.shape[2]}], float32, cpu)"
    assert (mel.device, len(mel)) == ("cpu", 8)
    assert isinstance(mel, seda.Tensor) and mel.ndim == 3
    assert mel.dtype is numpy.dtype("float32")


def test_numpy_makes_arrays_of_tensors_by_itself(load):
    batch = next(iter(load()))
    mel = numpy.asarray(batch.mel)
    assert mel.dtype == numpy.float32 and mel.ctypes.data == batch.mel.data_ptr
    assert numpy.asarray(batch.mel, dtype=numpy.float64).dtype == numpy.float64
    assert numpy.array(batch.mel).ctypes.data != batch.mel.data_ptr
    assert numpy.asarray(batch.tokens).shape == batch.tokens.shape
    numpy.testing.assert_array_equal(batch.mel, mel)


def test_jax_makes_arrays_of_tensors_by_itself(load):
    jnp = pytest.importorskip("jax.numpy")
    batch = next(iter(load()))
    numpy.testing.assert_array_equal(jnp.asarray(batch.mel), numpy.asarray(batch.mel))
