// SPDX-License-Identifier: Apache-2.0
//
// What normalisation costs a line: plain prose, lines full of numbers, English and Persian.
#include <array>
#include <string_view>

#include <benchmark/benchmark.h>

#include "seda/text/normalizer.h"

namespace {

using Lines = std::array<std::string_view, 5>;

constexpr Lines kPlainEnglish{
    "The lamps were lit along the river, and the last of the boats came slowly home before the "
    "tide,",
    "for nobody who had heard the old man speak could doubt that he believed every word of it.",
    "in the course of the evening the letter was read aloud, twice, to those who had waited for "
    "it.",
    "She had, it was said, never once looked back at the house in which she had been born;",
    "whether the bridge would hold was a question that the engineers preferred not to answer."};

constexpr Lines kNumbersEnglish{
    "On May 5, 1998, at 3:30pm, Dr. Smith paid $3.50 for 12 oranges and 5 kg of rice.",
    "Between 1914 and 1918 some 1,234,567 letters, 10-20% of them lost, crossed the front.",
    "Call (212) 555-0182 or write to info@example.com before 12/25/2020 at 7 p.m. sharp.",
    "Henry VIII ruled for 37 years; Chapter IV, pp. 3-5, gives 1/2 of the 103rd list.",
    "The FBI and NASA spent $1.5 million on a 20°C tank, 98.6 °F at most, in the 1990s."};

// clang-format off
constexpr Lines kPlainPersian{
    "باران تا صبح بارید، و هیچ‌یک از همسایه‌ها صدای در را نشنید؛ شب آرامی بود.",
    "چراغ‌های شهر یکی پس از دیگری روشن شدند و قایق‌ها آرام به خانه بازگشتند.",
    "هیچ‌کس نمی‌دانست که آن نامه را چه کسی نوشته و چرا آن را پنهان کرده است.",
    "او هر سال کتاب‌های تازه‌ای می‌خرد و آن‌ها را به کتابخانه شهر می‌بخشد.",
    "مهندسان ترجیح دادند که به این پرسش پاسخ ندهند، چون پل هنوز آماده نبود."};
// clang-format on

constexpr Lines kNumbersPersian{
    "در تاریخ ۱۴۰۲/۰۵/۱۷ ساعت ۱۴:۳۰ حدود ۱۲٬۰۰۰ نفر آمدند که ۵٪ آنها رفتند.",
    "قیمت ۲۵٬۵۰۰ تومان بود و سال ۱۳۵۷ ه.ش. با ۱۰-۲۰ درصد کمتر می شد.",
    "تلفن ۰۲۱-۸۸۷۷۶۶۵۵ و صفحه ۱۲۳ کتاب ها را در ۲۱اُمین روز ببینید.",
    "۳٫۵ کیلوگرم از ۵۰۰ ریال تا $3.50 و 5 km در ۱/۲ ساعت می رود.",
    "۲۲ بهمن ۱۳۵۷ و ۱ فروردین ۱۴۰۰ و ۱۲۳۴۵۶۷ نفر در ۲۰ شهر بودند."};

void normalize(benchmark::State& state, const Lines& lines, std::string_view language) {
  const seda::text::Normalizer normalizer;
  size_t next = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(normalizer.apply(lines[next++ % lines.size()], language));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(normalize, plain_en, kPlainEnglish, "en");
BENCHMARK_CAPTURE(normalize, numbers_en, kNumbersEnglish, "en");
BENCHMARK_CAPTURE(normalize, plain_fa, kPlainPersian, "fa");
BENCHMARK_CAPTURE(normalize, numbers_fa, kNumbersPersian, "fa");
BENCHMARK_CAPTURE(normalize, numbers_de, kNumbersEnglish, "de");

}  // namespace
