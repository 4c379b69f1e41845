// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include "seda/audio/picture.h"
#include "seda/base/error.h"

namespace seda::audio {

std::string png_bytes(const Picture& picture) {
  std::vector<uint8_t> colors;
  for (const Color& color : picture.colors())
    colors.insert(colors.end(), {color.red, color.green, color.blue});
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width());
  image.height = static_cast<png_uint_32>(picture.height());
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(picture.colors().size());
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels().data(), 0,
                                colors.data()) == 0) {
    throw_error(ErrorKind::internal, "cannot make a PNG of {} by {} pixels: {}", picture.width(),
                picture.height(), image.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace seda::audio
