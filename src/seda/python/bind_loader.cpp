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

namespace seda::python {
namespace {

namespace nb = nanobind;
using Position = std::pair<uint64_t, uint64_t>;  // epoch, batch of it

dataset::Split split_of(const std::string& name) {
  if (name == "train") return dataset::Split::train;
  if (name == "validation") return dataset::Split::validation;
  throw_error(ErrorKind::usage, "split: expected train or validation, found '{}'", name);
}

/// What a Python loader holds: its clips, and the session that feeds them.
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
    run_interruptibly([&] {
      feed_ = open_feed(options);
      session_ = Session::start(feed_, {});
    });
  }

  std::shared_ptr<HeldBatch> next(uint64_t epoch) {
    const std::shared_ptr<Session> session = this->session();
    const nb::gil_scoped_release unlocked;
    return session->next(epoch);
  }

  Position position() {
    const std::shared_ptr<Session> session = this->session();
    const nb::gil_scoped_release unlocked;
    const feed::SamplerState state = session->position();
    return {state.epoch, state.batch};
  }

  /// Batches that were given out keep the old session until they are gone.
  void seek(Position position) {
    session()->loader();  // refuses what was forked
    run_interruptibly([&] {
      session_.reset();
      session_ = Session::start(feed_, {position.first, position.second});
    });
  }

  void close() {
    std::shared_ptr<Session> ending = std::move(session_);
    const nb::gil_scoped_release unlocked;
    ending.reset();
    feed_.reset();
  }

  bool is_closed() const { return feed_ == nullptr; }
  size_t batches_per_epoch() { return session()->loader().batches_per_epoch(); }
  int slots() { return session()->slots(); }
  int held() { return session()->held(); }
  void set_workers(int workers) {
    if (workers < 1)
      throw_error(ErrorKind::usage, "workers: expected at least 1, found {}", workers);
    session()->loader().set_workers(workers);
  }
  const feed::ClipSource& source() { return *open().clips.source; }
  const OpenedFeed& open() {
    session();
    return *feed_;
  }

  Json statistics();
  Json faults();
  Json buckets();

 private:
  std::shared_ptr<Session> session() const {
    if (session_ != nullptr) return session_;
    throw_error(ErrorKind::usage, "this loader is closed; make another");
  }

  std::shared_ptr<const OpenedFeed> feed_;
  std::shared_ptr<Session> session_;
};

Json BoundLoader::statistics() {
  const feed::LoaderStatistics counted = session()->loader().statistics();
  Json out = {{"seconds", counted.seconds},
              {"batches", counted.batches},
              {"clips", counted.clips},
              {"replaced", counted.replaced},
              {"real_frames", counted.real_frames},
              {"frames", counted.frames},
              {"wait_seconds", counted.wait_s},
              {"workers", counted.workers},
              {"slots", counted.slots.total()},
              {"held", held()},
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
Json BoundLoader::faults() {
  Json out = Json::array();
  const auto add = [&](const std::vector<Fault>& faults) {
    for (const Fault& fault : faults)
      out.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  };
  add(open().clips.faults);
  add(session()->loader().faults());
  return out;
}

Json BoundLoader::buckets() {
  Json out = Json::array();
  for (const feed::Bucket& bucket : session()->loader().buckets()) {
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

/// Numbers and lists of a loader, as JSON.
auto as_text(Json (BoundLoader::*ask)()) {
  return [ask](BoundLoader& loader) { return to_json_text((loader.*ask)(), -1); };
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
      .def("position", &BoundLoader::position)
      .def("seek", &BoundLoader::seek, nb::arg("position"))
      .def("close", &BoundLoader::close)
      .def("set_workers", &BoundLoader::set_workers, nb::arg("workers"))
      .def_prop_ro("is_closed", &BoundLoader::is_closed)
      .def_prop_ro("batches_per_epoch", &BoundLoader::batches_per_epoch)
      .def_prop_ro("slots", &BoundLoader::slots)
      .def_prop_ro("held", &BoundLoader::held)
      .def_prop_ro("clips", [](BoundLoader& loader) { return loader.source().rows().size(); })
      .def_prop_ro("speakers", [](BoundLoader& loader) { return loader.source().speakers(); })
      .def_prop_ro("languages", [](BoundLoader& loader) { return loader.source().languages(); })
      .def_prop_ro(
          "device",
          [](BoundLoader& loader) { return device::to_string(loader.open().options.roles.model); })
      .def_prop_ro(
          "data_device",
          [](BoundLoader& loader) { return device::to_string(loader.open().options.roles.data); })
      .def_prop_ro("cache_state",
                   [](BoundLoader& loader) { return loader.open().clips.cache_state; })
      .def_prop_ro("mel",
                   [](BoundLoader& loader) {
                     return to_json_text(audio::describe(loader.source().mel()), -1);
                   })
      .def("statistics", as_text(&BoundLoader::statistics))
      .def("faults", as_text(&BoundLoader::faults))
      .def("buckets", as_text(&BoundLoader::buckets));
}

}  // namespace seda::python
