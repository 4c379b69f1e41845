// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_paths.h"

namespace seda::feed {
namespace {

std::string with_slash(std::string folder) {
  if (!folder.ends_with('/')) folder += '/';
  return folder;
}

}  // namespace

ClipPaths::ClipPaths(const std::filesystem::path& corpus)
    : given_(with_slash(corpus.native())),
      absolute_(with_slash(std::filesystem::absolute(corpus).lexically_normal().native())) {}

std::string ClipPaths::operator()(const std::filesystem::path& file) const {
  const std::string& path = file.native();
  if (path.starts_with(given_)) return path.substr(given_.size());
  return path.starts_with(absolute_) ? path.substr(absolute_.size()) : path;
}

}  // namespace seda::feed
