// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <png.h>

#include "seda/audio/picture.h"

namespace seda::testing_support {

/// A PNG as libpng reads it.
struct DecodedPng {
  int width = 0;
  int height = 0;
  std::vector<audio::Color> pixels;

  const audio::Color& at(int x, int y) const {
    return pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
};

inline DecodedPng decode_png(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    throw std::runtime_error(image.message);
  }
  image.format = PNG_FORMAT_RGB;
  DecodedPng out{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  out.pixels.resize(size_t{image.width} * image.height);
  static_assert(sizeof(audio::Color) == 3);
  if (png_image_finish_read(&image, nullptr, out.pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(image.message);
  }
  return out;
}

}  // namespace seda::testing_support
