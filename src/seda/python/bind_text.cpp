// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/cli/text_lines.h"
#include "seda/feed/prepare_options.h"
#include "seda/python/bindings.h"
#include "seda/python/interruptible.h"
#include "seda/python/unlocked.h"

namespace seda::python {
namespace {

namespace nb = nanobind;

text::Stage stage_of(const std::string& name) {
  if (name == "normalize") return text::Stage::normalize;
  if (name == "phonemes") return text::Stage::phonemes;
  if (name == "tokens") return text::Stage::tokens;
  throw_error(ErrorKind::usage, "stage: expected normalize, phonemes or tokens, found '{}'", name);
}

/// A frontend that goes as far as one stage.
class BoundFrontend {
 public:
  BoundFrontend(const config::Config& config, const std::string& stage)
      : stage_(stage_of(stage)),
        frontend_(cli::make_frontend(config, stage_)),
        threads_(feed::worker_threads(config)) {}

  std::string apply(const std::vector<std::string>& lines) const {
    std::string out;
    if (lines.size() == 1) {
      const Unlocked unlocked;
      out = to_text(lines, {frontend_.apply(lines.front(), "")});
    } else {
      run_interruptibly([&] { out = to_text(lines, cli::apply_all(frontend_, lines, threads_)); });
    }
    return out;
  }

 private:
  std::string to_text(const std::vector<std::string>& lines,
                      const std::vector<text::Line>& results) const {
    Json out = Json::array();
    for (size_t i = 0; i < lines.size(); ++i)
      out.push_back(cli::to_json(lines[i], results[i], stage_));
    return to_json_text(out, -1);
  }

  text::Stage stage_;
  text::Frontend frontend_;
  int threads_;
};

}  // namespace

void bind_text(nb::module_& module) {
  nb::class_<BoundFrontend>(module, "Frontend", "Lines to normalised text, phonemes, tokens.")
      .def(nb::init<const config::Config&, const std::string&>(), nb::arg("config"),
           nb::arg("stage"))
      .def("apply", &BoundFrontend::apply, nb::arg("lines"));
}

}  // namespace seda::python
