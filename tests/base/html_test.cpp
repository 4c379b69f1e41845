// SPDX-License-Identifier: Apache-2.0
#include "seda/base/html.h"

#include <gtest/gtest.h>

namespace seda {
namespace {

TEST(Html, MarkupBecomesEntities) {
  EXPECT_EQ(escape_html(R"(<a href="x">'&amp;'</a>)"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
}

TEST(Html, TextOfAnyScriptStays) {
  EXPECT_EQ(escape_html("سلام\tworld\n"), "سلام\tworld\n");
}

TEST(Html, ControlsAndForeignBytesAreReplaced) {
  EXPECT_EQ(escape_html(std::string_view("a\0b\x1b\xff", 5)), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(escape_html("\x7f\u0085\uFFFF"), "\uFFFD\uFFFD\uFFFD");
}

TEST(Html, DataUriPadsItsLastGroup) {
  EXPECT_EQ(data_uri("text/plain", ""), "data:text/plain;base64,");
  EXPECT_EQ(data_uri("text/plain", "f"), "data:text/plain;base64,Zg==");
  EXPECT_EQ(data_uri("text/plain", "fo"), "data:text/plain;base64,Zm8=");
  EXPECT_EQ(data_uri("text/plain", "foo"), "data:text/plain;base64,Zm9v");
  EXPECT_EQ(data_uri("image/png", "\xfb\xff\xfe\xff"), "data:image/png;base64,+//+/w==");
}

TEST(Html, UriPathHidesWhatAnAddressReads) {
  EXPECT_EQ(uri_path("samples/a b?#%\".wav"), "samples/a%20b%3F%23%25%22.wav");
  EXPECT_EQ(uri_path("ß"), "%C3%9F");
}

}  // namespace
}  // namespace seda
