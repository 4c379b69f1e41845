// SPDX-License-Identifier: Apache-2.0
#include "seda/config/diff.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace seda::config {
namespace {

using Lines = std::vector<std::string_view>;

constexpr size_t kMostEdits = 1000;  // beyond, the memory of the search would grow large

/// A line of the result: ' ' kept, '-' removed, '+' added.
struct Step {
  char mark = ' ';
  size_t before = 0;  ///< Lines of each text in front of it.
  size_t after = 0;
};

/// Lines with their line feeds.
Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t feed = text.find('\n');
    const size_t length = feed == std::string_view::npos ? text.size() : feed + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// Shortest edit by Myers' greedy search: row d of `rows_` holds, for each diagonal k = x - y, how
/// far d edits reach.
class Search {
 public:
  Search(const Lines& before, const Lines& after)
      : before_(before),
        after_(after),
        n_(static_cast<int>(before.size())),
        m_(static_cast<int>(after.size())) {}

  std::vector<Step> steps() {
    const int most = std::min(n_ + m_, static_cast<int>(kMostEdits));
    for (int d = 0; d <= most; ++d) {
      if (advance(d)) return trace_back(d);
    }
    return replace_all();
  }

 private:
  static size_t index(int value) { return static_cast<size_t>(value); }

  /// How far d edits reach on diagonal k; -1 for none.
  int reach(int d, int k) const {
    const bool outside = d < 0 || k < -d || k > d;
    return outside ? -1 : rows_[index(d)][index(k + d)];
  }

  /// Where the d-th edit lands on diagonal k when it adds a line, or removes one; -1: nowhere.
  int by_adding(int d, int k) const {
    const int x = reach(d - 1, k + 1);
    return x - k <= m_ ? x : -1;
  }
  int by_removing(int d, int k) const {
    const int x = reach(d - 1, k - 1);
    return x >= 0 && x < n_ ? x + 1 : -1;
  }

  int start_of(int d, int k) const {
    return d == 0 ? 0 : std::max(by_adding(d, k), by_removing(d, k));
  }

  bool advance(int d) {
    std::vector<int> row(index(2 * d) + 1, -1);
    for (int k = -d; k <= d; k += 2) {
      int x = start_of(d, k);
      while (x >= 0 && x < n_ && x - k < m_ && line(before_, x) == line(after_, x - k))
        ++x;
      row[index(k + d)] = x;
    }
    rows_.push_back(std::move(row));
    return reach(d, n_ - m_) == n_;
  }

  static std::string_view line(const Lines& lines, int at) { return lines[index(at)]; }

  std::vector<Step> trace_back(int d) const {
    std::vector<Step> steps;
    int x = n_;
    int y = m_;
    for (; d >= 0; --d) {
      const int k = x - y;
      for (const int start = start_of(d, k); x > start;)
        add(steps, ' ', --x, --y);
      if (d == 0) break;
      if (by_adding(d, k) >= by_removing(d, k)) {
        add(steps, '+', x, --y);
      } else {
        add(steps, '-', --x, y);
      }
    }
    std::ranges::reverse(steps);
    return steps;
  }

  std::vector<Step> replace_all() const {
    std::vector<Step> steps;
    for (int x = 0; x < n_; ++x)
      add(steps, '-', x, 0);
    for (int y = 0; y < m_; ++y)
      add(steps, '+', n_, y);
    return steps;
  }

  static void add(std::vector<Step>& steps, char mark, int x, int y) {
    steps.push_back({.mark = mark, .before = index(x), .after = index(y)});
  }

  const Lines& before_;
  const Lines& after_;
  int n_;
  int m_;
  std::vector<std::vector<int>> rows_;
};

/// [begin, end) of steps that are shown together.
struct Hunk {
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Hunk> hunks_of(const std::vector<Step>& steps, size_t context) {
  std::vector<Hunk> hunks;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const size_t begin = i - std::min(i, context);
    const size_t end = std::min(i + context + 1, steps.size());
    if (!hunks.empty() && begin <= hunks.back().end) {
      hunks.back().end = end;
    } else {
      hunks.push_back({.begin = begin, .end = end});
    }
  }
  return hunks;
}

/// "12,3": the first line, from 1, and how many; a hunk without lines names the line before it.
std::string range_text(size_t first, size_t count) {
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

void print(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string diff(std::string_view before, std::string_view after, std::string_view name,
                 size_t context) {
  const Lines old_lines = split(before);
  const Lines new_lines = split(after);
  const std::vector<Step> steps = Search(old_lines, new_lines).steps();
  std::string out;
  for (const Hunk& hunk : hunks_of(steps, context)) {
    if (out.empty()) out = fmt::format("--- {}\n+++ {}\n", name, name);
    std::string body;
    size_t removed = 0;
    size_t added = 0;
    for (size_t i = hunk.begin; i < hunk.end; ++i) {
      const Step& step = steps[i];
      removed += step.mark == '+' ? 0 : 1;
      added += step.mark == '-' ? 0 : 1;
      print(body, step.mark, step.mark == '+' ? new_lines[step.after] : old_lines[step.before]);
    }
    out += fmt::format("@@ -{} +{} @@\n{}", range_text(steps[hunk.begin].before, removed),
                       range_text(steps[hunk.begin].after, added), body);
  }
  return out;
}

}  // namespace seda::config
