// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/safetensors_content.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/train/detail/safetensors_header.h"

namespace seda::train::detail {
namespace {

using Value = nlohmann::json;  // sorted: a key is found in logarithmic time, however many there are

constexpr int kDeepestObject = 1;  // a tensor, in the header
constexpr int kDeepestArray = 2;   // a shape, in a tensor

/// One file that is read: what its errors begin with.
class Reading {
 public:
  explicit Reading(std::string_view where) : where_(where) {}

  [[noreturn]] void refuse(std::string_view subject, std::string_view expected,
                           std::string_view found) const {
    throw_error(ErrorKind::io,
                "{}: {}: expected {}, found {}; the file is damaged or not safetensors: put it "
                "back from a copy",
                where_, subject, expected, found);
  }

 private:
  std::string_view where_;
};

/// A tensor and where it claims to lie after the header.
struct Claim {
  TensorView tensor;
  uint64_t begin = 0;
  uint64_t end = 0;
};

std::string subject(std::string_view name) {
  return fmt::format("tensor '{}'", name);
}

std::string_view header_text(std::span<const std::byte> file, const Reading& reading) {
  uint64_t length = 0;
  if (file.size() < sizeof(length))
    reading.refuse("length", "8 bytes", fmt::format("{}", file.size()));
  std::memcpy(&length, file.data(), sizeof(length));
  const uint64_t most = std::min<uint64_t>(file.size() - sizeof(length), kMostHeaderBytes);
  if (length > most)
    reading.refuse("header", fmt::format("at most {} bytes", most), fmt::format("{}", length));
  const auto header = file.subspan(sizeof(length), length);
  return {reinterpret_cast<const char*>(header.data()), header.size()};
}

/// Sees a header while it is parsed, and refuses what the parsed value would no longer show.
class Watch {
 public:
  explicit Watch(const Reading& reading) : reading_(&reading) {}

  void see(int depth, Value::parse_event_t event, const Value& parsed) {
    using Event = Value::parse_event_t;
    if (event == Event::object_start) begin_object(depth);
    if (event == Event::array_start && depth > kDeepestArray)
      reading_->refuse("header", "numbers in a list", "another list");
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) add_key(parsed.get_ref<const std::string&>());
  }

 private:
  void begin_object(int depth) {
    if (depth > kDeepestObject) reading_->refuse("header", "objects in one", "them deeper");
    keys_.emplace_back();
  }

  void add_key(const std::string& key) {
    if (!keys_.back().insert(key).second)
      reading_->refuse("header", "each name once", fmt::format("'{}' twice", key));
  }

  const Reading* reading_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

Value parse_header(std::string_view text, const Reading& reading) {
  if (!text.starts_with('{')) reading.refuse("header", "a JSON object", "something else");
  // The parser would take it for the end, and all behind it for nothing.
  if (text.find('\0') != std::string_view::npos)
    reading.refuse("header", "JSON in UTF-8", "a zero byte");
  Watch watch(reading);
  const auto see = [&](int depth, Value::parse_event_t event, Value& parsed) {
    watch.see(depth, event, parsed);
    return true;
  };
  try {
    return Value::parse(text, see);
  } catch (const Value::exception& error) {
    const auto* parse_error = dynamic_cast<const Value::parse_error*>(&error);
    reading.refuse("header", "JSON in UTF-8",
                   fmt::format("an error at byte {}",
                               parse_error == nullptr ? text.size() : parse_error->byte));
  }
}

std::vector<int64_t> read_counts(const Value& list, const std::string& what,
                                 const Reading& reading) {
  const auto is_count = [](const Value& value) {
    return value.is_number_unsigned() &&
           value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
  };
  if (!list.is_array() || !std::ranges::all_of(list, is_count))
    reading.refuse(what, "a list of whole numbers from 0 to 2^63 - 1", "something else");
  return list.get<std::vector<int64_t>>();
}

TensorType read_type(const Value& value, const std::string& name, const Reading& reading) {
  if (!value.is_string()) reading.refuse(subject(name), "a dtype in quotes", value.type_name());
  const auto& text = value.get_ref<const std::string&>();
  const auto type = tensor_type(text);
  if (!type) {
    reading.refuse(subject(name), "a dtype of whole bytes that is known (F32, BF16, I64, …)",
                   fmt::format("'{}'", text));
  }
  return *type;
}

void check_length(const Claim& claim, const Reading& reading) {
  const TensorView& tensor = claim.tensor;
  const auto expected = count_bytes(tensor.type, tensor.shape);
  if (expected && claim.begin <= claim.end && claim.end - claim.begin == *expected) return;
  reading.refuse(subject(tensor.name),
                 expected ? fmt::format("{} bytes", *expected) : "a shape that 64 bits can count",
                 fmt::format("{} [{}] from {} to {}", name_of(tensor.type),
                             fmt::join(tensor.shape, ", "), claim.begin, claim.end));
}

Claim read_claim(const std::string& name, const Value& value, const Reading& reading) {
  const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") &&
                        value.contains("shape") && value.contains("data_offsets");
  if (!complete) reading.refuse(subject(name), "dtype, shape and data_offsets", "something else");
  const auto offsets =
      read_counts(value["data_offsets"], subject(name) + ": data_offsets", reading);
  if (offsets.size() != 2)
    reading.refuse(subject(name), "two data_offsets", fmt::format("{}", offsets.size()));
  Claim claim{.tensor = {.name = name,
                         .type = read_type(value["dtype"], name, reading),
                         .shape = read_counts(value["shape"], subject(name) + ": shape", reading),
                         .bytes = {}},
              .begin = static_cast<uint64_t>(offsets[0]),
              .end = static_cast<uint64_t>(offsets[1])};
  check_length(claim, reading);
  return claim;
}

TensorMetadata read_metadata(const Value& value, const Reading& reading) {
  const auto is_string = [](const Value& entry) { return entry.is_string(); };
  if (!value.is_object() || !std::ranges::all_of(value, is_string))
    reading.refuse(kMetadataName, "an object of strings", "something else");
  return value.get<TensorMetadata>();
}

/// Gives each tensor its bytes, where together they cover `data` once.
std::vector<TensorView> lay_out(std::vector<Claim> claims, std::span<const std::byte> data,
                                const Reading& reading) {
  std::ranges::sort(claims, [](const Claim& a, const Claim& b) {
    return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
  });
  std::vector<TensorView> tensors;
  uint64_t end = 0;
  for (Claim& claim : claims) {
    if (claim.begin != end) {
      reading.refuse(subject(claim.tensor.name),
                     fmt::format("its first byte at {}, after the one before it", end),
                     fmt::format("it at {}", claim.begin));
    }
    end = claim.end;
    if (end > data.size()) {
      reading.refuse(subject(claim.tensor.name), fmt::format("its end within {}", data.size()),
                     fmt::format("it at {}", end));
    }
    claim.tensor.bytes = data.subspan(claim.begin, claim.end - claim.begin);
    tensors.push_back(std::move(claim.tensor));
  }
  if (end != data.size()) {
    reading.refuse("end", fmt::format("{} bytes after the header", end),
                   fmt::format("{}", data.size()));
  }
  return tensors;
}

}  // namespace

SafetensorsContent read_content(std::span<const std::byte> file, std::string_view where) {
  const Reading reading(where);
  const std::string_view text = header_text(file, reading);
  const Value header = parse_header(text, reading);
  SafetensorsContent content;
  std::vector<Claim> claims;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadataName) {
      content.metadata = read_metadata(value, reading);
    } else {
      claims.push_back(read_claim(name, value, reading));
    }
  }
  content.tensors =
      lay_out(std::move(claims), file.subspan(sizeof(uint64_t) + text.size()), reading);
  return content;
}

}  // namespace seda::train::detail
