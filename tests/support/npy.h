// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "seda/base/file.h"

namespace seda::testing_support {

/// A two-dimensional array, row after row.
struct Matrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<float> values;

  float at(size_t row, size_t column) const { return values[row * columns + column]; }
};

/// Reads a .npy file of version 1 with a matrix of float32 in C order; anything else throws.
inline Matrix read_npy(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  const auto fail = [&] { throw std::runtime_error(path.string() + ": not a float32 matrix"); };
  if (content.size() < 10 || content.compare(0, 7, "\x93NUMPY\x01") != 0) fail();
  const size_t length =
      static_cast<unsigned char>(content[8]) + 256U * static_cast<unsigned char>(content[9]);
  const std::string header = content.substr(10, length);
  const size_t shape = header.find("'shape': (");
  if (header.find("'<f4'") == std::string::npos || header.find("True") != std::string::npos) fail();
  Matrix matrix;
  if (std::sscanf(header.c_str() + shape, "'shape': (%zu, %zu)", &matrix.rows, &matrix.columns) !=
      2) {
    fail();
  }
  matrix.values.resize(matrix.rows * matrix.columns);
  if (content.size() != 10 + length + matrix.values.size() * sizeof(float)) fail();
  std::memcpy(matrix.values.data(), content.data() + 10 + length,
              matrix.values.size() * sizeof(float));
  return matrix;
}

}  // namespace seda::testing_support
