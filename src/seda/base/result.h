// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "seda/base/error.h"

namespace seda {

/// One item is bad: counted, set aside, and the work goes on.
struct Fault {
  std::string id;        ///< Which item, for example an utterance's id.
  std::string code;      ///< Stable word for scripts, for example `audio_truncated`.
  std::string evidence;  ///< What was expected and what was found.

  bool operator==(const Fault&) const = default;
};

/// A value, or the fault that stands in its place.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Fault fault) : state_(std::in_place_index<1>, std::move(fault)) {}  // NOLINT: implicit

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  /// The value. On a fault throws Error(internal): whoever asks must have looked.
  T& value() & { return require(), *std::get_if<0>(&state_); }
  const T& value() const& { return require(), *std::get_if<0>(&state_); }
  T value() && { return require(), std::move(*std::get_if<0>(&state_)); }

  /// The fault. Throws Error(internal) where there is a value.
  const Fault& fault() const {
    if (ok()) throw_error(ErrorKind::internal, "fault() asked of a result that holds a value");
    return *std::get_if<1>(&state_);
  }

 private:
  void require() const {
    if (const auto* fault = std::get_if<1>(&state_)) {
      throw_error(ErrorKind::internal, "value() asked of a fault: {}: {} ({})", fault->id,
                  fault->code, fault->evidence);
    }
  }

  std::variant<T, Fault> state_;
};

}  // namespace seda
