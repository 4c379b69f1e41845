// SPDX-License-Identifier: Apache-2.0
#include "seda/train/torch_location.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using testing::HasSubstr;

class FindTorch : public testing::Test {
 protected:
  void put_torch(const std::string& folder, const std::string& version) const {
    machine.write(folder + "/torch/version.py", "debug = False\n__version__ = '" + version + "'\n");
  }

  std::string at(const std::string& folder) const { return (machine / folder).string(); }

  std::variant<TorchLocation, TorchMissing> find() const {
    return find_torch({.environment = [this](const char* name) -> std::optional<std::string> {
                         const auto entry = environment.find(name);
                         if (entry == environment.end()) return std::nullopt;
                         return entry->second;
                       },
                       .program_root = machine / "program",
                       .wanted_version = "2.11.0"});
  }

  TorchLocation found() const { return std::get<TorchLocation>(find()); }
  std::string reason() const { return std::get<TorchMissing>(find()).reason; }

  testing_support::TemporaryFolder machine;
  std::map<std::string, std::string> environment = {{"HOME", at("home")}};
};

TEST_F(FindTorch, SetUpFolderOfTheUser) {
  put_torch("home/.local/share/seda/torch-2.11.0", "2.11.0+cu130");
  EXPECT_EQ(found().folder, at("home/.local/share/seda/torch-2.11.0"));
  EXPECT_EQ(found().version, "2.11.0+cu130");
  EXPECT_EQ(found().found_by, "set-up folder");
}

TEST_F(FindTorch, SedaHomeMovesTheSetUpFolder) {
  put_torch("elsewhere/torch-2.11.0", "2.11.0");
  environment["SEDA_HOME"] = at("elsewhere");
  EXPECT_EQ(found().folder, at("elsewhere/torch-2.11.0"));
}

TEST_F(FindTorch, BesideTheProgramComesFirst) {
  put_torch("home/.local/share/seda/torch-2.11.0", "2.11.0");
  put_torch("program", "2.11.1");
  EXPECT_EQ(found().found_by, "beside the program");
}

TEST_F(FindTorch, PythonOfThePath) {
  machine.write("venv/bin/python3", "");
  put_torch("venv/lib/python3.12/site-packages", "2.11.0+cu130");
  environment["PATH"] = at("nothing") + "::" + at("venv/bin");
  EXPECT_EQ(found().folder, at("venv/lib/python3.12/site-packages"));
  EXPECT_EQ(found().found_by, "active Python");
}

TEST_F(FindTorch, TheNewestPythonOfAFolderFirst) {
  put_torch("env/lib/python3.9/site-packages", "2.11.0");
  put_torch("env/lib/python3.12/site-packages", "2.11.0");
  environment["VIRTUAL_ENV"] = at("env");
  EXPECT_EQ(found().folder, at("env/lib/python3.12/site-packages"));
}

TEST_F(FindTorch, ActiveEnvironmentBeforeThePath) {
  put_torch("env/lib/python3.11/site-packages", "2.11.0");
  machine.write("usr/bin/python3", "");
  put_torch("usr/lib/python3/dist-packages", "2.11.0");
  environment["VIRTUAL_ENV"] = at("env");
  environment["PATH"] = at("usr/bin");
  EXPECT_EQ(found().folder, at("env/lib/python3.11/site-packages"));
}

TEST_F(FindTorch, OtherVersionIsNamedAndPassedOver) {
  put_torch("env/lib/python3.11/site-packages", "2.9.1");
  environment["VIRTUAL_ENV"] = at("env");
  EXPECT_THAT(reason(), HasSubstr("torch 2.11.0 not found"));
  EXPECT_THAT(reason(),
              HasSubstr(at("env/lib/python3.11/site-packages") + " (active Python, with 2.9.1)"));
  put_torch("home/.local/lib/python3.11/site-packages", "2.11.0");
  EXPECT_EQ(found().version, "2.11.0");
}

TEST_F(FindTorch, SedaTorchIsBinding) {
  put_torch("home/.local/share/seda/torch-2.11.0", "2.11.0");
  environment["SEDA_TORCH"] = at("wrong");
  EXPECT_THAT(reason(), HasSubstr("SEDA_TORCH=" + at("wrong")));
  put_torch("wrong", "2.12.0");
  EXPECT_THAT(reason(), HasSubstr("2.12.0"));
}

TEST_F(FindTorch, NothingAnywhereSaysWhatToInstall) {
  EXPECT_THAT(reason(), HasSubstr("pip install torch==2.11.0"));
  EXPECT_THAT(reason(), HasSubstr("scripts/setup.sh torch"));
  EXPECT_THAT(reason(), HasSubstr("looked in " + at("program") + " (beside the program), " +
                                  at("home/.local/share/seda/torch-2.11.0") + " (set-up folder);"));
  environment.erase("HOME");
  EXPECT_THAT(reason(), HasSubstr("; HOME is not set;"));
}

TEST_F(FindTorch, BuildWithoutTrainerSaysSo) {
  auto search = TorchSearch::of_this_process();
  search.wanted_version = "";
  EXPECT_THAT(std::get<TorchMissing>(find_torch(search)).reason, HasSubstr("no trainer"));
}

TEST(SameRelease, MajorAndMinorDecide) {
  EXPECT_TRUE(same_release("2.11.0+cu130", "2.11.0"));
  EXPECT_TRUE(same_release("2.11.3", "2.11.0"));
  EXPECT_FALSE(same_release("2.1.0", "2.11.0"));
  EXPECT_FALSE(same_release("2.110.0", "2.11.0"));
  EXPECT_FALSE(same_release("3.11.0", "2.11.0"));
  EXPECT_FALSE(same_release("", "2.11.0"));
  EXPECT_FALSE(same_release("2.11.0", ""));
}

}  // namespace
}  // namespace seda::train
