// SPDX-License-Identifier: Apache-2.0
// The same small job in surroundings that other programs stumble over: it comes out the same.
#include <functional>
#include <memory>
#include <ostream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "seda/base/json.h"
#include "tests/cli/hostile_place.h"
#include "tests/support/other_locale.h"

namespace seda::cli {
namespace {

using namespace testing_support;
using seda::testing_support::MadeLocale;
using seda::testing_support::read_file;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

constexpr int kPlain = 5;
constexpr int kClips = kPlain + 2;

/// What is seen of a job: everything that must not depend on where it is done.
struct Seen {
  std::string clips;
  std::string verified;
  std::string settings;
  std::string tokens;
  std::string mel;
  std::string mended;

  bool operator==(const Seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << "clips " << seen.clips << "\nverified " << seen.verified << "\nsettings "
             << seen.settings << "\ntokens " << seen.tokens << "\nmended " << seen.mended;
}

/// A corpus in `folder` and the program called there with `prefix` before it.
class Job {
 public:
  Job(fs::path folder, std::string prefix)
      : folder_(std::move(folder)), prefix_(std::move(prefix)) {
    write_place(folder_, kPlain);
    std::ofstream metadata(folder_ / "corpus/metadata.csv", std::ios::app);
    for (const char* name : {"گفتار ۱", "it's \"two\" words"}) {
      metadata << name << "|Yes.\n";
      fs::copy_file(folder_ / "corpus/wavs/c0.wav",
                    folder_ / "corpus/wavs" / (std::string(name) + ".wav"));
    }
    corpus_ = quoted(fs::absolute(folder_ / "corpus").string());
    std::ofstream(folder_ / "lines.txt") << "It cost 3.25, or 1,234.5.\nقیمت ۳٫۵ بود.\n";
    std::ofstream(folder_ / "mend.yaml")
        << "data:\n  batch_sise: 2  # misspelt\ntraining: {lr: 0.00025}\n";
  }

  ProgramResult run(const std::string& arguments) const {
    return run_shell(prefix_ + program() + " " + arguments, folder_);
  }

  /// What it prints, when it ends with 0.
  std::string output(const std::string& arguments) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
    EXPECT_THAT(result.err, testing::Not(HasSubstr("unexpected")));
    return result.out;
  }

  Json json(const std::string& arguments) const {
    return parse_json(output(arguments + " --json"), arguments);
  }

  Seen see() const {
    Seen seen;
    const Json prepared = json("prepare " + corpus_ + " --config voice.yaml");
    seen.clips = Json{prepared["clips"], prepared["hours"], prepared["faults"]}.dump();
    const Json verified = json("cache verify " + corpus_);
    seen.verified = Json{verified["records"], verified["bad"], verified["unnamed"]}.dump();
    seen.settings = output("config show --config voice.yaml");
    seen.tokens = output("text lines.txt --config voice.yaml --json");
    output("mel " + corpus_ + "/wavs/c1.wav --output c1.npy");
    seen.mel = read_file(folder_ / "c1.npy");
    const Json profile = json("profile data " + corpus_ + " --config voice.yaml --num-batches 2");
    EXPECT_TRUE(profile.is_object());
    run("validate " + corpus_ + " --config mend.yaml --fix");
    seen.mended = read_file(folder_ / "mend.yaml");
    return seen;
  }

 private:
  fs::path folder_;
  std::string corpus_;  // as the shell takes it
  std::string prefix_;
};

const Seen& seen_in_plain_surroundings() {
  static const Seen seen = [] {
    const TemporaryFolder folder;
    return Job(folder.path(), "").see();
  }();
  return seen;
}

struct Surrounding {
  const char* name;
  std::string prefix;
  std::string folder = "plain";
};

std::ostream& operator<<(std::ostream& out, const Surrounding& surrounding) {
  return out << surrounding.name;
}

class OddPlace : public testing::TestWithParam<Surrounding> {};

TEST_P(OddPlace, DoesNotChangeTheJob) {
  const Surrounding& surrounding = GetParam();
  const TemporaryFolder folder;
  if (run_shell(surrounding.prefix + "true", folder.path()).exit_code != 0)
    GTEST_SKIP() << "'" << surrounding.prefix << "' does not work here";
  EXPECT_EQ(Job(folder / surrounding.folder, surrounding.prefix).see(),
            seen_in_plain_surroundings());
}

INSTANTIATE_TEST_SUITE_P(
    Table, OddPlace,
    testing::ValuesIn(std::vector<Surrounding>{
        {"Spaces", "", "my  voice "},
        {"LineFeeds", "", "two\nlines"},
        {"Quotes", "", "it's a \"voice\""},
        {"ShellSigns", "", "$(x) `y` *;&|"},
        {"Persian", "", "صدای من"},
        {"PersianInLocaleC", "env LC_ALL=C ", "صدای من"},
        {"NotUtf8", "", "latin-\xe9"},
        {"LikeAFlag", "", "--json"},
        {"Umask077", "umask 077; "},
        {"NoHome", "env -u HOME "},
        {"NoEnvironment", "env -i ASAN_OPTIONS=\"$ASAN_OPTIONS\" TSAN_OPTIONS=\"$TSAN_OPTIONS\" "},
        {"NoTemporaryFolder", "env TMPDIR=/dev/null/none "},
        {"NoNetwork", "unshare -rn "},
        {"StdinClosed", "exec <&-; "},
        {"StdinIsAFolder", "exec </; "},
        {"FewFiles", "ulimit -n 64; "},
    }),
    [](const auto& entry) { return std::string(entry.param.name); });

TEST(Surroundings, LocalesDoNotChangeTheJob) {
  for (const char* name : {"de_DE", "fa_IR"}) {
    const MadeLocale locale(name);
    if (!locale.made()) GTEST_SKIP() << "no localedef, or no source of " << name;
    const TemporaryFolder folder;
    ASSERT_EQ(run_shell(locale.prefix() + "locale charmap", folder.path()).out, "UTF-8\n") << name;
    EXPECT_EQ(Job(folder / "place", locale.prefix()).see(), seen_in_plain_surroundings()) << name;
  }
}

TEST(Surroundings, AnotherUserDoesTheJobInAFolderOfItsOwn) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0777));
  const std::string user = without_privileges() + "env -u HOME ";
  if (!can_run(user, folder.path())) GTEST_SKIP() << "no setpriv, or the other cannot run it";
  const Job job(folder / "place", user);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    fs::permissions(entry.path(), fs::perms(0777));
  fs::permissions(folder / "place", fs::perms(0777));
  EXPECT_EQ(job.see(), seen_in_plain_surroundings());
}

TEST(Surroundings, ACacheOfAnotherUserIsReadWithoutWriting) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  ASSERT_EQ(Job(folder / "place", "").run("prepare corpus --config voice.yaml").exit_code, 0);
  const std::string user = without_privileges();
  if (!can_run(user, folder.path())) GTEST_SKIP() << "no setpriv, or the other cannot run it";
  for (const char* read_only : {"place/corpus/.seda", "place/corpus", "place"})
    fs::permissions(folder / read_only, fs::perms(0555));
  const auto result = run_shell(
      user + program() + " profile data corpus --config voice.yaml --num-batches 2 --json",
      folder / "place");
  for (const char* mine : {"place", "place/corpus", "place/corpus/.seda"})
    fs::permissions(folder / mine, fs::perms(0755));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("CACHE LOADED"));
}

TEST(Surroundings, UmaskIsKept) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "umask 077; ");
  job.output("prepare corpus --config voice.yaml");
  for (const auto& entry : fs::recursive_directory_iterator(folder / "place/corpus/.seda"))
    EXPECT_EQ(entry.status().permissions() & fs::perms(0077), fs::perms::none) << entry.path();
}

TEST(Surroundings, StreamsThatAreClosedGetNoFileOfOurs) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "");
  for (const char* closed : {"<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    fs::remove_all(folder / "place/corpus/.seda");
    job.run(std::string("prepare corpus --config voice.yaml ") + closed);
    const Json verified = job.json("cache verify corpus");
    EXPECT_THAT(verified["bad"], IsEmpty()) << closed;
    EXPECT_EQ(job.json("prepare corpus --config voice.yaml")["audio_hits"], kClips) << closed;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "place/corpus/.seda"))
      EXPECT_THAT(read_file(entry.path()), testing::Not(HasSubstr("CACHE SAVED"))) << closed;
  }
}

// A run holds its log open while it says how far it is.
TEST(Surroundings, ARunWhoseStreamsAreClosedHasNothingButJsonInItsLog) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "OMP_NUM_THREADS=1 ");
  if (!finds_torch("", folder.path())) GTEST_SKIP() << "no torch";
  for (const char* closed : {">&- 2>&-", "<&- >&- 2>&-"}) {
    fs::remove_all(folder / "place/run");
    job.run(std::string("train corpus --config voice.yaml --checkpoint-dir run ") + closed);
    std::ifstream log(folder / "place/run/log.jsonl");
    int lines = 0;
    for (std::string line; std::getline(log, line); ++lines)
      EXPECT_NO_THROW(parse_json(line, "log.jsonl")) << closed;
    EXPECT_GE(lines, 4) << closed;
  }
}

TEST(Surroundings, AMissingTemporaryFolderIsNamedWhereOneIsNeeded) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "env TMPDIR=/dev/null/none ");
  if (!finds_torch("", folder.path())) GTEST_SKIP() << "no torch";
  const auto result = job.run("profile step corpus --config voice.yaml --num-steps 1");
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("/dev/null/none/"), HasSubstr("TMPDIR")));
}

TEST(Surroundings, CorpusByAnyPath) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "");
  fs::create_directory_symlink("corpus", folder / "place/link");
  fs::create_directories(folder / "place/a/b");
  const std::string absolute = quoted((folder / "place/corpus").string());
  int read = kClips;  // by the first; then the cache has them
  for (const std::string& path :
       {std::string("corpus"), std::string("./corpus/"), std::string("a/../corpus"),
        std::string("link"), std::string("link/"), std::string("corpus/metadata.csv"), absolute}) {
    const Json prepared = job.json("prepare " + path + " --config voice.yaml");
    EXPECT_EQ(prepared["clips"], kClips) << path;
    EXPECT_EQ(prepared["audio_built"], read) << path;
    read = 0;
  }
  const auto inside = run_shell(
      "cd corpus && " + program() + " prepare . --config ../voice.yaml --json", folder / "place");
  EXPECT_EQ(parse_json(inside.out, "inside")["audio_hits"], kClips);
}

TEST(Surroundings, ACorpusWhoseSoundsAreLinks) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "");
  fs::rename(folder / "place/corpus/wavs", folder / "sounds");
  fs::create_directory(folder / "place/corpus/wavs");
  for (const auto& sound : fs::directory_iterator(folder / "sounds"))
    fs::create_symlink(sound.path(), folder / "place/corpus/wavs" / sound.path().filename());
  EXPECT_EQ(job.json("prepare corpus --config voice.yaml")["clips"], kClips);
}

TEST(Surroundings, ACorpusOfOneClip) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "");
  std::ofstream(folder / "place/corpus/metadata.csv") << "c0|Alone.\n";
  EXPECT_EQ(job.json("prepare corpus --config voice.yaml")["clips"], 1);
  EXPECT_TRUE(job.json("profile data corpus --config voice.yaml --num-batches 3").is_object());
}

TEST(Surroundings, ACorpusOfNoClipsIsRefusedByEveryVerbThatNeedsOne) {
  const TemporaryFolder folder;
  const Job job(folder / "place", "");
  for (const char* metadata : {"", "\n", "\xEF\xBB\xBF"}) {
    std::ofstream(folder / "place/corpus/metadata.csv") << metadata;
    for (const char* verb :
         {"prepare", "profile data", "validate", "diagnose --step-ms 1", "tune"}) {
      const auto result = job.run(std::string(verb) + " corpus --config voice.yaml");
      EXPECT_THAT(result.exit_code, testing::AnyOf(1, 2, 3)) << verb << result.err;
      EXPECT_THAT(result.out + result.err, HasSubstr("metadata.csv")) << verb;
      EXPECT_THAT(result.err, testing::Not(HasSubstr("unexpected"))) << verb;
    }
  }
}

}  // namespace
}  // namespace seda::cli
