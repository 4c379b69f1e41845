// SPDX-License-Identifier: Apache-2.0
// What a watch answers over HTTP, and a real server asked by friends and by foes.
#include <atomic>
#include <csignal>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "seda/base/file_descriptor.h"
#include "seda/base/json.h"
#include "seda/diagnose/watch/web_server.h"
#include "tests/support/error_message.h"

namespace seda::diagnose {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(OwnName, IsThisMachineWithOrWithoutAPort) {
  for (const char* host : {"localhost", "127.0.0.1", "[::1]", "localhost:8090", "127.0.0.1:1"})
    EXPECT_TRUE(is_own_name(host)) << host;
  for (const char* host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "localhost:", "localhost:80x", "127.0.0.2", "localhost:123456",
                           "evil.example:80", "localhost:80@evil"})
    EXPECT_FALSE(is_own_name(host)) << host;
}

/// A sampler of this process on a machine without GPU, with some samples.
class WatchWebTest : public testing::Test {
 protected:
  WatchWebTest() {
    while (sampler.record().samples < 5)
      std::this_thread::yield();
  }
  WebAnswer get(const std::string& path, const std::string& after = "",
                const std::string& host = "localhost:1", const std::string& method = "GET") {
    return web.answer({method, path, host, after});
  }

  WatchSampler sampler{{.process_id = getpid(), .interval_s = 0.01},
                       device::make_empty_monitor("no GPU in this test")};
  WatchWeb web{sampler};
};

TEST_F(WatchWebTest, PageBringsAllItNeeds) {
  const WebAnswer answer = get("/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.type, StartsWith("text/html"));
  EXPECT_THAT(answer.body, AllOf(HasSubstr("<script>"), HasSubstr("/samples.json")));
  for (const char* outside : {"src=", "https://", "@import", "<link"})
    EXPECT_THAT(answer.body, Not(HasSubstr(outside)));
}

TEST_F(WatchWebTest, SamplesComeInColumnsAndThenOnlyNewOnes) {
  const Json all = parse_json(get("/samples.json").body, "samples");
  const size_t count = all["seconds"].size();
  EXPECT_GE(count, 5u);
  EXPECT_EQ(all["host"]["cpu"].size(), count);
  EXPECT_EQ(all["machine"]["gpu_absence"], "no GPU in this test");
  EXPECT_EQ(all["gpus"].size(), 0u);
  EXPECT_TRUE(all["process_alive"]);
  const auto last = all["last"].get<uint64_t>();
  EXPECT_GE(last, count);
  while (sampler.latest().number <= last)
    std::this_thread::yield();
  sampler.stop();
  const Json more = parse_json(get("/samples.json", std::to_string(last)).body, "samples");
  EXPECT_EQ(more["seconds"].size(), more["last"].get<uint64_t>() - last);
  const Json none = parse_json(get("/samples.json", "999999999").body, "samples");
  EXPECT_EQ(none["seconds"].size(), 0u);
  EXPECT_EQ(none["last"], 0);
}

TEST_F(WatchWebTest, NumberThatIsNoneIsRefused) {
  for (const char* after : {"x", "-1", "1.5", "99999999999999999999", " 1"})
    EXPECT_EQ(get("/samples.json", after).status, 400) << after;
}

TEST_F(WatchWebTest, VerdictIsThereFromTheStart) {
  const Json verdict = parse_json(get("/verdict.json").body, "verdict");
  EXPECT_EQ(verdict["cause"], "unknown");
  EXPECT_THAT(verdict["evidence"].get<std::string>(), HasSubstr("too short"));
}

TEST_F(WatchWebTest, MetricsHaveTheTypeThatPrometheusAsksFor) {
  const WebAnswer answer = get("/metrics");
  EXPECT_THAT(answer.type, StartsWith("text/plain; version=0.0.4"));
  EXPECT_THAT(answer.body, HasSubstr("seda_process_resident_memory_bytes "));
}

TEST_F(WatchWebTest, ForeignNamesMethodsAndPathsAreRefused) {
  EXPECT_EQ(get("/", "", "evil.example").status, 403);
  EXPECT_EQ(get("/samples.json", "", "").status, 403);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"})
    EXPECT_EQ(get("/", "", "localhost", method).status, 405) << method;
  for (const char* path :
       {"/etc/passwd", "/../../etc/passwd", "//", "/index.html", "", "/metrics/"})
    EXPECT_EQ(get(path).status, 404) << path;
}

/// Connected to a server of this machine; -1 where nobody listens.
FileDescriptor connect_to(int port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* place = reinterpret_cast<const sockaddr*>(&address);
  return connect(socket.get(), place, sizeof(address)) == 0 ? std::move(socket) : FileDescriptor();
}

std::string ask(int port, const std::string& request) {
  const FileDescriptor socket = connect_to(port);
  if (!socket) return "no connection";
  size_t sent = 0;
  while (sent < request.size()) {
    const ssize_t n =
        send(socket.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += static_cast<size_t>(n);
  }
  std::string answer;
  char buffer[4096];
  for (ssize_t n = 0; (n = recv(socket.get(), buffer, sizeof(buffer), 0)) > 0;)
    answer.append(buffer, static_cast<size_t>(n));
  return answer;
}

std::string get_request(const std::string& path, const std::string& host = "127.0.0.1") {
  return fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", path, host);
}

/// Answers with what it was asked.
WebAnswer echo(const WebRequest& request) {
  return {.status = 200,
          .type = "text/plain",
          .body = fmt::format("{} {} {} {}", request.method, request.path, request.host,
                              request.after)};
}

TEST(WebServer, HandsOverWhatWasAskedAndAnswers) {
  const WebServer server(0, echo);
  EXPECT_GT(server.port(), 0);
  const std::string answer = ask(server.port(), get_request("/a?after=7&b=2", "localhost:5"));
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("GET /a localhost:5 7"),
                            HasSubstr("Content-Security-Policy: default-src 'none'"),
                            HasSubstr("Cache-Control: no-store")));
}

TEST(WebServer, PortInUseIsAnErrorThatNamesIt) {
  const WebServer server(0, echo);
  const std::string message =
      testing_support::error_message([&] { const WebServer second(server.port(), echo); });
  EXPECT_THAT(message, AllOf(HasSubstr(std::to_string(server.port())), HasSubstr("in use"),
                             HasSubstr("--serve")));
}

TEST(WebServer, ListensOnThisMachineAlone) {
  const WebServer server(0, echo);
  const FileDescriptor other(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(server.port()));
  address.sin_addr.s_addr = inet_addr("127.0.0.2");  // loopback too, but another address
  EXPECT_NE(connect(other.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
}

TEST(WebServer, HandlerThatThrowsIsAnErrorOfTheServer) {
  const WebServer server(0, [](const WebRequest&) -> WebAnswer { throw std::runtime_error("oh"); });
  EXPECT_THAT(ask(server.port(), get_request("/")), StartsWith("HTTP/1.1 500"));
}

TEST(WebServer, SurvivesHostileRequests) {
  const WebServer server(0, echo);
  const std::string long_text(100'000, 'a');
  for (const std::string& request :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("\0\0\0\0\r\n\r\n", 8),
        get_request("/" + long_text), "GET / HTTP/1.1\r\nX: " + long_text + "\r\n\r\n",
        get_request("/%00%ff%zz?after=%"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx"),
        std::string(
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n")})
    ask(server.port(), request);
  EXPECT_THAT(ask(server.port(), get_request("/still")), HasSubstr("GET /still"));
}

TEST(WebServer, ManyWhoKeepSilentDoNotKeepOthersOut) {
  const WebServer server(0, echo);
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 24; ++i)
    silent.push_back(connect_to(server.port()));
  std::vector<std::jthread> browsers;
  std::atomic<int> answered{0};
  for (int i = 0; i < 8; ++i) {
    browsers.emplace_back([&] {
      for (int n = 0; n < 10; ++n)
        answered += ask(server.port(), get_request("/")).starts_with("HTTP/1.1 200") ? 1 : 0;
    });
  }
  browsers.clear();
  EXPECT_EQ(answered, 80);
}

TEST(WebServer, LeavesTheHandlingOfBrokenPipesAsItWas) {
  struct sigaction before{};
  struct sigaction after{};
  sigaction(SIGPIPE, nullptr, &before);
  const WebServer server(0, echo);
  sigaction(SIGPIPE, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  connect_to(server.port());  // and goes away at once
  EXPECT_THAT(ask(server.port(), get_request("/")), StartsWith("HTTP/1.1 200"));
}

}  // namespace
}  // namespace seda::diagnose
