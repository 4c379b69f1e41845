# SPDX-License-Identifier: Apache-2.0
"""Batches on a GPU, and the streams that use them."""
import numpy
import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("there is no GPU", allow_module_level=True)


def test_batches_are_those_of_the_cpu(load):
    on_cpu, on_gpu = load(output="torch"), load(output="torch", device="cuda:0")
    for wanted, found in zip(on_cpu, on_gpu):
        assert found.mel.device == torch.device("cuda:0")
        assert wanted.ids == found.ids
        for name in wanted.keys():
            numpy.testing.assert_allclose(found[name].cpu().numpy(), wanted[name].numpy(), atol=1e-3)


def test_memory_is_the_loaders_own(load):
    loader = load(device=torch.device("cuda", 0))
    batch = next(iter(loader))
    assert batch.mel.__dlpack_device__() == (2, 0)
    assert torch.from_dlpack(batch.mel).data_ptr() == batch.mel.data_ptr
    with pytest.raises(BufferError, match="is no array of NumPy"):
        numpy.asarray(batch.mel)
    with pytest.raises(ValueError, match="ambiguous"):
        batch.mel.__dlpack__(stream=0)


@pytest.mark.parametrize("streams", [1, 3])
def test_a_consumer_that_is_behind_reads_its_own_batch(load, streams):
    """Long kernels on other streams, and batches that are dropped at once."""
    wanted = [batch.mel.clone() for batch in load(output="torch")]
    loader = load(output="dlpack", device="cuda:0")
    used = [torch.cuda.Stream() for _ in range(streams)]
    for epoch in range(4):
        loader.set_epoch(0)
        found = []
        for index, batch in enumerate(loader):
            stream = used[index % streams]
            with torch.cuda.stream(stream):
                mel = torch.from_dlpack(batch.mel)
                torch.cuda._sleep(20_000_000)
                found.append(mel.clone())
            del mel, batch
        torch.cuda.synchronize()
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            numpy.testing.assert_allclose(one.cpu().numpy(), other.numpy(), atol=1e-3)


def test_mels_made_on_the_cpu_for_the_gpu(load):
    loader = load(output="torch", device="cuda:0", data_device="cpu")
    assert (loader.device, loader.data_device) == ("cuda:0", "cpu")
    wanted = load(output="torch")
    for one, other in zip(loader, wanted):
        numpy.testing.assert_allclose(one.mel.cpu().numpy(), other.mel.numpy(), atol=1e-3)


def test_a_hundred_loaders_leave_nothing_on_the_gpu(load, corpus):
    from corpus import make_loader

    def use_one():
        with make_loader(corpus, device="cuda:0", output="torch") as loader:
            next(iter(loader)).mel.sum().item()

    for _ in range(3):
        use_one()
    torch.cuda.synchronize()
    before = torch.cuda.mem_get_info()[0]
    for _ in range(100):
        use_one()
    torch.cuda.synchronize()
    assert before - torch.cuda.mem_get_info()[0] < 32 << 20
