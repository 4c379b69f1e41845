// SPDX-License-Identifier: Apache-2.0
#include "seda/base/shared_library.h"

#include <filesystem>
#include <string>
#include <utility>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"

namespace seda {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Lies beside the test program, wherever that was carried.
const std::string kPlugin =
    (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libbase_test_plugin.so")
        .string();
constexpr const char* kFunction = "seda_test_plugin_double";

bool is_loaded() {
  void* handle = dlopen(kPlugin.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  dlclose(handle);  // asking counted as opening
  return true;
}

TEST(SharedLibrary, CallsAFunctionOfTheLibrary) {
  const SharedLibrary library(kPlugin);
  const auto twice = library.function<int(int)>(kFunction);
  ASSERT_NE(twice, nullptr);
  EXPECT_EQ(twice(21), 42);
}

TEST(SharedLibrary, AMissingFunctionIsNull) {
  const SharedLibrary library(kPlugin);
  EXPECT_EQ(library.function<void()>("seda_no_such_function"), nullptr);
}

TEST(SharedLibrary, AMissingLibraryIsNamed) {
  try {
    const SharedLibrary library("libseda-no-such.so.9");
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), StartsWith("cannot load libseda-no-such.so.9: cannot open"));
    EXPECT_THAT(error.what(), HasSubstr("No such file")) << "the loader's own words";
  }
}

TEST(SharedLibrary, IsClosedWithItsOwner) {
  ASSERT_FALSE(is_loaded());
  {
    const SharedLibrary library(kPlugin);
    EXPECT_TRUE(is_loaded());
  }
  EXPECT_FALSE(is_loaded());
}

TEST(SharedLibrary, MovesToANewOwner) {
  SharedLibrary first(kPlugin);
  SharedLibrary second(std::move(first));
  EXPECT_NE(second.function<int(int)>(kFunction), nullptr);
  SharedLibrary third("libm.so.6");
  third = std::move(second);
  EXPECT_NE(third.function<int(int)>(kFunction), nullptr);
}

TEST(SharedLibrary, LocalNamesStayHiddenAndGlobalOnesDoNot) {
  {
    const SharedLibrary library(kPlugin, SharedLibrary::Visibility::local);
    EXPECT_EQ(dlsym(RTLD_DEFAULT, kFunction), nullptr);
  }
  const SharedLibrary library(kPlugin, SharedLibrary::Visibility::global);
  EXPECT_NE(dlsym(RTLD_DEFAULT, kFunction), nullptr);
}

// Last of this file: the library stays for the rest of the process.
TEST(SharedLibraryKept, StaysLoaded) {
  {
    SharedLibrary library(kPlugin);
    library.keep();
  }
  EXPECT_TRUE(is_loaded());
}

}  // namespace
}  // namespace seda
