// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/diagnose/bands.h"
#include "seda/diagnose/batch_times.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/consumer.h"
#include "seda/feed/loader.h"

/// What pages of several verbs show, as markup.
namespace seda::cli {

/// The cause in its colour, and its evidence.
std::string verdict_card(const diagnose::Verdict& verdict);

/// A table of them with what each brought; nothing where there is none.
std::string remedies_section(const std::vector<diagnose::Remedy>& remedies);

/// A share with the word and the colour of its band, or "not measured".
std::string share_tile(std::string_view name, const std::optional<double>& share,
                       const diagnose::Bounds& bounds);

/// How batch times vary, with a band where a step sets their pace.
std::string variation_tile(const diagnose::BatchTimes& times, bool paced);

/// What each stage did with its time.
std::string stage_chart(const feed::LoaderStatistics& loader);

/// How long steps took, with their median, and whether they oscillate.
std::string step_histogram(const diagnose::Consumption& run, const diagnose::BatchTimes& times);

/// The same in turn.
std::string step_curve(const diagnose::Consumption& run);

}  // namespace seda::cli
