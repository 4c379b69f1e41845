// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/dataset/corpus.h"
#include "tests/support/temporary_folder.h"

namespace seda::testing_support {

/// A corpus folder whose sound files hold a few bytes: readers only look at them.
class CorpusFolder : public TemporaryFolder {
 public:
  void sound(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      write(name, "sound");
  }

  dataset::Corpus read(const dataset::ReadOptions& options = {}) const {
    return dataset::read_corpus(path(), options);
  }
};

inline std::vector<std::string> ids(const dataset::Corpus& corpus) {
  std::vector<std::string> list;
  for (const auto& utterance : corpus.utterances)
    list.push_back(utterance.id);
  return list;
}

/// Each fault as "id code".
inline std::vector<std::string> faults(const dataset::Corpus& corpus) {
  std::vector<std::string> list;
  for (const Fault& fault : corpus.faults)
    list.push_back(fault.id + " " + fault.code);
  return list;
}

}  // namespace seda::testing_support
