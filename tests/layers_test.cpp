// SPDX-License-Identifier: Apache-2.0
// The include graph of src/seda, and the checker itself on trees with planted violations.
#include <map>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/include_graph.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Property;
using testing::SizeIs;
using testing_support::check_includes;
using testing_support::TemporaryFolder;
using testing_support::Violation;

TEST(Layers, OfThisTreePointOneWay) {
  std::string found;
  for (const Violation& violation : check_includes(testing_support::source_folder() / "src/seda")) {
    found += "src/seda/" + violation.text() + "\n";
  }
  EXPECT_THAT(found, IsEmpty());
}

/// Folder → how far down it stands in the picture.
std::map<std::string, int> heights_in_picture() {
  const std::string picture =
      testing_support::read_file(testing_support::source_folder() / "docs/architecture.svg");
  const std::regex name(R"re(y="(\d+)"[^>]*font-weight="bold"[^>]*>(\w+)<)re");
  std::map<std::string, int> heights;
  for (std::sregex_iterator at(picture.begin(), picture.end(), name), end; at != end; ++at)
    heights[(*at)[2]] = std::stoi((*at)[1]);
  return heights;
}

TEST(Layers, PictureHasEveryFolderAboveThoseItKnows) {
  const auto heights = heights_in_picture();
  EXPECT_THAT(heights, SizeIs(testing_support::layer_rules().size()));
  for (const auto& [folder, known] : testing_support::layer_rules()) {
    ASSERT_TRUE(heights.contains(folder)) << folder;
    for (const std::string& below : known) {
      EXPECT_LT(heights.at(folder), heights.at(below)) << folder << " knows " << below;
    }
  }
}

/// What the checker says of one planted file.
std::vector<Violation> planted(std::string_view file, std::string_view content) {
  const TemporaryFolder tree;
  tree.write(file, content);
  return check_includes(tree.path());
}

auto says(const std::string& text) {
  return Property(&Violation::text, HasSubstr(text));
}

TEST(Layers, UpwardIncludeIsFound) {
  EXPECT_THAT(
      planted("base/file.h", "#include \"seda/cli/app.h\"\n"),
      ElementsAre(says("base/file.h:1: includes seda/cli/app.h: base/ may not include cli/")));
  EXPECT_THAT(planted("cache/part.cpp", "\n#include \"seda/audio/mel.h\"\n"),
              ElementsAre(says("cache/part.cpp:2: includes seda/audio/mel.h")));
}

TEST(Layers, DownwardIncludeIsFine) {
  EXPECT_THAT(planted("feed/loader.cpp", "#include \"seda/cache/reader.h\"\n"), IsEmpty());
  EXPECT_THAT(planted("base/log.cpp", "#include \"seda/base/log.h\"\n"), IsEmpty());
}

TEST(Layers, TorchOutsideModelAndTrainIsFound) {
  EXPECT_THAT(planted("audio/mel.cpp", "#include <torch/torch.h>\n"),
              ElementsAre(says("contained in model/ and train/")));
  EXPECT_THAT(planted("feed/batch.h", "#  include <ATen/ATen.h>\n"), SizeIs(1));
  EXPECT_THAT(planted("train/loop_torch.cpp", "#include <torch/torch.h>\n"), IsEmpty());
}

TEST(Layers, CudaHeadersOnlyInCudaFiles) {
  EXPECT_THAT(planted("audio/mel.h", "#include <cuda_runtime.h>\n"), SizeIs(1));
  EXPECT_THAT(planted("audio/mel_cuda.cu", "#include <cuda_runtime.h>\n"), IsEmpty());
  EXPECT_THAT(planted("device/backend_cuda.cpp", "#include <cuda_runtime_api.h>\n"), IsEmpty());
}

TEST(Layers, LibrariesStayInDetail) {
  EXPECT_THAT(planted("audio/decode.cpp", "#include <sndfile.h>\n"), SizeIs(1));
  EXPECT_THAT(planted("audio/detail/sndfile_reader.cpp", "#include <sndfile.h>\n"), IsEmpty());
  EXPECT_THAT(planted("config/config.h", "#include <yaml-cpp/yaml.h>\n"), SizeIs(1));
  EXPECT_THAT(planted("text/detail/x.cpp", "#include <yaml-cpp/yaml.h>\n"), SizeIs(1));
}

TEST(Layers, UnknownLibraryFolderOrRelativeIncludeIsFound) {
  EXPECT_THAT(planted("base/x.cpp", "#include <boost/asio.hpp>\n"), ElementsAre(says("no rule")));
  EXPECT_THAT(planted("misc/x.cpp", "#include <vector>\n"), ElementsAre(says("no layer")));
  EXPECT_THAT(planted("base/x.cpp", "#include \"error.h\"\n"), ElementsAre(says("from the root")));
}

TEST(Layers, CommentedIncludeDoesNotCount) {
  EXPECT_THAT(planted("base/x.cpp", "// #include <torch/torch.h>\n"), IsEmpty());
}

}  // namespace
}  // namespace seda
