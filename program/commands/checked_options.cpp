// SPDX-License-Identifier: Apache-2.0
#include "program/commands/checked_options.h"

#include <charconv>
#include <cmath>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"

namespace flitmend {
namespace {

/// The whole text as a number of that type; none if it is something else or does not fit.
template <class Number>
std::optional<Number> read(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& name, const std::string& text, const std::string& wanted) {
  throw ConfigurationError(name + " '" + text + "': expected " + wanted);
}

CLI::Option* add_checked(CLI::App& app, const std::string& name, const std::string& help,
                         const std::string& type, std::function<void(const std::string&)> take,
                         std::function<std::string()> shown) {
  CLI::Option* option = app.add_option(
      name,
      [take = std::move(take)](const CLI::results_t& words) {
        take(words.at(0));
        return true;
      },
      help, false, std::move(shown));
  return option->type_name(type);
}

CLI::Option* add_finite(CLI::App& app, const std::string& name, const std::string& help,
                        const std::string& example, std::function<void(double)> set,
                        std::function<std::string()> shown) {
  return add_checked(
      app, name, help, "X",
      [name, example, set = std::move(set)](const std::string& text) {
        const auto value = read<double>(text);
        if (!value || !std::isfinite(*value)) refuse(name, text, "a number, like " + example);
        set(*value);
      },
      std::move(shown));
}

}  // namespace

CLI::Option* add_whole_number_option(CLI::App& app, const std::string& name, const std::string& help,
                                     Range<std::uint64_t> range, std::function<void(std::uint64_t)> set,
                                     std::function<std::string()> shown) {
  return add_checked(
      app, name, help, "N",
      [name, range, set = std::move(set)](const std::string& text) {
        const auto value = read<std::uint64_t>(text);
        if (!value || *value < range.min || *value > range.max)
          refuse(name, text,
                 formatted("a whole number from %1% to %2%, in digits only", range.min, range.max));
        set(*value);
      },
      std::move(shown));
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& value, const std::string& help,
                        const std::string& example) {
  return add_finite(
      app, name, help, example, [&value](double number) { value = number; },
      [&value] { return number_text(value); });
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& value,
                        const std::string& help, const std::string& example) {
  return add_finite(
      app, name, help, example, [&value](double number) { value = number; }, nullptr);
}

CLI::Option* add_word(CLI::App& app, const std::string& name, std::string& value,
                      std::vector<std::string_view> words, const std::string& help) {
  const std::string list = joined(words);
  return add_checked(
      app, name, help, "{" + list + "}",
      [name, list, words, &value](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) == words.end()) {
          const std::string_view meant = nearest(text, words);
          throw ConfigurationError(
              name + " '" + text + "': expected one of " + list +
              (text.empty() || meant.empty() ? "" : " (did you mean '" + std::string(meant) + "'?)"));
        }
        value = text;
      },
      [&value] { return value; });
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<Choice>& choices, const std::string& help) {
  std::vector<std::string_view> words;
  for (const Choice& choice : choices) words.push_back(choice.name);
  return add_word(app, name, value, std::move(words), help);
}

CLI::Validator output_name() {
  return CLI::Validator(
      [](std::string& name) {
        return name.empty() ? std::string("the name is empty; give one, or omit the option") : std::string();
      },
      "");
}

void add_threads(CLI::App& app, std::optional<Threads>& threads) {
  add_checked(
      app, "--threads", "Threads that evaluate the routers: simulation.threads. No result depends on it.",
      "N|auto",
      [&threads](const std::string& text) {
        const auto number = read<std::int64_t>(text);
        if (text != "auto" && (!number || *number < 1 || *number > kMostThreads))
          refuse("--threads", text, formatted("a number of threads from 1 to %1%, or auto", kMostThreads));
        threads = {text == "auto" ? std::nullopt : number};
      },
      nullptr);
}

void add_no_cache(CLI::App& app, bool& no_cache) {
  app.add_flag("--no-cache", no_cache,
               "Prove freedom from deadlock again, even if the verdict of an earlier proof was kept.");
}

void add_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "Do not show progress on standard error.");
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed) {
  return add_whole_number(app, "--seed", seed, "Seed of the random numbers.")->capture_default_str();
}

}  // namespace flitmend
