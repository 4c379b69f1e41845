// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json.h"
#include "seda/python/bindings.h"
#include "seda/python/export_tensor.h"
#include "seda/python/interruptible.h"
#include "seda/python/session.h"
#include "seda/python/session_owner.h"
#include "seda/python/unlocked.h"

namespace seda::python {
namespace {

namespace nb = nanobind;
using Position = std::pair<uint64_t, uint64_t>;  // epoch, batch of it

dataset::Split split_of(const std::string& name) {
  if (name == "train") return dataset::Split::train;
  if (name == "validation") return dataset::Split::validation;
  throw_error(ErrorKind::usage, "split: expected train or validation, found '{}'", name);
}

/// The owners that there are. Of whoever has the interpreter lock.
std::vector<std::weak_ptr<SessionOwner>>& owners() {
  static std::vector<std::weak_ptr<SessionOwner>> all;
  return all;
}

/// What a Python loader holds.
class BoundLoader {
 public:
  BoundLoader(const std::string& corpus, const config::Config& config, const std::string& split,
              std::tuple<int, int, int> ranks, std::tuple<bool, bool, bool> flags) {
    SessionOptions options;
    options.corpus = corpus;
    options.config = config;
    options.split = split_of(split);
    std::tie(options.rank, options.ranks, options.local_ranks) = ranks;
    std::tie(options.shuffle, options.drop_last, options.use_cache) = flags;
    options.while_waiting = check_signals;
    run_interruptibly([&] { owner_ = std::make_shared<SessionOwner>(open_feed(options)); });
    std::erase_if(owners(), [](const auto& owner) { return owner.expired(); });
    owners().push_back(owner_);
  }

  ~BoundLoader() {
    const Unlocked unlocked;  // its threads end
    owner_.reset();
  }
  BoundLoader(const BoundLoader&) = delete;
  BoundLoader& operator=(const BoundLoader&) = delete;

  std::shared_ptr<HeldBatch> next(uint64_t epoch) {
    const Unlocked unlocked;
    return owner_->next(epoch);
  }

  void seek(Position to) {
    run_interruptibly([&] { owner_->seek({to.first, to.second}); });
  }

  void close() {
    const Unlocked unlocked;
    owner_->close();
  }

  /// What `question` says of the session at hand.
  template <typename Question>
  auto ask(const Question& question) {
    const Unlocked unlocked;
    return question(*owner_->session());
  }

 private:
  std::shared_ptr<SessionOwner> owner_;
};

/// For the end of the interpreter: of what other threads do here, and of the loaders' own.
void end() {
  end_calls();
  const nb::gil_scoped_release unlocked;
  for (const std::weak_ptr<SessionOwner>& each : owners()) {
    if (const auto owner = each.lock()) owner->close();
  }
}

Json statistics_of(Session& session) {
  const feed::LoaderStatistics counted = session.loader().statistics();
  Json out = {{"seconds", counted.seconds},
              {"batches", counted.batches},
              {"clips", counted.clips},
              {"replaced", counted.replaced},
              {"real_frames", counted.real_frames},
              {"frames", counted.frames},
              {"wait_seconds", counted.wait_s},
              {"workers", counted.workers},
              {"slots", counted.slots.total()},
              {"held", session.held()},
              {"stages", Json::array()}};
  for (const feed::LoaderStage& stage : counted.stages) {
    out["stages"].push_back({{"name", stage.name},
                             {"count", stage.work.count},
                             {"busy_seconds", stage.work.busy_s},
                             {"blocked_in_seconds", stage.work.blocked_in_s},
                             {"blocked_out_seconds", stage.work.blocked_out_s},
                             {"queue_mean", stage.queue_mean},
                             {"bytes", stage.work.bytes}});
  }
  return out;
}

/// Those that were set aside when the corpus was opened, and those met since.
Json faults_of(Session& session) {
  Json out = Json::array();
  const auto add = [&](const std::vector<Fault>& faults) {
    for (const Fault& fault : faults)
      out.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  };
  add(session.feed().clips.faults);
  add(session.loader().faults());
  return out;
}

Json buckets_of(Session& session) {
  Json out = Json::array();
  for (const feed::Bucket& bucket : session.loader().buckets()) {
    out.push_back(
        {{"batch_size", bucket.batch_size}, {"tokens", bucket.tokens}, {"frames", bucket.frames}});
  }
  return out;
}

std::vector<std::string> ids_of(const HeldBatch& held) {
  const auto& clips = held.batch().info.clips;
  const feed::ClipSource& source = *held.session().feed().clips.source;
  std::vector<std::string> ids;
  ids.reserve(clips.size());
  for (const uint32_t clip : clips)
    ids.emplace_back(source.id(clip));
  return ids;
}

void bind_batch(nb::module_& module) {
  const auto info = [](auto member) {
    return [member](const HeldBatch& held) { return held.batch().info.*member; };
  };
  nb::class_<HeldBatch>(module, "Batch", "A batch in its slot.")
      .def("tensor", [](std::shared_ptr<HeldBatch> held,
                        const std::string& name) { return tensor_of(std::move(held), name); })
      .def_prop_ro("ids", &ids_of)
      .def_prop_ro("bucket", info(&feed::BatchInfo::bucket))
      .def_prop_ro("epoch", info(&feed::BatchInfo::epoch))
      .def_prop_ro("index", info(&feed::BatchInfo::batch))
      .def_prop_ro("step", info(&feed::BatchInfo::step))
      .def_prop_ro("repeats", info(&feed::BatchInfo::repeats))
      .def_prop_ro("replaced", info(&feed::BatchInfo::replaced))
      .def_prop_ro("real_frames", info(&feed::BatchInfo::real_frames))
      .def_prop_ro("real_tokens", info(&feed::BatchInfo::real_tokens));
}

/// A question to the session of a loader.
template <typename Question>
auto asks(const Question& question) {
  return [question](BoundLoader& loader) { return loader.ask(question); };
}

/// The same, with an answer of numbers and lists, as JSON.
auto asks_for_text(Json (*question)(Session&)) {
  return asks([question](Session& session) { return to_json_text(question(session), -1); });
}

void set_workers(BoundLoader& loader, int workers) {
  loader.ask([&](Session& session) { session.loader().set_workers(workers); });
}

Position position_of(Session& session) {
  const feed::SamplerState state = session.position();
  return {state.epoch, state.batch};
}

const feed::ClipSource& source_of(const Session& session) {
  return *session.feed().clips.source;
}

std::string mel_of(Session& session) {
  return to_json_text(audio::describe(source_of(session).mel()), -1);
}

}  // namespace

void bind_loader(nb::module_& module) {
  module.def("tensor_names", &tensor_names);
  bind_batch(module);
  nb::class_<BoundLoader>(module, "Loader", "Feeds the batches of a corpus.")
      .def(nb::init<const std::string&, const config::Config&, const std::string&,
                    std::tuple<int, int, int>, std::tuple<bool, bool, bool>>(),
           nb::arg("corpus"), nb::arg("config"), nb::arg("split"), nb::arg("ranks"),
           nb::arg("flags"))
      .def("next", &BoundLoader::next, nb::arg("epoch"))
      .def("position", asks(&position_of))
      .def("seek", &BoundLoader::seek, nb::arg("position"))
      .def("close", &BoundLoader::close)
      .def("set_workers", &set_workers, nb::arg("workers"))
      .def_prop_ro("batches_per_epoch",
                   asks([](Session& session) { return session.loader().batches_per_epoch(); }))
      .def("order", asks([](Session& session) { return session.order(); }))
      .def_prop_ro("slots", asks([](Session& session) { return session.slots(); }))
      .def_prop_ro("clips", asks([](Session& session) { return source_of(session).rows().size(); }))
      .def_prop_ro("speakers", asks([](Session& session) { return source_of(session).speakers(); }))
      .def_prop_ro("languages",
                   asks([](Session& session) { return source_of(session).languages(); }))
      .def_prop_ro("device",
                   asks([](Session& session) { return device::to_string(session.device()); }))
      .def_prop_ro("data_device", asks([](Session& session) {
                     return device::to_string(session.feed().options.roles.data);
                   }))
      .def_prop_ro("mel", asks(&mel_of))
      .def("statistics", asks_for_text(&statistics_of))
      .def("faults", asks_for_text(&faults_of))
      .def("buckets", asks_for_text(&buckets_of));
  module.def("end", &end);
}

}  // namespace seda::python
