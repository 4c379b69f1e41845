// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/key_builder.h"
#include "seda/config/detail/schema_parts.h"

namespace seda::config::detail {

std::vector<Key> model_keys() {
  constexpr const char* kFromSize = "from model.size";
  return {
      choice("model.size", "tiny")
          .one_of({"tiny", "small", "normal", "big"})
          .means("Size of the model; the keys below change parts of it."),
      integer("model.hidden_size")
          .automatic(kFromSize)
          .range(16, 8192)
          .unit("channels")
          .means("Width of the model."),
      integer("model.feed_forward_size")
          .automatic(kFromSize)
          .range(16, 32768)
          .unit("channels")
          .means("Width inside the feed-forward blocks."),
      integer("model.encoder_layers")
          .automatic(kFromSize)
          .range(1, 96)
          .unit("layers")
          .means("Depth of the text encoder."),
      integer("model.decoder_layers")
          .automatic(kFromSize)
          .range(1, 96)
          .unit("layers")
          .means("Depth of the mel decoder."),
      integer("model.heads")
          .automatic(kFromSize)
          .range(1, 128)
          .unit("heads")
          .means("Attention heads; they divide model.hidden_size."),
      number("model.dropout")
          .automatic(kFromSize)
          .at_least(0)
          .below(1)
          .means("Share of activations dropped while training."),
  };
}

std::vector<Key> debug_keys() {
  return {
      list("debug.inject", std::vector<std::string>{})
          .one_of({"slow_storage", "uneven_storage", "slow_decode", "slow_text", "slow_transfer",
                   "host_sync", "slow_clip", "bad_clips"})
          .with_strength()
          .means("Faults planted on purpose, to try the diagnosis; the number is in ms, of "
                 "bad_clips a share; a banner says so."),
  };
}

}  // namespace seda::config::detail
