// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/support/other_locale.h"
#include "tests/text/normalize/spoken_case.h"

namespace seda::text {
namespace {

struct LanguageCase {
  std::string_view language;
  std::string_view written;
  std::string_view spoken;
};

TEST(Languages, NumbersComeFromTheLanguage) {
  for (const LanguageCase& entry : std::to_array<LanguageCase>({
           {"de", "21 Tage", "einundzwanzig Tage"},
           {"de", "1.234,5", "eintausendzweihundertvierunddreißig Komma fünf"},
           {"de", "3.14", "drei Komma eins vier"},
           {"de", "der 3. Mai", "der dritte Mai"},
           {"de", "5 %", "fünf Prozent"},
           {"de", "20 €", "zwanzig Euro"},
           {"de", "-3,5", "minus drei Komma fünf"},
           {"de-at", "7", "sieben"},
           {"fr", "1 000 francs", "mille francs"},
           {"fr", "le 1er mai", "le premier mai"},
           {"fr", "20 € et 3,5 %", "vingt euros et trois virgule cinq pour cent"},
           {"es", "21 años", "veintiuno años"},
           {"es", "el 3º", "el tercero"},
           {"it", "1.000 lire", "mille lire"},
           {"pt-br", "100", "cem"},
           {"ar", "٢٥", "خمسة وعشرون"},
           {"tr", "%5", "yüzde beş"},
           {"tr", "1984", "bin dokuz yüz seksen dört"},
           {"ru", "$5", "пять долларов США"},
           {"ru", "$1", "один доллар США"},
           {"hi", "२५", "पच्चीस"},
           {"sv", "21", "tjugoett"},
           {"ja", "21", "二十一"},
       })) {
    const std::string once = normalize(entry.written, entry.language);
    EXPECT_EQ(once, entry.spoken) << entry.language << ": " << entry.written;
    EXPECT_EQ(normalize(once, entry.language), once) << entry.language;
  }
}

// A host program, such as Python, may have set a locale whose point is a comma.
TEST(Languages, DecimalsAreTheSameInEveryLocale) {
  const testing_support::MadeLocale german("de_DE");
  if (!german.made()) GTEST_SKIP() << "no localedef, or no source of de_DE";
  const testing_support::InLocale inside(german);
  ASSERT_TRUE(inside.entered());
  ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  EXPECT_EQ(normalize("3.25", "ru"), "три целых двадцать пять сотых");
  EXPECT_EQ(normalize("3.25", "en"), "three point two five");
}

TEST(Languages, UnknownOnesKeepTheirDigits) {
  for (const std::string_view language : {"xx", "ku", "", "-", "not a language", "zz-zz-zz"})
    EXPECT_EQ(normalize("12 and ٣, 5%", language), "12 and ٣, 5%") << language;
}

TEST(Languages, ArabicKeepsItsLetters) {
  EXPECT_EQ(normalize("كتاب علي", "ar"), "كتاب علي");
}

TEST(Languages, GenericStepsHoldForAll) {
  EXPECT_EQ(normalize("Caf\u0065\u0301 “x”!!!", "fr"), "Café \"x\"!");
}

TEST(Languages, CodesAreTakenInAnyCase) {
  EXPECT_EQ(normalize("5", "EN-US"), "five");
  EXPECT_EQ(normalize("5", "en_GB"), "five");
  EXPECT_EQ(normalize("۵", "fa-IR"), "پنج");
}

}  // namespace
}  // namespace seda::text
