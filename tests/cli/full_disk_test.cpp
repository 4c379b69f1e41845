// SPDX-License-Identifier: Apache-2.0
// Every file that the program writes, where there is no room for it and where it may not be
// written: the exit code is 3, the message names path and reason, what was there before is there
// after, and nothing half is left behind.
#include <functional>
#include <iostream>
#include <map>

#include <gmock/gmock.h>

#include "seda/base/json.h"
#include "tests/cli/hostile_place.h"

namespace seda::cli {
namespace {

using namespace testing_support;
using seda::testing_support::read_file;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
namespace fs = std::filesystem;

constexpr int kClips = 6;

/// Runs the program where no file may grow over `blocks` of 512 bytes: what a full disk is to a
/// program, without privileges and in any container. Messages are in `out`, too: stderr must not
/// be a file here.
ProgramResult run_limited(int blocks, const std::string& arguments, const fs::path& folder) {
  return run_shell("(exec 2>&1; trap '' XFSZ; ulimit -f " + std::to_string(blocks) +
                       "; OMP_NUM_THREADS=1 exec " + program() + " " + arguments + ")",
                   folder);
}

/// A folder in which nobody may write, while this lives.
class ReadOnly {
 public:
  explicit ReadOnly(const fs::path& folder) { set(folder, fs::perms(0555)); }
  ~ReadOnly() { restore(); }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;

 private:
  void set(const fs::path& folder, fs::perms permissions) {
    folders_.push_back(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_directory()) folders_.push_back(entry.path());
    for (const fs::path& each : folders_)
      fs::permissions(each, permissions);
  }
  void restore() {
    for (const fs::path& each : folders_)
      fs::permissions(each, fs::perms(0755));
  }

  std::vector<fs::path> folders_;
};

/// Paths below `folder` with what is in them, without locks, which stay.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == "LOCK" || name == "diagnostic_report.txt" ||
        name.find(".lock") != std::string::npos)
      continue;
    out[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
  }
  return out;
}

/// A command that writes below out/, and what it cannot write.
struct WriteCase {
  const char* name;
  std::string arguments;
  std::string path;  ///< That the message names, without privileges or room.
  bool needs_torch = false;
};

const std::string kData = "corpus --config voice.yaml ";

const std::string kDiagnose = "diagnose " + kData + "--step-ms 1 --num-batches 3 ";
const std::string kProfile = "profile data " + kData + "--num-batches 3 ";

std::vector<WriteCase> write_cases() {
  return {
      {"prepare", "prepare " + kData + "--cache-dir out/cache", "out/cache"},
      {"merge", "cache merge out/merged corpus", "out/merged"},
      {"corpus", "corpus out/made --clips 2", "out/made"},
      {"mel", "mel corpus/wavs/c0.wav --output out/old.npy", "out/old.npy"},
      {"mels", "mel corpus/wavs/c0.wav corpus/wavs/c1.wav --output out/mels", "out/mels"},
      {"validate", "validate " + kData + "--output out/old.txt", "out/old.txt"},
      {"validate_page", "validate " + kData + "--html out/old.html", "out/old.html"},
      {"validate_fix", "validate corpus --config out/old.yaml --fix", "out/old.yaml"},
      {"diagnose", kDiagnose + "--output out/old.txt", "out/old.txt"},
      {"diagnose_page", kDiagnose + "--html out/old.html", "out/old.html"},
      {"diagnose_trace", kDiagnose + "--trace out/old.json", "out/old.json"},
      {"diagnose_bundle", kDiagnose + "--bundle out/old.tar.gz", "out/old.tar.gz"},
      {"profile", kProfile + "--output out/old.txt", "out/old.txt"},
      {"profile_page", kProfile + "--html out/old.html", "out/old.html"},
      {"profile_trace", kProfile + "--trace out/old.json", "out/old.json"},
      {"tune", "tune corpus --config out/tuned.yaml --seconds 2 --apply", "out/tuned.yaml"},
      {"watch", "watch --output out/old.txt -- true", "out/old.txt"},
      {"watch_page", "watch --html out/old.html -- true", "out/old.html"},
      {"demo", "demo out/demo --steps 1", "out/demo", true},
      {"train", "train " + kData + "--checkpoint-dir out/run", "out/run", true},
      {"synth", "synth --checkpoint run --text 'A b.' --output out/old.wav", "out/old.wav", true},
      {"synth_many", "synth --checkpoint run --text a --text b --output out/spoken", "out/spoken",
       true},
  };
}

/// Those, but for what is no error of writing then, and files of a run that do not stand in its
/// folder.
std::vector<WriteCase> cases_in_the_way() {
  std::vector<WriteCase> cases = write_cases();
  std::erase_if(cases, [](const WriteCase& entry) { return entry.path.ends_with(".yaml"); });
  for (WriteCase& entry : cases)
    entry.path = "out";
  const std::string train = "train " + kData + "--max-steps 6 --checkpoint-dir run ";
  cases.push_back({"train_trace", train + "--trace out/old.json", "out/old.json", true});
  cases.push_back({"train_batches", train + "--trace-batches out/a.jsonl", "out", true});
  cases.push_back({"train_events", train + "--tensorboard-log-dir out/events", "out", true});
  return cases;
}

/// Where more workers than one are much faster.
const std::string kSlowStorage = "debug: {inject: [slow_storage=20]}\n";

/// A configuration that says nothing of workers.
std::string without_workers(std::string text) {
  const std::string one = "  num_workers: 1\n";
  return text.replace(text.find(one), one.size(), "");
}

/// One place for all, with a cache and, where there is torch, a voice: making them takes longest.
class Place {
 public:
  Place() {
    fs::permissions(folder_.path(), fs::perms(0755));
    write_place(folder_.path(), kClips);
    fs::create_directory(folder_ / "out");
    for (const char* name : {"old.npy", "old.txt", "old.html", "old.json", "old.tar.gz", "old.wav"})
      folder_.write(std::string("out/") + name, "what was there before");
    folder_.write("out/tuned.yaml", read_file(folder_ / "voice.yaml") + kSlowStorage);
    folder_.write("out/old.yaml", "data:\n  batch_size: 2\n  num_workrs: 1  # misspelt\n");
    const auto prepared = run_shell(program() + " prepare " + kData, folder_.path());
    if (prepared.exit_code != 0) throw std::runtime_error(prepared.err);
    torch_ = finds_torch("", folder_.path());
    if (!torch_) return;
    const auto trained =
        run_shell("OMP_NUM_THREADS=1 " + program() + " train " + kData + "--checkpoint-dir run",
                  folder_.path());
    if (trained.exit_code != 0) throw std::runtime_error(trained.err);
  }

  const fs::path& path() const { return folder_.path(); }
  bool torch() const { return torch_; }

 private:
  TemporaryFolder folder_;
  bool torch_ = false;
};

const Place& place() {
  static const Place made;
  return made;
}

/// Runs the command of a case as `run` does and expects that it fails and changes nothing.
template <typename Reason>
void expect_failure(const WriteCase& entry, const Reason& reason,
                    const std::function<ProgramResult()>& run) {
  const auto before = contents(place().path() / "out");
  const auto result = run();
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error: "), HasSubstr(entry.path), reason));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("unexpected")));
  EXPECT_EQ(contents(place().path() / "out"), before) << "something was lost or left behind";
}

/// Tries each case, but for those that need torch where there is none.
void for_each(const std::vector<WriteCase>& cases, bool torch,
              const std::function<void(const WriteCase&)>& try_one) {
  for (const WriteCase& entry : cases) {
    SCOPED_TRACE(entry.name);
    if (torch || !entry.needs_torch) {
      try_one(entry);
    } else {
      std::cout << "not tried, without torch: " << entry.name << "\n";
    }
  }
}

TEST(EveryWrite, WithoutRoomEndsWithPathAndReason) {
  for_each(write_cases(), place().torch(), [](const WriteCase& entry) {
    expect_failure(entry, HasSubstr("File too large"),
                   [&] { return run_limited(0, entry.arguments, place().path()); });
  });
}

TEST(EveryWrite, WhereNobodyMayEndsWithPathAndReason) {
  const std::string user = without_privileges();
  if (!can_run(user, place().path())) GTEST_SKIP() << "no setpriv, or another user cannot run it";
  for_each(write_cases(), finds_torch(user, place().path()), [&](const WriteCase& entry) {
    expect_failure(entry, AnyOf(HasSubstr("Permission denied"), HasSubstr("can be written to")),
                   [&] {
                     const ReadOnly everything(place().path());
                     return run_shell("exec 2>&1; " + user + program() + " " + entry.arguments,
                                      place().path());
                   });
  });
}

/// Runs the program with a file in the place of the folder out/.
ProgramResult run_with_file_in_the_way(const std::string& arguments) {
  const fs::path out = place().path() / "out";
  const fs::path kept = place().path() / "kept";
  fs::rename(out, kept);
  std::ofstream(out) << "in the way";
  const auto result =
      run_shell("exec 2>&1; OMP_NUM_THREADS=1 " + program() + " " + arguments, place().path());
  EXPECT_EQ(read_file(out), "in the way");
  fs::remove(out);
  fs::rename(kept, out);
  return result;
}

TEST(EveryWrite, WhereAFileIsInTheWayEndsWithPathAndReason) {
  for_each(cases_in_the_way(), place().torch(), [](const WriteCase& entry) {
    expect_failure(entry, AnyOf(HasSubstr("Not a directory"), HasSubstr("can be written to")),
                   [&] { return run_with_file_in_the_way(entry.arguments); });
  });
}

/// Verbs that measure, each with a word of its report and what it may write.
struct MeasureCase {
  std::string arguments;
  const char* word;
  std::vector<const char*> outputs;
};

std::vector<MeasureCase> measure_cases() {
  const std::vector<const char*> files = {"--output", "--html"};
  return {{"validate " + kData, "native loading", files},
          {kDiagnose, "VERDICT", {"--output", "--html", "--trace", "--bundle"}},
          {kProfile, "verdict", {"--output", "--html", "--trace"}}};
}

TEST(EveryReport, IsPrintedWhereItCannotBeWritten) {
  for (const MeasureCase& entry : measure_cases()) {
    std::string arguments = entry.arguments;
    for (const char* output : entry.outputs)
      arguments += std::string(" ") + output + " out/new";
    const auto result = run_limited(0, arguments, place().path());
    EXPECT_EQ(result.exit_code, 3) << result.out;
    EXPECT_THAT(result.out, AllOf(HasSubstr("File too large"), HasSubstr(entry.word)));
  }
}

TEST(EveryReport, WithoutAPlaceIsRefusedBeforeAnythingIsMeasured) {
  std::vector<MeasureCase> cases = measure_cases();
  cases.push_back({"profile step " + kData, "", {"--output", "--html", "--trace"}});
  cases.push_back({"profile dual " + kData, "", {"--output", "--html"}});
  for (const MeasureCase& entry : cases) {
    for (const char* output : entry.outputs) {
      for (const char* file : {"nowhere/new", "out"}) {
        const auto result =
            run_shell("exec 2>&1; " + program() + " " + entry.arguments + output + " " + file,
                      place().path());
        EXPECT_EQ(result.exit_code, 3) << result.out;
        EXPECT_THAT(result.out, AllOf(HasSubstr(std::string("error: cannot write ") + file),
                                      testing::Not(HasSubstr("clips: "))));
      }
    }
  }
}

/// What `cache verify` says of a cache; nothing where there is none.
Json verify(const std::string& cache, const fs::path& folder) {
  const auto result = run_shell(program() + " cache verify " + cache + " --json", folder);
  if (result.exit_code == 3 && result.err.find("holds no cache") != std::string::npos)
    return nullptr;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  return parse_json(result.out, "cache verify");
}

TEST(FullDisk, PreparingGoesOnOnceThereIsRoom) {
  const TemporaryFolder folder;
  write_place(folder.path(), kClips);
  for (const int blocks : {1, 4, 16, 64, 128}) {
    const std::string cache = "cache-" + std::to_string(blocks);
    const std::string prepare = "prepare " + kData + "--cache-dir " + cache;
    const auto limited = run_limited(blocks, prepare, folder.path());
    EXPECT_EQ(limited.exit_code, 3) << limited.out;
    EXPECT_THAT(limited.out, AllOf(HasSubstr(cache + "/"), HasSubstr("File too large")));
    const Json found = verify(cache, folder.path());
    EXPECT_TRUE(found.is_null() || found["bad"].empty()) << found;
    const auto whole = run_shell(program() + " " + prepare + " --json", folder.path());
    EXPECT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_EQ(parse_json(whole.out, "prepare")["clips"], kClips);
    EXPECT_THAT(verify(cache, folder.path())["unnamed"], IsEmpty());
  }
}

TEST(FullDisk, WhatWasSealedBeforeIsKept) {
  const TemporaryFolder folder;
  write_place(folder.path(), kClips);
  ASSERT_EQ(run_shell(program() + " prepare " + kData, folder.path()).exit_code, 0);
  const Json before = verify("corpus", folder.path());
  write_place(folder.path(), 4 * kClips);
  EXPECT_EQ(run_limited(16, "prepare " + kData, folder.path()).exit_code, 3);
  const Json after = verify("corpus", folder.path());
  EXPECT_GE(after["records"], before["records"]);
  EXPECT_THAT(after["bad"], IsEmpty());
}

TEST(FullDisk, ARunKeepsItsCheckpointsAndGoesOn) {
  const TemporaryFolder folder;
  write_place(folder.path(), kClips);
  if (!finds_torch("", folder.path())) GTEST_SKIP() << "no torch";
  const std::string train = "train " + kData + "--checkpoint-dir run ";
  const std::string here = "OMP_NUM_THREADS=1 " + program() + " ";
  ASSERT_EQ(run_shell(here + train, folder.path()).exit_code, 0);
  const std::string weights = read_file(folder / "run/step-00000004/training.safetensors");
  const auto limited = run_limited(64, train + "--max-steps 8", folder.path());
  EXPECT_EQ(limited.exit_code, 3);
  EXPECT_THAT(limited.out, AllOf(HasSubstr("run/"), HasSubstr("File too large")));
  EXPECT_EQ(read_file(folder / "run/step-00000004/training.safetensors"), weights);
  EXPECT_FALSE(fs::exists(folder / "run/step-00000006"));
  const auto whole = run_shell(here + train + "--max-steps 8", folder.path());
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.err, HasSubstr("going on from run/step-00000004"));
  EXPECT_TRUE(fs::exists(folder / "run/step-00000008/checkpoint.json"));
}

TEST(FullDisk, TuningWithRoomForTheCopyAloneLeavesTheFile) {
  const TemporaryFolder folder;
  write_place(folder.path(), kClips);
  const std::string text = without_workers(read_file(folder / "voice.yaml")) + kSlowStorage;
  const std::string before = text + "#" + std::string(510 - text.size(), '-') + "\n";
  folder.write("voice.yaml", before);  // a block, and another with the line that is found
  ASSERT_EQ(run_shell(program() + " prepare " + kData, folder.path()).exit_code, 0);
  const auto limited =
      run_limited(1, "tune " + kData + "--num-workers 1 --seconds 2 --apply", folder.path());
  EXPECT_EQ(limited.exit_code, 3) << limited.out;
  EXPECT_THAT(limited.out,
              AllOf(HasSubstr("cannot write voice.yaml: File too large"), HasSubstr("make room")));
  EXPECT_EQ(read_file(folder / "voice.yaml"), before);
  EXPECT_FALSE(fs::exists(folder / "voice.yaml.bak-1"));
}

TEST(FullDisk, APictureWithoutRoomLeavesItsMelWhole) {
  const TemporaryFolder folder;
  write_place(folder.path(), 1);
  const std::string mel = program() + " mel corpus/wavs/c0.wav --png --output out/";
  fs::create_directory(folder / "out");
  ASSERT_EQ(run_shell(mel + "a.npy", folder.path()).exit_code, 0);
  fs::create_symlink("/dev/full", folder / "out/b.png");
  const auto result = run_shell(mel + "b.npy", folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("out/b.png: No space left on device"));
  EXPECT_EQ(read_file(folder / "out/b.npy"), read_file(folder / "out/a.npy"));
  EXPECT_THAT(contents(folder / "out"), ElementsAre(Key("a.npy"), Key("a.png"), Key("b.npy")));
}

// A disk of its own, full indeed, where this process may mount one.
TEST(FullDisk, ARealOneSaysThatNoSpaceIsLeft) {
  const TemporaryFolder folder;
  write_place(folder.path(), kClips);
  fs::create_directory(folder / "disk");
  const std::string seda = program();
  const auto result = run_shell(
      "cat > try.sh <<'END'\n"
      "mount -t tmpfs -o size=96k none disk || exit 77\n" +
          seda + " prepare corpus --config voice.yaml --cache-dir disk/cache -q; echo first $?\n" +
          seda + " cache verify disk/cache -q; echo verified $?\n" +
          "mount -o remount,size=8m disk || exit 77\n" + seda +
          " prepare corpus --config voice.yaml --cache-dir disk/cache -q >prepared; echo second "
          "$?\n" +
          seda + " cache verify disk/cache -q\nEND\nunshare -rm sh try.sh || exit 77",
      folder.path());
  if (result.exit_code == 77) GTEST_SKIP() << "this process may not mount a disk: " << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("disk/cache/"), HasSubstr("No space left on device")));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("first 3\n"), HasSubstr("second 0\n"), HasSubstr("0 bad")));
}

TEST(FullDisk, OutputThatNobodyTakesIsAnError) {
  const TemporaryFolder folder;
  write_place(folder.path(), 2);
  for (const std::string arguments :
       {"--help", "prepare --help", "--version", "--version --json", "config show", "config keys",
        "completion bash", "prepare corpus --config voice.yaml",
        "prepare corpus --config voice.yaml --json", "cache stat corpus --json",
        "cache verify corpus", "cache gc corpus", "validate corpus --config voice.yaml --json",
        "mel corpus/wavs/c0.wav --json", "text voice.yaml --stage normalize",
        "profile data corpus --config voice.yaml --num-batches 2 --json"}) {
    for (const char* nowhere : {" >/dev/full", " >&-"}) {
      const auto result = run_shell(program() + " " + arguments + nowhere, folder.path());
      EXPECT_EQ(result.exit_code, 3) << arguments << nowhere;
      EXPECT_THAT(result.err, HasSubstr("cannot write to standard output: ")) << arguments;
    }
  }
}

}  // namespace
}  // namespace seda::cli
