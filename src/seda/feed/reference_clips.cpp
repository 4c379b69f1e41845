// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/reference_clips.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "seda/feed/corpus_frontend.h"
#include "seda/feed/sound_faults.h"

namespace seda::feed {
namespace {

using dataset::Utterance;
using pipeline::Activity;
using pipeline::ActivityScope;

std::vector<const Utterance*> find_utterances(const ClipSource& source,
                                              const dataset::Corpus& corpus) {
  std::map<std::string_view, const Utterance*> by_id;
  for (const Utterance& utterance : corpus.utterances)
    by_id.emplace(utterance.id, &utterance);
  std::vector<const Utterance*> out;
  for (uint32_t row = 0; row < source.rows().size(); ++row) {
    const auto found = by_id.find(source.id(row));
    out.push_back(found == by_id.end() ? nullptr : found->second);
  }
  return out;
}

PrepareOptions without_memos(PrepareOptions options) {
  options.text.frontend.memo_capacity = 0;
  return options;
}

/// Why the corpus has no clip of that id.
Fault why_gone(const dataset::Corpus& corpus, std::string_view id) {
  const auto found = std::ranges::find(corpus.faults, id, &Fault::id);
  if (found != corpus.faults.end()) return *found;
  return {std::string(id), "clip_gone", "the corpus has no such clip any more"};
}

Fault of_clip(const Utterance& utterance, const Fault& fault) {
  return {utterance.id, fault.code, utterance.audio.string() + ": " + fault.evidence};
}

}  // namespace

ReferenceClips::ReferenceClips(const ClipSource& source, const PrepareOptions& options,
                               const Inject& inject, const Clock& clock)
    : source_(source),
      corpus_(dataset::read_corpus(options.corpus, options.read)),
      utterances_(find_utterances(source, corpus_)),
      frontend_(corpus_frontend(without_memos(options), corpus_.utterances)),
      sounds_(options.audio.sound),
      mel_(source.mel()),
      workspace_(mel_),
      planted_(source, inject),
      read_(clock),
      text_(clock),
      decode_(clock),
      make_mel_(clock) {}

Result<ReferenceClip> ReferenceClips::read(uint32_t row) {
  const Utterance* utterance = utterances_[row];
  if (utterance != nullptr) return read(row, *utterance);
  return why_gone(corpus_, source_.id(row));
}

Result<ReferenceClip> ReferenceClips::read(uint32_t row, const Utterance& utterance) {
  {
    const ActivityScope busy(read_, Activity::busy);
    if (auto fault = planted_.fetch(row)) return *fault;
    if (auto fault = sounds_.load(utterance.audio)) return of_clip(utterance, *fault);
    read_.add(1);
  }
  ReferenceClip clip;
  clip.tokens = read_line(utterance);
  decode_.enter(Activity::busy);
  planted_.decode();
  const auto sound = sounds_.sound();
  decode_.enter(Activity::away);
  decode_.add(1);
  if (!sound) return of_clip(utterance, sound.fault());
  const auto samples = sound.value().samples;
  clip.frames = mel_.frames(std::ssize(samples));
  if (clip.frames == 0) return of_clip(utterance, too_short(samples.size(), mel_.options()));
  const ActivityScope busy(make_mel_, Activity::busy);
  const auto frames = static_cast<size_t>(clip.frames);
  clip.mel.resize(static_cast<size_t>(mel_.options().n_mels) * frames);
  mel_.apply(samples, workspace_, {clip.mel.data(), frames, frames});
  make_mel_.add(1);
  return clip;
}

std::vector<int32_t> ReferenceClips::read_line(const Utterance& utterance) {
  const ActivityScope busy(text_, Activity::busy);
  planted_.read_line();
  text_.add(1);
  return frontend_->apply(utterance.text, utterance.language).encoded.tokens;
}

std::vector<LoaderStage> ReferenceClips::stages() const {
  std::vector<LoaderStage> out(4);
  out[0].name = "read";
  out[0].work = read_.snapshot();
  out[1].name = "text";
  out[1].work = text_.snapshot();
  out[2].name = "decode";
  out[2].work = decode_.snapshot();
  out[3].name = "mel";
  out[3].work = make_mel_.snapshot();
  return out;
}

}  // namespace seda::feed
