// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seda::cache {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Fingerprint, DoesNotDependOnTheOrderOfKeys) {
  const Json a = {{"x", 1}, {"y", {{"p", 2}, {"q", 3}}}};
  const Json b = {{"y", {{"q", 3}, {"p", 2}}}, {"x", 1}};
  EXPECT_EQ(fingerprint_of(a), fingerprint_of(b));
}

TEST(Fingerprint, DependsOnEveryValue) {
  const Json a = {{"x", 1}, {"y", {1, 2}}};
  for (const Json& other : {Json{{"x", 2}, {"y", {1, 2}}}, Json{{"x", 1}, {"y", {2, 1}}},
                            Json{{"x", 1.0}, {"y", {1, 2}}}, Json{{"x", "1"}, {"y", {1, 2}}},
                            Json{{"x", 1}}, Json::object(), Json()}) {
    EXPECT_NE(fingerprint_of(a), fingerprint_of(other)) << other;
  }
}

TEST(Fingerprint, IsTheSameInEveryRelease) {
  EXPECT_EQ(fingerprint_of({{"mel", {{"n_mels", 80}}}}).hex(), "fc4b0c53822241426838f50f24d2199b");
}

TEST(Fingerprint, SurvivesTextThatIsNotUtf8AndJsonText) {
  const Json odd = {{"name", "\xff"}};
  EXPECT_EQ(fingerprint_of(odd), fingerprint_of({{"name", "\xEF\xBF\xBD"}}));
  const Json value = {{"x", 0.1}, {"y", 1e300}, {"z", -0.0}};
  EXPECT_EQ(fingerprint_of(Json::parse(to_json_text(value))), fingerprint_of(value));
}

TEST(Differences, NameEachParameterThatDiffers) {
  const Json from = {{"version", 1}, {"mel", {{"n_mels", 80}, {"hop", 256}}}, {"gone", true}};
  const Json to = {{"version", 1}, {"mel", {{"n_mels", 100}, {"hop", 256}}}, {"new", "x"}};
  const auto found = differences(from, to);
  EXPECT_THAT(found, ElementsAre(Difference{"mel.n_mels", "80", "100"},
                                 Difference{"gone", "true", "nothing"},
                                 Difference{"new", "nothing", "\"x\""}));
  EXPECT_EQ(found[0].text(), "mel.n_mels: 80 -> 100");
  EXPECT_THAT(differences(from, from), IsEmpty());
}

TEST(Differences, AnObjectInPlaceOfAValueIsOne) {
  EXPECT_THAT(differences({{"a", 1}}, {{"a", {{"b", 1}}}}),
              ElementsAre(Difference{"a", "1", "{\"b\":1}"}));
}

}  // namespace
}  // namespace seda::cache
