#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Lightning data module over seda's loaders, with validation and a state that is kept in checkpoints.

    examples/python/lightning_module.py CORPUS [--device cuda:0] [--epochs 2] [--characters]
"""
import argparse
import os

import lightning
import torch

import seda


class WholeEpochs:
    """Each loop begins at the first batch, also after one that was left: Lightning looks at two batches of validation
    before it trains, and at no more than limit_val_batches."""

    def __init__(self, loader):
        self.loader = loader

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.loader.set_epoch(self.loader.epoch)
        return iter(self.loader)


class SedaDataModule(lightning.LightningDataModule):
    """Each rank of a run gets its own rows of every batch; Lightning tells which rank this is."""

    def __init__(self, corpus, batch_size=8, seed=1, config=None):
        super().__init__()
        self.corpus, self.batch_size, self.seed, self.config = corpus, batch_size, seed, config or {}
        self.loaders = {}
        self.saved = None

    def loader_of(self, split):
        """The same until it is torn down: asked for again, it goes on where it is."""
        if split not in self.loaders:
            os.environ.setdefault("LOCAL_WORLD_SIZE", str(self.trainer.num_devices))  # they share the cores
            self.loaders[split] = seda.Loader(
                self.corpus, batch_size=self.batch_size, seed=self.seed, split=split, output="torch", config=self.config,
                device=self.trainer.strategy.root_device, rank=self.trainer.global_rank,
                world_size=self.trainer.world_size)
        return self.loaders[split]

    def train_dataloader(self):
        loader = self.loader_of("train")
        if self.saved is not None:
            loader.load_state_dict(self.saved)
            self.saved = None
        return loader

    def val_dataloader(self):
        return WholeEpochs(self.loader_of("validation"))

    def transfer_batch_to_device(self, batch, device, dataloader_idx):
        return batch  # it is there already

    def state_dict(self):
        return {"loader": self.loaders["train"].state_dict()} if "train" in self.loaders else {}

    def load_state_dict(self, state):
        self.saved = state.get("loader")

    def teardown(self, stage):
        while self.loaders:
            self.loaders.popitem()[1].close()


class MeanMel(lightning.LightningModule):
    """A stand-in for a model: the mel of an average frame."""

    def __init__(self, n_mels=80):
        super().__init__()
        self.frame = torch.nn.Parameter(torch.zeros(n_mels, 1))
        self.losses = []

    def loss_of(self, batch):
        error = (batch.mel - self.frame).abs().mean(1)
        return (error * batch.mel_mask).sum() / batch.mel_mask.sum()

    def training_step(self, batch, _):
        loss = self.loss_of(batch)
        self.losses.append(loss.detach())
        return loss

    def validation_step(self, batch, _):
        self.log("validation", self.loss_of(batch), batch_size=len(batch))

    def on_train_epoch_end(self):
        print(f"epoch {self.current_epoch}: loss {torch.stack(self.losses).mean().item():.4f}")
        self.losses.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--characters", action="store_true", help="letters instead of phonemes: needs no espeak-ng")
    arguments = parser.parse_args()

    config = {"data.validation_share": 0.2}
    if arguments.characters:
        config["data.text"] = {"phonemes": False, "tokenizer": "characters"}
    device = torch.device(arguments.device)
    trainer = lightning.Trainer(max_epochs=arguments.epochs, accelerator="gpu" if device.type == "cuda" else "cpu",
                                devices=[device.index or 0] if device.type == "cuda" else 1, logger=False,
                                enable_checkpointing=False, enable_progress_bar=False, use_distributed_sampler=False)
    trainer.fit(MeanMel(), datamodule=SedaDataModule(arguments.corpus, config=config))


if __name__ == "__main__":
    main()
