// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/config/config.h"

namespace seda::config {

/// What the Error(`kind`) thrown by `call` says; a failure of the test where none is thrown.
inline std::string message_of(const std::function<void()>& call,
                              ErrorKind kind = ErrorKind::config) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// The configuration in `text`; a failure of the test where it has problems.
inline Config parse_good(std::string_view text) {
  Reading reading = parse_config(text, "seda.yaml");
  EXPECT_TRUE(reading.problems.empty()) << reading.problems.text();
  return std::move(reading.config);
}

/// All problems of `text`, one a line, whether it is YAML or not.
inline std::string problems_of(std::string_view text) {
  try {
    return parse_config(text, "seda.yaml").problems.text();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config) << error.what();
    return error.what();
  }
}

}  // namespace seda::config
