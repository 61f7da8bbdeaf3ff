// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace flitmend {

// Command-line options whose values are checked here and not by the parser, which accepts -1 as 2^64 − 1,
// 70-bit numbers as the largest 64-bit number, and 010 as 8. For a bad value they throw ConfigurationError
// with the option, the value and what is expected.

/// A whole number from `min` to `max`, at most 2^64 − 1, in decimal digits only. `shown`: the default, shown
/// by help if the option's capture_default_str() is called.
CLI::Option* add_whole_number_option(CLI::App&, const std::string& name, const std::string& help,
                                     Range<std::uint64_t> range, std::function<void(std::uint64_t)> set,
                                     std::function<std::string()> shown);

/// The same for a variable; without bounds, from 0 to the largest value of its type.
template <std::integral T>
CLI::Option* add_whole_number(CLI::App& app, const std::string& name, T& value, const std::string& help,
                              Range<T> range = {0, std::numeric_limits<T>::max()}) {
  return add_whole_number_option(
      app, name, help, {static_cast<std::uint64_t>(range.min), static_cast<std::uint64_t>(range.max)},
      [&value](std::uint64_t number) { value = static_cast<T>(number); },
      [&value] { return std::to_string(value); });
}
template <std::integral T>
CLI::Option* add_whole_number(CLI::App& app, const std::string& name, std::optional<T>& value,
                              const std::string& help, Range<T> range = {0, std::numeric_limits<T>::max()}) {
  return add_whole_number_option(
      app, name, help, {static_cast<std::uint64_t>(range.min), static_cast<std::uint64_t>(range.max)},
      [&value](std::uint64_t number) { value = static_cast<T>(number); }, nullptr);
}

/// A finite number: "0.004", "4e-3"; `example` appears in the message.
CLI::Option* add_number(CLI::App&, const std::string& name, double& value, const std::string& help,
                        const std::string& example);
CLI::Option* add_number(CLI::App&, const std::string& name, std::optional<double>& value,
                        const std::string& help, const std::string& example);

/// One of a few words; help shows all of them.
CLI::Option* add_word(CLI::App&, const std::string& name, std::string& value,
                      std::vector<std::string_view> words, const std::string& help);
CLI::Option* add_choice(CLI::App&, const std::string& name, std::string& value,
                        const std::vector<Choice>& choices, const std::string& help);

/// Refuses the empty name of a folder or file to write.
CLI::Validator output_name();

/// --no-cache of the commands that prove freedom from deadlock.
void add_no_cache(CLI::App&, bool& no_cache);

/// --threads of the commands that run one simulation: a number, or auto.
void add_threads(CLI::App&, std::optional<Threads>&);

/// --quiet of the commands that show progress.
void add_quiet(CLI::App&, bool& quiet);

/// --seed, the same for every command that draws at random: 0 … 2^64 − 1.
CLI::Option* add_seed(CLI::App&, std::uint64_t& seed);

}  // namespace flitmend
