// SPDX-License-Identifier: Apache-2.0
#include "seda/text/language.h"

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::text {
namespace {

struct Case {
  const char* text;
  const char* language;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.text;
}

class KnownLanguage : public testing::TestWithParam<Case> {};

TEST_P(KnownLanguage, IsRecognised) {
  const Language found = detect_language(GetParam().text, "");
  EXPECT_EQ(found.code, GetParam().language) << to_string(found.source) << " " << found.confidence;
  EXPECT_GE(found.confidence, 0);
  EXPECT_LE(found.confidence, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Sentences, KnownLanguage,
    testing::Values(
        Case{"The meeting was moved to the following Thursday.", "en"},
        Case{"Nobody had told her that the train was late.", "en"},
        Case{"Das Wetter ist heute viel schöner als gestern.", "de"},
        Case{"Il ne savait pas encore ce qui l'attendait.", "fr"},
        Case{"El niño no quería comerse la sopa caliente.", "es"},
        Case{"La ragazza aspettava il treno alla stazione.", "it"},
        Case{"Onlar dün akşam eve çok geç döndüler.", "tr"},
        Case{"Мы вчера весь вечер говорили о погоде.", "ru"},
        Case{"Ми вчора весь вечір говорили про погоду.", "uk"},
        Case{"امروز هوا خیلی بهتر از دیروز است.", "fa"},
        Case{"کتاب‌های تازه را روی میز گذاشتم.", "fa"},
        Case{"می‌خواهم فردا به تهران بروم.", "fa"}, Case{"گربه", "fa"},
        Case{"ذهبت إلى المدرسة في الصباح الباكر.", "ar"},
        Case{"هذه مكتبة كبيرة في وسط المدينة.", "ar"}, Case{"میں آج بازار نہیں جا سکتا ہوں۔", "ur"},
        Case{"یہ کتاب بہت اچھی ہے اور سب پڑھتے ہیں۔", "ur"},
        Case{"زه غواړم چې سبا ښار ته لاړ شم.", "ps"}, Case{"من دەمەوێت سبەی بچم بۆ شارەکە.", "ckb"},
        Case{"היום מזג האוויר נעים מאוד.", "he"}, Case{"Ο καιρός σήμερα είναι πολύ καλός.", "el"},
        Case{"आज मौसम बहुत अच्छा है और हम घूमने जाएंगे।", "hi"},
        Case{"今日はとても良い天気ですね。", "ja"}, Case{"今天的天气非常好。", "zh"},
        Case{"오늘은 날씨가 아주 좋습니다.", "ko"}, Case{"დღეს ძალიან კარგი ამინდია.", "ka"},
        Case{"วันนี้อากาศดีมาก", "th"}));

// CLD2's small tables do not know these: the program must be linked with the full ones.
INSTANTIATE_TEST_SUITE_P(
    FullTables, KnownLanguage,
    testing::Values(Case{"Ina so in je kasuwa gobe da safe domin sayen abinci.", "ha"},
                    Case{"Mo fẹ́ lọ sí ọjà láti ra oúnjẹ ní ọ̀la.", "yo"},
                    Case{"Ngiyafuna ukuya emakethe kusasa ekuseni.", "zu"},
                    Case{"Waxaan rabaa inaan berri aado suuqa.", "so"}));

TEST(Language, OfTwoWordsIsTheCorpusLanguageWhereTheScriptFits) {
  EXPECT_EQ(detect_language("Guten Tag", "en").code, "en");
  EXPECT_EQ(detect_language("Guten Tag", "de").code, "de");
  EXPECT_EQ(detect_language("سلام", "ar").code, "ar");
  EXPECT_EQ(detect_language("سلام", "en").code, "fa") << "English has no such letters";
  EXPECT_EQ(detect_language("hello", "fa").code, "en");
}

TEST(Language, WithoutLettersIsTheFallback) {
  EXPECT_EQ(detect_language("123, 456!", "fa").code, "fa");
  EXPECT_EQ(detect_language("", "").code, "en");
  EXPECT_EQ(detect_language("…", "").source, LanguageSource::fallback);
}

TEST(Language, OfAnyBytesIsSomething) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random.below(64), '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random.below(256));
    EXPECT_FALSE(detect_language(bytes, "en").code.empty());
  }
  EXPECT_FALSE(detect_language(std::string(1 << 20, '\xd8'), "en").code.empty());
}

}  // namespace
}  // namespace seda::text
