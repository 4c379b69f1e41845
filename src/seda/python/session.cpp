// SPDX-License-Identifier: Apache-2.0
#include "seda/python/session.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/make_loader.h"
#include "seda/feed/prepare_options.h"
#include "seda/python/held_batch.h"
#include "seda/python/watchful_lock.h"

namespace seda::python {
namespace {

feed::FeedOptions feed_options(const SessionOptions& options, const device::Platform& platform) {
  feed::FeedOptions out = feed::feed_options(options.config, platform);
  out.split = options.split;
  out.order.rank = options.rank;
  out.order.ranks = options.ranks;
  out.order.shuffle = options.shuffle;
  out.order.drop_last = options.drop_last;
  out.processes = options.local_ranks;
  out.while_waiting = options.while_waiting;
  out.heeds_interrupt = false;  // signals are the host language's
  return out;
}

}  // namespace

std::shared_ptr<const OpenedFeed> open_feed(const SessionOptions& options) {
  device::Platform platform;
  const feed::FeedOptions feed = feed_options(options, platform);
  feed::OpenOptions open = feed::open_options(options.config, options.corpus, &platform);
  open.use_cache = options.use_cache;
  open.waits = options.ranks > 1;
  feed::OpenedClips clips = feed::open_clips(open);
  return std::make_shared<const OpenedFeed>(
      OpenedFeed{std::move(platform), std::move(clips), feed});
}

Session::Session(std::shared_ptr<const OpenedFeed> feed, const feed::SamplerState& from)
    : feed_(std::move(feed)) {
  if (device().is_cuda()) {
    filled_.emplace(feed_->platform, device());
    released_.emplace(feed_->platform, device());
  }
  feed::FeedOptions options = feed_->options;
  options.start = from;
  options.while_waiting = [this] { watch(); };
  loader_ = feed::make_loader(feed_->clips, options, feed_->platform);
  slots_ = loader_->statistics().slots.total();
}

std::shared_ptr<Session> Session::start(std::shared_ptr<const OpenedFeed> feed,
                                        const feed::SamplerState& from) {
  const auto end = [](Session* session) {
    // Its threads are not in a forked process, which could only wait for them.
    if (session->is_at_home()) delete session;
  };
  return {new Session(std::move(feed), from), end};
}

/// For whoever waits for a batch.
void Session::watch() const {
  if (stopped_) throw Stopped();
  if (feed_->options.while_waiting) feed_->options.while_waiting();
}

void Session::stop() {
  if (!is_at_home()) return;
  stopped_ = true;
  const std::lock_guard turn(turn_);  // whoever has it looks up soon
  loader_->stop();
}

feed::Loader& Session::loader() {
  home_.require();
  return *loader_;
}

std::string Session::order() const {
  const feed::ClipSource& source = *feed_->clips.source;
  const feed::FeedPlan plan = feed::plan_feed(source.rows(), source.mel(), feed_->options);
  return order_digest(plan, source, feed_->options.order.ranks).hex();
}

device::StreamView Session::stream() const {
  return filled_ ? filled_->view() : feed_->platform.default_stream(device::kCpu);
}

device::StreamView Session::last_stream() const {
  return released_ ? released_->view() : stream();
}

/// A loader tells of the end of an epoch in place of a batch.
feed::SamplerState Session::pass_end_of_epoch() {
  if (loader_->state().batch >= loader_->batches_per_epoch()) loader_->next(stream());
  return loader_->state();
}

feed::SamplerState Session::position() {
  home_.require();
  const auto turn = lock_watchfully(turn_, feed_->options.while_waiting);
  const feed::SamplerState state = loader_->state();
  if (state.batch < loader_->batches_per_epoch()) return state;
  return {state.epoch + 1, 0};
}

std::shared_ptr<HeldBatch> Session::next(uint64_t epoch) {
  home_.require();
  const auto turn = lock_watchfully(turn_, [this] { watch(); });
  if (stopped_) throw Stopped();
  if (pass_end_of_epoch().epoch != epoch) return nullptr;
  if (held_ >= slots_) {
    throw_error(ErrorKind::usage,
                "all {} slots of the loader are held by batches or tensors that are still alive, "
                "so that there is no room for the next; let go of them, copy what is to be kept, "
                "or raise data.pipeline_buffer_size (a thread in a loop holds a batch while it "
                "asks for the next: there must be more slots than such threads)",
                slots_);
  }
  auto lease = loader_->next(stream());
  if (!lease) throw_error(ErrorKind::internal, "an epoch ended before its last batch");
  return HeldBatch::hold(shared_from_this(), std::move(*lease));
}

}  // namespace seda::python
