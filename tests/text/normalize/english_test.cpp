// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/text/normalize/spoken_case.h"

namespace seda::text {
namespace {

void expect_english(std::span<const SpokenCase> cases) {
  expect_spoken(cases, "en");
}

TEST(English, Cardinals) {
  expect_english(std::to_array<SpokenCase>({
      {"5 men", "five men"},
      {"It is 0.", "It is zero."},
      {"21 and 99", "twenty-one and ninety-nine"},
      {"105", "one hundred five"},
      {"1000", "one thousand"},
      {"1,234,567 people came.",
       "one million two hundred thirty-four thousand five hundred sixty-seven people came."},
      {"7,000,000,000", "seven billion"},
      {"999999999999999999",
       "nine hundred ninety-nine quadrillion nine hundred ninety-nine trillion nine hundred "
       "ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand "
       "nine hundred ninety-nine"},
      {"1234567890123456789",
       "one two three four five six seven eight nine zero one two three four five six seven eight "
       "nine"},
      {"agent 007", "agent zero zero seven"},
      {"1,2,3", "one, two, three"},
      {"12,34", "twelve, thirty-four"},
      {"The \"5\" and '6' and (7).", "The \"five\" and 'six' and (seven)."},
      {"10k steps", "ten thousand steps"},
      {"Boeing 737s", "Boeing seven hundred thirty-sevens"},
      {"10^6", "ten to the power of six"},
      {"10^-6", "ten to the power of minus six"},
      {"6 × 7", "six times seven"},
      {"٣ and ۴ and ५", "three and four and five"},
  }));
}

TEST(English, BritishCardinalsHaveAnAnd) {
  const auto british = [](std::string_view line) { return normalize(line, "en-gb"); };
  EXPECT_EQ(british("105"), "one hundred and five");
  EXPECT_EQ(british("1,001"), "one thousand and one");
  EXPECT_EQ(british("2,340"), "two thousand three hundred and forty");
  EXPECT_EQ(british("03/04/2021"), "April third, twenty twenty-one");
  EXPECT_EQ(normalize("105", "en_GB"), "one hundred and five");
}

TEST(English, Ordinals) {
  expect_english(std::to_array<SpokenCase>({
      {"the 1st", "the first"},
      {"the 2nd and 3rd", "the second and third"},
      {"the 22nd", "the twenty-second"},
      {"the 103rd", "the one hundred third"},
      {"11th, 12th, 13th", "eleventh, twelfth, thirteenth"},
      {"the 30th", "the thirtieth"},
      {"19th-century", "nineteenth-century"},
      {"the 1,000th", "the one thousandth"},
  }));
}

TEST(English, Years) {
  expect_english(std::to_array<SpokenCase>({
      {"in 1984", "in nineteen eighty-four"},
      {"In 1984, it rained.", "In nineteen eighty-four, it rained."},
      {"since 1900", "since nineteen hundred"},
      {"by 1905", "by nineteen oh five"},
      {"in 2000", "in two thousand"},
      {"in 2007", "in two thousand seven"},
      {"in 2010", "in twenty ten"},
      {"in 1066", "in ten sixty-six"},
      {"1066 BC", "ten sixty-six B C"},
      {"44 B.C. was", "forty-four B C was"},
      {"the 1990s", "the nineteen nineties"},
      {"the '90s", "the nineties"},
      {"the ’60s", "the sixties"},
      {"the 80's", "the eighties"},
      {"the 1900s", "the nineteen hundreds"},
      {"the 2000s", "the two thousands"},
      {"mid-1990s", "mid-nineteen nineties"},
      {"1905-06", "nineteen oh five to oh six"},
      {"1914–1918", "nineteen fourteen to nineteen eighteen"},
      {"1914 – 1918", "nineteen fourteen to nineteen eighteen"},
      {"the summer of '69", "the summer of sixty-nine"},
      {"1500 people", "one thousand five hundred people"},
      {"1984 versus 1985", "nineteen eighty-four versus nineteen eighty-five"},
      {"2012 begins well", "twenty twelve begins well"},
      {"1776 ships", "one thousand seven hundred seventy-six ships"},
  }));
}

TEST(English, DecimalsAndSigns) {
  expect_english(std::to_array<SpokenCase>({
      {"3.14", "three point one four"},
      {".5", "point five"},
      {"0.05", "zero point zero five"},
      {"1,234.56", "one thousand two hundred thirty-four point five six"},
      {"-5 degrees", "minus five degrees"},
      {"−7", "minus seven"},
      {"(-2)", "(minus two)"},
      {"+5", "plus five"},
      {"±3", "plus or minus three"},
      {"It is 5.", "It is five."},
      {"a 5-year-old", "a five-year-old"},
  }));
}

TEST(English, Ranges) {
  expect_english(std::to_array<SpokenCase>({
      {"10-20 men", "ten to twenty men"},
      {"pages 3–5", "pages three to five"},
      {"10-20 kg", "ten to twenty kilograms"},
      {"won 21-14", "won twenty-one to fourteen"},
      {"10:30-11:45am", "ten thirty to eleven forty-five a m"},
  }));
}

TEST(English, Fractions) {
  expect_english(std::to_array<SpokenCase>({
      {"1/2", "one half"},
      {"3/4 of it", "three quarters of it"},
      {"2/3", "two thirds"},
      {"3 1/4 miles", "three and a quarter miles"},
      {"2½ years", "two and a half years"},
      {"½", "one half"},
      {"size½", "size one half"},
      {"¾", "three quarters"},
      {"1 1/8", "one and an eighth"},
      {"5/16", "five sixteenths"},
      {"17/365", "seventeen over three hundred sixty-five"},
      {"open 24/7", "open twenty-four seven"},
      {"open 24/7/365", "open twenty-four slash seven slash three hundred sixty-five"},
  }));
}

TEST(English, Money) {
  expect_english(std::to_array<SpokenCase>({
      {"$3.50", "three dollars and fifty cents"},
      {"$1", "one dollar"},
      {"$1.01", "one dollar and one cent"},
      {"$1.5 million", "one point five million dollars"},
      {"£2.05", "two pounds and five pence"},
      {"£0.01", "one penny"},
      {"€0.99", "ninety-nine cents"},
      {"5¢", "five cents"},
      {"US$20", "twenty U S dollars"},
      {"¥500", "five hundred yen"},
      {"₹20", "twenty rupees"},
      {"﷼5000", "five thousand rials"},
      {"20€", "twenty euros"},
      {"$1,234.56", "one thousand two hundred thirty-four dollars and fifty-six cents"},
      {"$5-10", "five to ten dollars"},
      {"$5-$10 million", "five to ten million dollars"},
      {"-$5", "minus five dollars"},
      {"$5/hour", "five dollars per hour"},
      {"$2/kg, $3/lb., $4/x",
       "two dollars per kilogram, three dollars per pound, four dollars per x"},
      {"$100K", "one hundred thousand dollars"},
      {"$2.5bn", "two point five billion dollars"},
      {"a $20 bill", "a twenty dollar bill"},
      {"20 USD", "twenty U S dollars"},
  }));
}

TEST(English, Dates) {
  expect_english(std::to_array<SpokenCase>({
      {"May 5, 1998", "May fifth, nineteen ninety-eight"},
      {"5 May 1998", "the fifth of May nineteen ninety-eight"},
      {"the 5 May 1998", "the fifth of May nineteen ninety-eight"},
      {"5th of May", "fifth of May"},
      {"the 5th of May, 1998", "the fifth of May, nineteen ninety-eight"},
      {"12/25/2020", "December twenty-fifth, twenty twenty"},
      {"25/12/2020", "December twenty-fifth, twenty twenty"},
      {"2020-12-25", "December twenty-fifth, twenty twenty"},
      {"25.12.2020", "December twenty-fifth, twenty twenty"},
      {"9/1/39", "September first, thirty-nine"},
      {"Mon.-Fri., 9-5", "Monday-Friday, nine to five"},
      {"Sept. 3rd", "September third"},
      {"May 5-7, 2020", "May fifth to seventh, twenty twenty"},
      {"June 2019", "June twenty nineteen"},
      {"on Dec. 5", "on December fifth"},
      {"You may 5 times", "You may five times"},
  }));
}

TEST(English, Times) {
  expect_english(std::to_array<SpokenCase>({
      {"3:30pm", "three thirty p m"},
      {"at 5.30pm", "at five thirty p m"},
      {"at 5.05 a.m. sharp", "at five oh five a m sharp"},
      {"5.30 apples", "five point three zero apples"},
      {"03:05", "three oh five"},
      {"12:00", "twelve o'clock"},
      {"15:00", "fifteen hundred"},
      {"7 p.m.", "seven p m."},
      {"at 7 p.m. sharp", "at seven p m sharp"},
      {"We met at 7 p.m. The rain fell.", "We met at seven p m. The rain fell."},
      {"15:45:10", "fifteen forty-five and ten seconds"},
      {"3:00 PM", "three p m"},
      {"16:9", "sixteen to nine"},
      {"a mix of 5:3:2", "a mix of five to three to two"},
      {"3:2: a fifth", "three to two: a fifth"},
      {"John 3:16", "John three sixteen"},
      {"twelve p.m. today", "twelve p m today"},
  }));
}

TEST(English, Units) {
  expect_english(std::to_array<SpokenCase>({
      {"5 km", "five kilometers"},
      {"3kg", "three kilograms"},
      {"70 mph", "seventy miles per hour"},
      {"5'10\" tall", "five foot ten tall"},
      {"6′2″", "six foot two"},
      {"30° 15′ north", "thirty degrees fifteen minutes north"},
      {"20°C", "twenty degrees Celsius"},
      {"1°C", "one degree Celsius"},
      {"98.6 °F", "ninety-eight point six degrees Fahrenheit"},
      {"20℃", "twenty degrees Celsius"},
      {"3 GB", "three gigabytes"},
      {"100 km/h", "one hundred kilometers per hour"},
      {"20 m²", "twenty square meters"},
      {"5 m3", "five cubic meters"},
      {"1 lb", "one pound"},
      {"2 lbs", "two pounds"},
      {"6 ft. tall", "six feet tall"},
      {"6 ft., or 24 hrs.; 5 lbs.", "six feet, or twenty-four hours; five pounds."},
      {"5%", "five percent"},
      {"0.5 %", "zero point five percent"},
      {"3 men", "three men"},
      {"5 in the morning", "five in the morning"},
      {"1920x1080", "one thousand nine hundred twenty by one thousand eighty"},
      {"10x faster", "ten times faster"},
  }));
}

TEST(English, TelephoneNumbersAndCodes) {
  expect_english(std::to_array<SpokenCase>({
      {"555-1234", "five five five one two three four"},
      {"(212) 555-0182", "two one two five five five zero one eight two"},
      {"212-555-0182", "two one two five five five zero one eight two"},
      {"+1 800 555 0199", "plus one eight zero zero five five five zero one nine nine"},
      {"192.168.0.1", "one hundred ninety-two dot one hundred sixty-eight dot zero dot one"},
      {"version 1.2.3", "version one point two point three"},
      {"4-4-2", "four four two"},
      {"020 7946 0958", "zero two zero seven nine four six zero nine five eight"},
      {"1-800-FLOWERS", "one eight zero zero FLOWERS"},
      {"v2.0.1", "v two point zero point one"},
  }));
}

TEST(English, RomanNumerals) {
  expect_english(std::to_array<SpokenCase>({
      {"Henry VIII", "Henry the eighth"},
      {"Chapter IV", "Chapter four"},
      {"chapter XII", "chapter twelve"},
      {"World War II", "World War two"},
      {"Malcolm X spoke", "Malcolm X spoke"},
      {"World War I ended", "World War one ended"},
      {"Louis XIV's court", "Louis the fourteenth's court"},
      {"King George V", "King George the fifth"},
      {"Queen Elizabeth I ruled", "Queen Elizabeth the first ruled"},
      {"the XIX century", "the nineteenth century"},
      {"Rocky III", "Rocky three"},
      {"WWII", "World War two"},
      {"Vol. II", "Volume two"},
      {"serial Number C two", "serial Number C two"},
      {"I saw Henry. I did.", "I saw Henry. I did."},
      {"the part I played", "the part I played"},
      {"a mix of a CD and an MD", "a mix of a C D and an M D"},
  }));
}

TEST(English, Abbreviations) {
  expect_english(std::to_array<SpokenCase>({
      {"Dr. Smith", "Doctor Smith"},
      {"Mr. and Mrs. Hall", "Mister and Missus Hall"},
      {"Ms. Lee", "Ms Lee"},
      {"Prof. Hill", "Professor Hill"},
      {"Mr Smith", "Mister Smith"},
      {"St. John", "Saint John"},
      {"on Main St. there", "on Main Street there"},
      {"He lives on Main St.", "He lives on Main Street."},
      {"on Main St. He left.", "on Main Street. He left."},
      {"42nd St. is", "forty-second Street is"},
      {"on Mulholland Dr. in May", "on Mulholland Drive in May"},
      {"No. 5 is alive.", "number five is alive."},
      {"No. I said no.", "No. I said no."},
      {"The answer is No.", "The answer is No."},
      {"cats, dogs, etc., and so on", "cats, dogs, et cetera, and so on"},
      {"cats, etc.", "cats, et cetera."},
      {"e.g., this, i.e. that", "for example, this, that is that"},
      {"us vs. them", "us versus them"},
      {"approx. 5", "approximately five"},
      {"Martin Luther King, Jr., spoke", "Martin Luther King, Junior, spoke"},
      {"Smith Sr. left", "Smith Senior left"},
      {"Acme Inc.", "Acme Incorporated."},
      {"Bar & Co., Ltd. won", "Bar and Company, Limited won"},
      {"Gen. Lee and Col. Mustard", "General Lee and Colonel Mustard"},
      {"Capt. Hook, Lt. Dan, Sgt. Pepper", "Captain Hook, Lieutenant Dan, Sergeant Pepper"},
      {"Rev. Green and Hon. Judge", "Reverend Green and Honorable Judge"},
      {"Gov. Brown, Sen. Hill, Rep. Adams", "Governor Brown, Senator Hill, Representative Adams"},
      {"Mt. Everest and Ft. Worth", "Mount Everest and Fort Worth"},
      {"Fifth Ave. and Sunset Blvd.", "Fifth Avenue and Sunset Boulevard."},
      {"vol. 3, p. 5, pp. 6-7", "volume three, page five, pages six to seven"},
      {"Fig. 3", "Figure three"},
      {"on Mon., Dec. 5", "on Monday, December fifth"},
      {"under the Sun. It sat.", "under the Sun. It sat."},
      {"Mr. So-and-so", "Mister So-and-so"},
      {"Mr.Smith", "Mister Smith"},
      {"The Dr. is in.", "The Dr. is in."},
      {"w/o sugar", "without sugar"},
      {"tea w/ milk", "tea with milk"},
      {"a Ph.D. in law", "a P H D in law"},
  }));
}

TEST(English, Acronyms) {
  expect_english(std::to_array<SpokenCase>({
      {"the FBI", "the F B I"},
      {"the U.S.A. won", "the U S A won"},
      {"He left the U.S.", "He left the U S."},
      {"NASA and UNESCO", "NASA and UNESCO"},
      {"two CDs", "two C D's"},
      {"the CIA's man", "the C I A's man"},
      {"an MP3", "an M P three"},
      {"B2B", "B two B"},
      {"COVID-19", "COVID nineteen"},
      {"an F-16", "an F sixteen"},
      {"HTML and the USSR", "H T M L and the U S S R"},
      {"AT&T", "A T and T"},
      {"H2O", "H two O"},
      {"He did NOT go.", "He did NOT go."},
      {"THE QUICK BROWN FOX", "THE QUICK BROWN FOX"},
      {"THE BROWN FOX JUMPED OVER 5 LAZY DOGS.", "THE BROWN FOX JUMPED OVER FIVE LAZY DOGS."},
      {"TOM &amp; JERRY RAN 5 MILES", "TOM AND JERRY RAN FIVE MILES"},
      {"5% OFF ALL DRINKS & FRIES TODAY", "FIVE PERCENT OFF ALL DRINKS AND FRIES TODAY"},
      {"J.F.K. airport", "J F K airport"},
  }));
}

TEST(English, Addresses) {
  expect_english(std::to_array<SpokenCase>({
      {"info@example.com", "info at example dot com"},
      {"https://www.site.org/path", "w w w dot site dot org slash path"},
      {"See example.com.", "See example dot com."},
      {"www.foo.co.uk/a-b?x=1",
       "w w w dot foo dot co dot uk slash a dash b question mark x equals one"},
      {"the end.Then", "the end.Then"},
  }));
}

TEST(English, Symbols) {
  expect_english(std::to_array<SpokenCase>({
      {"Q & A", "Q and A"},
      {"5 + 5 = 10", "five plus five equals ten"},
      {"a @ b", "a at b"},
      {"#5 and #tag", "number five and hashtag tag"},
      {"and/or", "and slash or"},
      {"~50", "about fifty"},
      {"2*3", "two times three"},
      {"5 < 6", "five less than six"},
      {"a turn of 20°", "a turn of twenty degrees"},
      {"© 2020 Foo™", "copyright twenty twenty Foo"},
      {"§ 5", "section five"},
      {"x² + y²", "x squared plus y squared"},
      {"*note", "note"},
      {"snake_case ^ | \\", "snake case"},
  }));
}

TEST(English, Punctuation) {
  expect_english(std::to_array<SpokenCase>({
      {"Wow!!!", "Wow!"},
      {"What???", "What?"},
      {"Really?!?!", "Really?!"},
      {"No... wait..", "No… wait."},
      {"No . . . wait", "No… wait"},
      {"“curly” ‘single’ don’t", "\"curly\" 'single' don't"},
      {"a -- b --- c", "a — b — c"},
      {"a - b – c — d", "a — b — c — d"},
      {"[sic] {x}", "(sic) (x)"},
      {"word , next", "word, next"},
      {"word   . Next", "word. Next"},
      {"a --— b", "a — b"},
      {"  two   spaces ", "two spaces"},
  }));
}

TEST(English, Entities) {
  expect_english(std::to_array<SpokenCase>({
      {"Q &amp; A", "Q and A"},
      {"&quot;x&quot;", "\"x\""},
      {"don&#39;t", "don't"},
      {"a&nbsp;b", "a b"},
      {"&amp;quot;x&amp;quot;", "\"x\""},
      {"&#x41;bc", "Abc"},
      {"&frac12;", "one half"},
      {"R&D", "R and D"},
      {"&#xD800;x", "x"},
      {"<b>bold</b> text<br />", "bold text"},
      {"&lt;i&gt;x&lt;/i&gt;", "x"},
  }));
}

TEST(English, PlainProseStaysAsItIs) {
  expect_unchanged(std::to_array<std::string_view>({
                       "and was thought to be quite new.",
                       "I said, \"No.\" You and I know it.",
                       "A man walked in; he was tall, dark and (it was said) rich.",
                       "What is it? It's the cat's own, isn't it!",
                       "the so-called well-to-do",
                       "She went to St",
                       "Vitamin C. The letter I.",
                       "He was a mix of civil and mild.",
                       "Then came 'the end' — at last…",
                       "naïve café",
                       "",
                   }),
                   "en");
}

}  // namespace
}  // namespace seda::text
