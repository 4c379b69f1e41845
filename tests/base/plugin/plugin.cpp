// SPDX-License-Identifier: Apache-2.0
// Opened at run time by shared_library_test.cpp.

extern "C" int seda_test_plugin_double(int number) {
  return 2 * number;
}
