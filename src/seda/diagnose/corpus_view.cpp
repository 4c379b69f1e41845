// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/corpus_view.h"

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/diagnose/sample_times.h"
#include "seda/feed/cache_source.h"
#include "seda/feed/default_cache.h"
#include "seda/feed/file_source.h"
#include "seda/feed/prepare_options.h"

namespace seda::diagnose {
namespace {

void ask_cache(CorpusView& view, const feed::PrepareOptions& options) {
  try {
    view.plan = feed::plan_prepare(options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io && error.kind() != ErrorKind::unavailable) throw;
    view.cache_problem = error.what();
  }
}

void open_cache(feed::OpenedClips& clips, const feed::PrepareReport& plan, const Hash128& listing,
                const feed::OpenOptions& options) {
  clips.source = std::make_shared<feed::CacheSource>(
      plan.cache, listing,
      cache::OpenOptions{.memory_mapping = options.memory_mapping, .verify = options.verify});
  clips.cache_state = "loaded";
  clips.faults = plan.faults;
}

/// Some clips of a corpus, evenly spread.
dataset::Corpus sample_of(const dataset::Corpus& corpus, size_t most) {
  dataset::Corpus out = corpus;
  out.utterances.clear();
  for (const size_t place : spread_places(corpus.utterances.size(), most))
    out.utterances.push_back(corpus.utterances[place]);
  return out;
}

/// A vocabulary that has yet to be learned is learned from the whole corpus.
bool can_sample(const CorpusView& view, const feed::PrepareOptions& options) {
  return view.corpus.utterances.size() > kSampleClips &&
         feed::ready_tokenizer(options.text) != nullptr;
}

void open_files(CorpusView& view, const feed::PrepareOptions& options, bool all) {
  if (!all && can_sample(view, options)) view.sample = kSampleClips;
  auto source = std::make_shared<feed::FileSource>(
      view.sample ? sample_of(view.corpus, *view.sample) : view.corpus, options);
  view.clips.faults = source->faults();
  view.clips.cache_state = "none";
  view.clips.source = std::move(source);
}

}  // namespace

std::filesystem::path CorpusView::cache_folder() const {
  return clips.corpus.cache.empty() ? feed::default_cache(clips.corpus.corpus) : clips.corpus.cache;
}

std::string CorpusView::extent() const {
  const size_t count = corpus.utterances.size();
  return sample ? fmt::format("of a sample of {} of {} clips", *sample, count)
                : fmt::format("of all {} clips", count);
}

CorpusView view_corpus(const config::Config& config, const std::filesystem::path& folder,
                       const device::Platform& platform, const CorpusViewOptions& options) {
  feed::OpenOptions open = feed::open_options(config, folder, &platform);
  open.prepare.progress = options.progress;
  CorpusView view;
  view.corpus = dataset::read_corpus(open.prepare.corpus, open.prepare.read);
  ask_cache(view, open.prepare);
  view.clips.corpus = open.prepare;
  if (view.plan && view.plan->listing) {
    open_cache(view.clips, *view.plan, *view.plan->listing, open);
  } else {
    open_files(view, open.prepare, options.all);
  }
  return view;
}

}  // namespace seda::diagnose
