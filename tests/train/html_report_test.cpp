// SPDX-License-Identifier: Apache-2.0
#include "seda/train/html_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/file.h"
#include "tests/support/markup.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using seda::testing_support::markup_problem;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Points of each line of a page, in its order.
std::vector<size_t> points(const std::string& page) {
  constexpr std::string_view kStart = "points=\"";
  std::vector<size_t> out;
  for (size_t at = page.find(kStart); at != std::string::npos; at = page.find(kStart, at + 1)) {
    const size_t first = at + kStart.size();
    const auto text = std::string_view(page).substr(first, page.find('"', first) - first);
    out.push_back(static_cast<size_t>(std::ranges::count(text, ',')));
  }
  return out;
}

class HtmlReport : public testing::Test {
 protected:
  HtmlReport() {
    report.updates = 30;
    report.run_updates = 30;
    report.wall_seconds = 10;
    report.spent = {{"start", 1}, {"steps", 6}};
    report.plan = {"plan: a < b & \"c\""};
    report.figures.batches = 30;
    report.figures.stall = 0.07;
    report.figures.padding = 0.02;
    report.times.batches = 30;
    report.times.variation = 0.9;
  }

  void write_log(int lines) const {
    std::string log;
    for (int step = 1; step <= lines; ++step) {
      log += fmt::format(
          R"({{"step":{0},"lr":1e-4,"loss":{{"total":{0},"prior":2,"duration":3,"flow":4}},)"
          R"("steps_per_second":5,"data_stall":0.1}})"
          "\n",
          step);
    }
    log += R"({"step":4,"validation":{"total":1,"prior":2,"duration":3,"flow":4},"best":true})"
           "\n";
    folder.write("log.jsonl", log);
  }

  std::string page() const { return html_report(report, folder.path()); }

  TemporaryFolder folder;
  TrainReport report;
};

TEST_F(HtmlReport, EveryElementIsClosed) {
  write_log(12);
  EXPECT_THAT(markup_problem(page()), IsEmpty());
  EXPECT_THAT(markup_problem("<p>a<b></p>"), Not(IsEmpty()));
  EXPECT_THAT(markup_problem("<p>a & b</p>"), Not(IsEmpty()));
  EXPECT_THAT(markup_problem("<p a='x'></p>"), Not(IsEmpty()));
  EXPECT_THAT(markup_problem("<p>"), Not(IsEmpty()));
}

TEST_F(HtmlReport, CurvesHaveAPointForEachLineOfTheLog) {
  write_log(12);
  EXPECT_THAT(points(page()), ElementsAre(12, 1, 12, 1, 12, 1, 12, 1, 12, 12, 12));
}

TEST_F(HtmlReport, TornAndForeignLinesAndUnknownValuesArePassedOver) {
  folder.write("log.jsonl",
               "[1]\n{\"step\":\"x\"}\n{\"step\":1,\"loss\":{\"total\":null,\"prior\":1}}\n"
               "{\"step\":2,\"loss\":3,\"lr\":1e-4,\"steps_per_second\":0}\n{\"step\":3,\"lo");
  EXPECT_THAT(points(page()), ElementsAre(1, 1)) << "prior and learning rate";
}

TEST_F(HtmlReport, WithoutALogItIsStillAPage) {
  EXPECT_THAT(page(), AllOf(HasSubstr("nothing was measured"), HasSubstr("Where time went")));
  EXPECT_THAT(markup_problem(page()), IsEmpty());
  folder.write("log.jsonl", "");
  EXPECT_THAT(markup_problem(page()), IsEmpty());
  report = {};
  EXPECT_THAT(markup_problem(page()), IsEmpty());
}

TEST_F(HtmlReport, FiguresHaveTheirBandsInWords) {
  EXPECT_THAT(page(), AllOf(HasSubstr("7.0 %</div><div><span class=\"fair\">fair"),
                            HasSubstr("2.0 %</div><div><span class=\"good\">good"),
                            HasSubstr("90.0 %</div><div><span class=\"poor\">poor")));
}

TEST_F(HtmlReport, TimeThatNoPartTookIsShown) {
  EXPECT_THAT(page(), HasSubstr("<td>other</td><td>3.0 s</td><td>30.0 %</td>"));
}

TEST_F(HtmlReport, GpusHaveTheirRolesAndSayWhatWasNotMeasured) {
  report.roles = {.data = device::cuda(0), .model = device::cuda(1)};
  report.memory_peak_bytes = uint64_t{3} << 30;
  GpuFigures model;
  model.device = device::cuda(1);
  model.utilization_mean = 0.875;
  GpuFigures data;
  data.device = device::cuda(0);
  report.gpus = {data, model};
  EXPECT_THAT(page(), AllOf(HasSubstr("<td>data</td><td>not measured</td>"),
                            HasSubstr("<td>model</td><td>93.0 %</td><td>87.5 %</td>"),
                            HasSubstr("<td>3.0 GiB</td>")));
  EXPECT_THAT(markup_problem(page()), IsEmpty());
}

TEST_F(HtmlReport, HostileNamesAreText) {
  const std::string hostile = "<script>alert(1)</script>\"'&\xff";
  report.faults = {{hostile, hostile, hostile}};
  report.stopped_by = hostile;
  report.path = hostile;
  folder.write("samples/step-00000004-a\"><b>&'.wav", "RIFF");
  folder.write("samples/step-00000004-a\"><b>&'-mel.png", std::string(3'000'000, 'x'));
  const std::string text = page();
  EXPECT_THAT(markup_problem(text), IsEmpty());
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<b>")),
                          HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\uFFFD"),
                          HasSubstr("samples/step-00000004-a%22%3E%3Cb%3E%26%27-mel.png")));
}

TEST_F(HtmlReport, ListsTheFirstFaultsAndCountsTheRest) {
  for (int i = 0; i < 60; ++i)
    report.faults.push_back({fmt::format("clip{:02}", i), "code", "evidence"});
  EXPECT_THAT(page(), AllOf(HasSubstr("60 faulty clips"), HasSubstr("clip49"),
                            Not(HasSubstr("clip50")), HasSubstr("and 10 more")));
}

TEST_F(HtmlReport, HoldsTheSamplesOfTheLastStep) {
  folder.write("samples/step-99999999-old.wav", "old");
  folder.write("samples/step-100000000-new.wav", "new");
  folder.write("samples/step-100000000-new-mel.png", "mel");
  folder.write("samples/step-100000000-new-alignment.png", "alignment");
  folder.write("samples/step-x.wav", "other");
  EXPECT_THAT(page(), AllOf(HasSubstr("after step 100000000"),
                            HasSubstr("src=\"data:audio/wav;base64,bmV3\""),
                            HasSubstr("alt=\"mel of new\" src=\"data:image/png;base64,bWVs\""),
                            HasSubstr("alt=\"alignment of new\""), Not(HasSubstr("old"))));
}

TEST_F(HtmlReport, MoreThanTwoMegabytesAreLinked) {
  folder.write("samples/step-1-a.wav", std::string(900'000, 'a'));
  folder.write("samples/step-1-b.wav", std::string(900'000, 'b'));
  EXPECT_THAT(page(), AllOf(HasSubstr("data:audio/wav;base64,YWFh"),
                            HasSubstr("src=\"samples/step-1-b.wav\"")));
}

TEST_F(HtmlReport, NamesTheBestCheckpoint) {
  folder.write("step-00000010/checkpoint.json", "{}");
  folder.write("step-00000020/checkpoint.json", "{}");
  std::filesystem::create_symlink("step-00000010", folder / "best");
  EXPECT_THAT(page(), AllOf(HasSubstr("<td>step-00000010</td><td>2 B</td><td><span class=\"good\">"
                                      "best</span></td>"),
                            HasSubstr("<td>step-00000020</td><td>2 B</td><td></td>")));
}

TEST_F(HtmlReport, OneThatCannotBeWrittenIsAWarning) {
  create_folders(folder / "report.html");
  testing::internal::CaptureStderr();
  EXPECT_EQ(write_html_report(report, folder.path()), "");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("the report was not written"));
}

}  // namespace
}  // namespace seda::train
