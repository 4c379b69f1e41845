// SPDX-License-Identifier: Apache-2.0
// The page and the metrics of `seda watch --serve`, read by a browser and by Prometheus' parser.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "seda/base/file_descriptor.h"
#include "tests/support/run_program.h"
#include "tests/support/source_folder.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing_support::ProgramResult;
using testing_support::read_file;
using testing_support::run_shell;
using testing_support::source_folder;
using testing_support::TemporaryFolder;

constexpr int kMissing = 77;

/// In the watched command: `$port` is that of the page, once it is known, and `get PATH` asks it.
constexpr const char* kClient = R"(
while [ -z "$port" ]; do port=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' log); done
get() {
  python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())' \
    "http://127.0.0.1:$port$1"
}
)";

class WatchServe : public testing::Test {
 protected:
  /// Runs `script` as the command of a watch that serves. stderr is in the file `log`.
  ProgramResult serve(const std::string& script, int gpu_percent) const {
    folder_.write("client.sh", kClient + script);
    std::filesystem::create_directories(folder_ / "nvml");
    std::filesystem::create_symlink(program_root() / "bin/libfake_nvml.so",
                                    folder_ / "nvml/libnvidia-ml.so.1");
    const std::string nvml = gpu_percent < 0 ? "/nonexistent" : (folder_ / "nvml").string();
    return run_shell(
        fmt::format("LD_LIBRARY_PATH={} FAKE_NVML_UTILIZATION={} '{}' watch --serve 0 --interval "
                    "0.05 -- bash client.sh 2>log",
                    nvml, gpu_percent, (program_root() / "bin/seda").string()),
        folder_.path());
  }

  static bool has(const std::string& program) {
    const TemporaryFolder empty;
    return run_shell("command -v " + program, empty.path()).exit_code == 0;
  }

  TemporaryFolder folder_;
};

TEST_F(WatchServe, PrometheusParserReadsTheMetrics) {
  if (!has("python3")) GTEST_SKIP() << "no python3 here";
  const auto result = serve(
      "until get /metrics >metrics.txt && grep -q seda_gpu_utilization_ratio metrics.txt; do :; "
      "done\n",
      62);
  ASSERT_EQ(result.exit_code, 0) << read_file(folder_ / "log");
  const auto parsed = run_shell(
      R"(readers="${SEDA_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/seda}/readers"
if [ -d "$readers" ]; then export PYTHONPATH="$readers"; python=/usr/bin/python3; else python=python3; fi
"$python" ')" +
          (source_folder() / "tests/cli/read_metrics.py").string() + "' metrics.txt",
      folder_.path());
  if (parsed.exit_code == kMissing)
    GTEST_SKIP() << "no prometheus_client (scripts/setup.sh readers installs it): " << parsed.err;
  EXPECT_EQ(parsed.exit_code, 0) << parsed.err;
  EXPECT_THAT(parsed.out, HasSubstr("seda_gpu_utilization_ratio [('gpu', '0'), ('name', 'NVIDIA "
                                    "Fake 1000')] 0.62\n"));
  EXPECT_THAT(parsed.out, HasSubstr("seda_gpu_power_limit_watts [('gpu', '1'), ('name', 'NVIDIA "
                                    "Fake 1000')] 700.0\n"));
  EXPECT_THAT(parsed.out, HasSubstr("seda_process_resident_memory_bytes [] "));
}

/// The page as Chromium has it after some seconds.
std::string dump_script(const std::string& more = "") {
  return "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
         "--user-data-dir=profile --virtual-time-budget=6000 " +
         more + " --dump-dom http://127.0.0.1:$port/ >dom.html 2>chromium.log\n";
}

TEST_F(WatchServe, ChromiumShowsGpusAndCpu) {
  if (!has("chromium")) GTEST_SKIP() << "no Chromium (scripts/setup.sh browser installs it)";
  const auto result = serve(dump_script(), 95);
  ASSERT_EQ(result.exit_code, 0) << read_file(folder_ / "chromium.log");
  const std::string page = read_file(folder_ / "dom.html");
  EXPECT_THAT(page, AllOf(HasSubstr("; 2 GPUs, "), HasSubstr(">NVIDIA Fake 1000<"),
                          HasSubstr("<div class=\"value\">95 %</div>"),
                          HasSubstr("<figcaption>GPU busy</figcaption>"), HasSubstr("<polyline"),
                          HasSubstr(">so far: ")));
  EXPECT_THAT(page, ContainsRegex("process CPU</div><div class=\"value\">[0-9.]+ cores"));
  EXPECT_THAT(page, ContainsRegex("[0-9]+ processes, [0-9]+ threads"));
}

TEST_F(WatchServe, ChromiumShowsThatThereIsNoGpu) {
  if (!has("chromium")) GTEST_SKIP() << "no Chromium (scripts/setup.sh browser installs it)";
  const auto result = serve(dump_script(), -1);
  ASSERT_EQ(result.exit_code, 0) << read_file(folder_ / "chromium.log");
  const std::string page = read_file(folder_ / "dom.html");
  if (page.find("<figcaption>GPU busy") != page.npos) GTEST_SKIP() << "there is a GPU here";
  EXPECT_THAT(page, AllOf(HasSubstr("<div class=\"value\">no GPU</div>"), HasSubstr("; no GPU, ")));
  EXPECT_THAT(page, ContainsRegex("machine CPU</div><div class=\"value\">[0-9]+ %"));
}

TEST_F(WatchServe, PortInUseIsFoundBeforeTheCommandRuns) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* place = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(socket.get(), place, size), 0);
  ASSERT_EQ(listen(socket.get(), 1), 0);
  ASSERT_EQ(getsockname(socket.get(), place, &size), 0);
  const int port = ntohs(address.sin_port);
  const auto result =
      testing_support::run_seda(fmt::format("watch --serve {} -- touch ran", port), folder_.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr(std::to_string(port)), HasSubstr("in use")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
  EXPECT_EQ(testing_support::run_seda("watch --serve 70000 -- true").exit_code, 2);
}

}  // namespace
}  // namespace seda::cli
