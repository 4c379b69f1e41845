// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/english/readers.h"

namespace seda::text::english {
namespace {

struct Unit {
  std::string_view sign;
  std::string_view one;
  std::string_view many;
};

constexpr std::array<Unit, 99> kUnits{{
    {"%", "percent", "percent"},
    {"AUD", "Australian dollar", "Australian dollars"},
    {"CAD", "Canadian dollar", "Canadian dollars"},
    {"CHF", "Swiss franc", "Swiss francs"},
    {"EUR", "euro", "euros"},
    {"GB", "gigabyte", "gigabytes"},
    {"GBP", "pound", "pounds"},
    {"GHz", "gigahertz", "gigahertz"},
    {"GW", "gigawatt", "gigawatts"},
    {"Gbps", "gigabit per second", "gigabits per second"},
    {"GiB", "gibibyte", "gibibytes"},
    {"Hz", "hertz", "hertz"},
    {"IRR", "rial", "rials"},
    {"JPY", "yen", "yen"},
    {"KB", "kilobyte", "kilobytes"},
    {"KiB", "kibibyte", "kibibytes"},
    {"L", "liter", "liters"},
    {"MB", "megabyte", "megabytes"},
    {"MHz", "megahertz", "megahertz"},
    {"MW", "megawatt", "megawatts"},
    {"Mbps", "megabit per second", "megabits per second"},
    {"MiB", "mebibyte", "mebibytes"},
    {"PB", "petabyte", "petabytes"},
    {"Pa", "pascal", "pascals"},
    {"TB", "terabyte", "terabytes"},
    {"TWh", "terawatt hour", "terawatt hours"},
    {"USD", "U S dollar", "U S dollars"},
    {"V", "volt", "volts"},
    {"W", "watt", "watts"},
    {"cal", "calorie", "calories"},
    {"cc", "c c", "c c"},
    {"cm", "centimeter", "centimeters"},
    {"dB", "decibel", "decibels"},
    {"dl", "deciliter", "deciliters"},
    {"dm", "decimeter", "decimeters"},
    {"dpi", "dot per inch", "dots per inch"},
    {"fps", "frame per second", "frames per second"},
    {"ft", "foot", "feet"},
    {"g", "gram", "grams"},
    {"gal", "gallon", "gallons"},
    {"h", "hour", "hours"},
    {"hPa", "hectopascal", "hectopascals"},
    {"ha", "hectare", "hectares"},
    {"hp", "horsepower", "horsepower"},
    {"hr", "hour", "hours"},
    {"hrs", "hour", "hours"},
    {"kB", "kilobyte", "kilobytes"},
    {"kHz", "kilohertz", "kilohertz"},
    {"kJ", "kilojoule", "kilojoules"},
    {"kPa", "kilopascal", "kilopascals"},
    {"kV", "kilovolt", "kilovolts"},
    {"kW", "kilowatt", "kilowatts"},
    {"kWh", "kilowatt hour", "kilowatt hours"},
    {"kbps", "kilobit per second", "kilobits per second"},
    {"kcal", "kilocalorie", "kilocalories"},
    {"kg", "kilogram", "kilograms"},
    {"km", "kilometer", "kilometers"},
    {"km/h", "kilometer per hour", "kilometers per hour"},
    {"km/s", "kilometer per second", "kilometers per second"},
    {"kmh", "kilometer per hour", "kilometers per hour"},
    {"kph", "kilometer per hour", "kilometers per hour"},
    {"l", "liter", "liters"},
    {"lb", "pound", "pounds"},
    {"lbs", "pound", "pounds"},
    {"m", "meter", "meters"},
    {"m/s", "meter per second", "meters per second"},
    {"mA", "milliampere", "milliamperes"},
    {"mAh", "milliampere hour", "milliampere hours"},
    {"mL", "milliliter", "milliliters"},
    {"mV", "millivolt", "millivolts"},
    {"mg", "milligram", "milligrams"},
    {"mi", "mile", "miles"},
    {"min", "minute", "minutes"},
    {"mins", "minute", "minutes"},
    {"ml", "milliliter", "milliliters"},
    {"mm", "millimeter", "millimeters"},
    {"mph", "mile per hour", "miles per hour"},
    {"ms", "millisecond", "milliseconds"},
    {"nm", "nanometer", "nanometers"},
    {"ns", "nanosecond", "nanoseconds"},
    {"oz", "ounce", "ounces"},
    {"ppm", "part per million", "parts per million"},
    {"psi", "pound per square inch", "pounds per square inch"},
    {"px", "pixel", "pixels"},
    {"rpm", "revolution per minute", "revolutions per minute"},
    {"s", "second", "seconds"},
    {"sec", "second", "seconds"},
    {"secs", "second", "seconds"},
    {"sq ft", "square foot", "square feet"},
    {"sq km", "square kilometer", "square kilometers"},
    {"yd", "yard", "yards"},
    {"yds", "yard", "yards"},
    {"°", "degree", "degrees"},
    {"°C", "degree Celsius", "degrees Celsius"},
    {"°F", "degree Fahrenheit", "degrees Fahrenheit"},
    {"µg", "microgram", "micrograms"},
    {"µm", "micrometer", "micrometers"},
    {"µs", "microsecond", "microseconds"},
    {"Ω", "ohm", "ohms"},
}};
static_assert(std::ranges::is_sorted(kUnits, {}, &Unit::sign));

constexpr size_t kLongestSign = 5;

const Unit* find_sign(std::string_view sign) {
  const auto found = std::ranges::lower_bound(kUnits, sign, {}, &Unit::sign);
  return found != kUnits.end() && found->sign == sign ? &*found : nullptr;
}

/// "²", "2" and their like after a unit of length.
struct Power {
  std::string_view word;
  size_t length = 0;
};

Power power_at(const NumberText& text, size_t at) {
  const bool digit = is_digit(text.at(at)) && !is_digit(text.at(at + 1));
  if (text.has(at, "²")) return {"square ", 2};
  if (text.has(at, "³")) return {"cubic ", 2};
  if (digit && text.at(at) == '2') return {"square ", 1};
  if (digit && text.at(at) == '3') return {"cubic ", 1};
  return {};
}

bool is_length(const Unit& unit) {
  return unit.many.ends_with("meters") || unit.sign == "ft" || unit.sign == "mi" ||
         unit.sign == "yd";
}

/// "ft.", "lbs.": the point of a unit that stands within a sentence.
bool has_own_point(const NumberText& text, const Unit& unit, size_t end) {
  if (text.at(end) != '.' || !is_letter(unit.sign[0])) return false;
  const char next = text.at(end + 1);
  const bool marked = next == ',' || next == ';' || next == ':' || next == ')';
  return marked || (next == ' ' && is_lower(text.at(end + 2)));
}

std::optional<UnitFound> unit_of_length(const NumberText& text, size_t at, size_t length) {
  const Unit* unit = find_sign(text.text.substr(at, length));
  if (unit == nullptr) return std::nullopt;
  size_t end = at + length;
  const Power power = is_length(*unit) ? power_at(text, end) : Power{};
  end += power.length;
  const bool letter = is_letter(unit->sign.back()) || is_beyond_ascii(unit->sign.back());
  if (letter && !text.is_end(end) && unit->sign != "°") return std::nullopt;
  const bool apostrophe = text.at(end) == '\'' && is_letter(text.at(end + 1));
  if (apostrophe) return std::nullopt;
  if (has_own_point(text, *unit, end)) ++end;
  return UnitFound{unit->one, unit->many, power.word, end};
}

}  // namespace

std::optional<UnitFound> find_unit(const NumberText& text, size_t at) {
  if (at >= text.text.size()) return std::nullopt;
  if (text.has(at, "° C")) return UnitFound{"degree Celsius", "degrees Celsius", "", at + 4};
  if (text.has(at, "° F")) return UnitFound{"degree Fahrenheit", "degrees Fahrenheit", "", at + 4};
  for (size_t length = kLongestSign; length > 0; --length) {
    if (at + length > text.text.size()) continue;
    const auto unit = unit_of_length(text, at, length);
    if (unit) return unit;
  }
  return std::nullopt;
}

size_t append_unit(const NumberText& text, size_t end, bool one, std::string& words) {
  const bool hyphen = text.at(end) == '-' && is_letter(text.at(end + 1));
  const auto unit = find_unit(text, hyphen ? end + 1 : skip_space(text.text, end));
  if (!unit) return end;
  append_word(words, unit->before);
  words.append(unit->before.empty() ? " " : "").append(one || hyphen ? unit->one : unit->many);
  const bool per = text.at(unit->end) == '/' && is_letter(text.at(unit->end + 1));
  const auto below = per ? find_unit(text, unit->end + 1) : std::nullopt;
  if (!below) return unit->end;
  append_word(words, "per");
  append_word(words, std::string(below->before).append(below->one));
  return below->end;
}

}  // namespace seda::text::english
