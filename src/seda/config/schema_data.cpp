// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/key_builder.h"
#include "seda/config/detail/schema_parts.h"

namespace seda::config::detail {
namespace {

std::vector<Key> corpus_keys() {
  return {
      folder("data.dataset_path")
          .none("none; verbs that need a corpus ask for it")
          .means("Folder of the training corpus."),
      folder("data.validation_path")
          .none("none; a share of the training corpus is held out")
          .means("Folder of the validation corpus."),
      number("data.validation_share", 0.02)
          .range(0, 0.5)
          .means("Share of the clips held out for validation where no folder is given."),
      folder("data.validation_list")
          .none("none; the corpus' own lists, else a share held out")
          .means("File with the ids of the clips held out for validation, one a line."),
      choice("data.format")
          .automatic("detected from the files in the folder")
          .one_of({"ljspeech", "split", "vctk", "libritts", "common_voice", "json_lines", "table"})
          .means("Layout of the corpus."),
      number("data.max_fault_share", 0.01)
          .range(0, 1)
          .means("Training stops when more than this share of the clips is bad."),
  };
}

std::vector<Key> cache_keys() {
  return {
      folder("data.cache_dir")
          .automatic("<dataset>/.seda")
          .means("Folder of the cache of prepared clips."),
      choice("data.hash", "stat")
          .one_of({"stat", "content"})
          .means("How a changed audio file is noticed: by size and time, or by its bytes."),
      boolean("data.cache_verification", false)
          .means("Check each cached record's checksum on first touch."),
      boolean("data.enable_memory_mapping", true).means("Map the cache into memory; off: read it."),
      choice("data.preprocessing_mode")
          .automatic("on_the_fly with a GPU, else precompute")
          .one_of({"precompute", "on_the_fly"})
          .means("Store mels, or store samples and make mels on the data device."),
      boolean("data.cache_dataset", false)
          .means("Keep the whole dataset resident on the data device."),
  };
}

std::vector<Key> loader_keys() {
  return {
      boolean("data.native_loading", true)
          .alias("data.use_tf_native_loading")
          .means("The native loader; off: the slow reference loader, for comparison."),
      integer("data.num_workers")
          .automatic("cores this process may use")
          .range(1, kMostWorkers)
          .unit("threads")
          .means("Threads that prepare batches."),
      integer("data.prefetch_buffer_size")
          .automatic("enough to cover the slowest clip")
          .range(1, kMostAhead)
          .unit("batches")
          .means("Batches prepared ahead on the host."),
      integer("data.pipeline_buffer_size", 3)
          .range(2, kMostAhead)
          .unit("slots")
          .means("Batches held on the model device; cut to what fits, never under two."),
      boolean("data.prefetch_to_gpu", true).means("The slots live on the model device."),
      boolean("data.enhanced_gpu_prefetch", true)
          .means("One more slot, so that upload, preparation and training overlap."),
      boolean("data.optimize_cpu_gpu_overlap", true).means("Uploads run on a stream of their own."),
      boolean("data.pin_memory", true).means("Uploads start from page-locked memory."),
  };
}

std::vector<Key> shape_keys() {
  return {
      integer("data.batch_size", 16)
          .range(1, 4096)
          .unit("clips")
          .means("Clips in a batch, for each rank."),
      integer("data.batch_frames")
          .none("none; batches of data.batch_size clips")
          .range(8, 1'000'000)
          .unit("frames")
          .means(
              "As many clips in a batch as fit so many padded frames, for each rank: 1 to 4096 of "
              "each fixed shape. data.batch_size is then not looked at."),
      boolean("data.pad_to_fixed_length", true)
          .means("Pad batches to a few fixed shapes, so that nothing is compiled twice."),
      integer("data.num_buckets")
          .automatic("chosen from the corpus to waste little padding")
          .range(1, 64)
          .unit("shapes")
          .means("How many fixed shapes."),
      integer("data.max_text_length", 200)
          .range(1, 10000)
          .unit("tokens")
          .means("Longest text, counted before blanks."),
      integer("data.max_mel_frames", 800)
          .range(8, 100000)
          .unit("frames")
          .means("Longest mel spectrogram."),
      choice("data.overlong", "skip")
          .one_of({"skip", "truncate"})
          .means("What happens to longer clips; they are counted and printed."),
  };
}

std::vector<Key> role_keys() {
  return {
      device("data.data_gpu")
          .automatic("the model's device")
          .means("Device that prepares batches."),
      device("data.model_gpu")
          .automatic("the first GPU, else the CPU")
          .means("Device that trains."),
      boolean("data.memory_isolation", false).means("Hold both roles to their memory budgets."),
      integer("data.data_gpu_memory", 8192)
          .range(1, 1048576)
          .unit("MB")
          .means("Budget of the data role, with memory_isolation."),
      integer("data.model_gpu_memory", 16384)
          .range(1, 1048576)
          .unit("MB")
          .means("Budget of the model role, with memory_isolation."),
  };
}

}  // namespace

std::vector<Key> data_keys() {
  return join({corpus_keys, cache_keys, loader_keys, shape_keys, role_keys});
}

}  // namespace seda::config::detail
