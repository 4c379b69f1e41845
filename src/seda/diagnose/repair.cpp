// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/repair.h"

#include <algorithm>
#include <utility>

#include "seda/base/error.h"
#include "seda/config/repeats.h"

namespace seda::diagnose {
namespace {

constexpr int kMostRounds = 10;  // a name, then its value, then what that makes visible

/// One repair in the making.
class Repairer {
 public:
  Repairer(std::string text, const std::string& name, const FindInText& find)
      : name_(name), find_(find) {
    out_.text = std::move(text);
  }

  Repair run() {
    for (int round = 0; round < kMostRounds; ++round) {
      const std::string before = out_.text;
      drop_repeats();
      make_fixes();
      if (out_.text == before) break;
    }
    return std::move(out_);
  }

 private:
  void drop_repeats() {
    config::Shortened once = config::without_repeats(std::move(out_.text), name_);
    out_.text = std::move(once.text);
    for (std::string& path : once.dropped)
      out_.fixed.push_back({std::move(path), "said twice", "said once"});
  }

  void make_fixes() {
    for (const Finding& finding : find_(out_.text)) {
      if (finding.fix) make(*finding.fix);
    }
  }

  void make(const config::Fix& fix) {
    try {
      config::Editor editor(out_.text, name_);
      const config::Fixed fixed = apply(fix, editor);
      if (editor.text() == out_.text) return;
      out_.text = editor.text();
      out_.fixed.push_back(fixed);
    } catch (const Error& error) {
      refuse(error.what());
    }
  }

  void refuse(std::string reason) {
    if (std::ranges::find(out_.refused, reason) == out_.refused.end())
      out_.refused.push_back(std::move(reason));
  }

  const std::string& name_;
  const FindInText& find_;
  Repair out_;
};

}  // namespace

Repair repair(std::string text, const std::string& name, const FindInText& find) {
  return Repairer(std::move(text), name, find).run();
}

}  // namespace seda::diagnose
