// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/evidence_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seda::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(EvidenceLines, UnitsComeFromTheNames) {
  const Json evidence = {{"ram_bytes", 2048},  {"open_s", 0.5},        {"step_ms", 20},
                         {"data_stall", 0.25}, {"clips_per_s", 761.4}, {"pinned", false},
                         {"graph_ms", Json()}};
  EXPECT_THAT(evidence_lines(evidence),
              ElementsAre(Pair("ram", "2.0 KiB"), Pair("open", "500 ms"), Pair("step", "20 ms"),
                          Pair("data stall", "25.0 %"), Pair("clips per s", "761"),
                          Pair("pinned", "no"), Pair("graph", "not known")));
}

TEST(EvidenceLines, NestedValuesAreToldInOneLineOrByTheirNames) {
  const Json evidence = {{"batch_ms", {{"mean", 20}, {"median", 19}}},
                         {"links", {"PIX", "NV18"}},
                         {"oscillation", {{"every_s", 0.06}}},
                         {"none", Json::object()},
                         {"deep", {{"a", {{"value", 1}}}}},
                         {"not_at_default", {{"data.batch_size", {{"value", 4}}}}},
                         {"plan", {{{"role", "host"}, {"bytes", 2048}}}}};
  EXPECT_THAT(
      evidence_lines(evidence),
      ElementsAre(Pair("batch", "mean 20 ms, median 19 ms"), Pair("links", "PIX, NV18"),
                  Pair("oscillation", "every 60 ms"), Pair("none", "none"),
                  Pair("deep, a", "value 1"), Pair("not at default, data.batch_size", "value 4"),
                  Pair("plan", "role host, bytes 2.0 KiB")));
}

TEST(EvidenceLines, SettingsAreToldAsAFileHasThem) {
  const Json evidence = {
      {"not_at_default",
       {{"data.native_loading", {{"value", false}, {"default", "true"}, {"source", "seda.yaml:3"}}},
        {"training.gradient_clip_norm", {{"value", Json()}, {"default", "1"}, {"source", "x"}}},
        {"data.text.cleaners",
         {{"value", {"unicode", "emoji"}}, {"default", "auto: all"}, {"source", "seda.yaml:5"}}}}}};
  EXPECT_THAT(
      evidence_lines(evidence),
      ElementsAre(Pair("not at default, data.native_loading", "false (seda.yaml:3), default true"),
                  Pair("not at default, training.gradient_clip_norm", "unset (x), default 1"),
                  Pair("not at default, data.text.cleaners",
                       "unicode, emoji (seda.yaml:5), default auto: all")));
}

}  // namespace
}  // namespace seda::cli
