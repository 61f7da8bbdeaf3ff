// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/value_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/nearest.h"
#include "base/text.h"
#include "testbench/configuration/writer.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

std::string bracketed(const std::string& range) {
  return range == "any" ? "" : " (" + range + ")";
}

std::string out_of_range(const DocumentNode& node, const std::string& range) {
  return node.text + " is out of range (" + range + ")";
}

bool plain_scalar(const DocumentNode& node) {
  return node.kind == Kind::scalar && !node.quoted;
}

using Form = NumberForm;

std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

Form parse_real(std::string_view text, double& value) {
  text = without_plus(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return Form::not_a_number;
  return error == std::errc{} ? Form::value : Form::too_large;
}

/// Decimal or 0x…
Form parse_address(std::string_view text, std::uint64_t& value) {
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value, hexadecimal ? 16 : 10);
  if (digits.empty() || end != last) return Form::not_a_number;
  return error == std::errc{} ? Form::value : Form::too_large;
}

/// The first choice whose description has that word, in any case: dimension-order for xy. Empty: none has it.
std::string_view described_by(const std::string& word, std::span<const Choice> choices) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; };
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  if (word.size() < 2) return {};
  for (const Choice& choice : choices) {
    const std::string_view text = choice.description;
    for (auto at = text.begin(); at != text.end(); ++at) {
      at = std::search(at, text.end(), word.begin(), word.end(), same);
      if (at == text.end()) break;
      const auto after = at + static_cast<std::ptrdiff_t>(word.size());
      if ((at == text.begin() || !is_part(at[-1])) && (after == text.end() || !is_part(*after)))
        return choice.name;
    }
  }
  return {};
}

}  // namespace

NumberForm parse_whole(std::string_view text, std::int64_t& value) {
  text = without_plus(text);
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  if (hexadecimal && digits.starts_with('-')) return Form::not_a_number;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value, hexadecimal ? 16 : 10);
  if (!digits.empty() && end == last) return error == std::errc{} ? Form::value : Form::too_large;
  if (text.find_first_not_of("+-0123456789eE") != text.npos) return Form::not_a_number;
  double real = 0;
  if (const Form form = parse_real(text, real); form != Form::value) return form;
  if (std::abs(real) >= 0x1p63) return Form::too_large;
  if (real != std::floor(real)) return Form::not_a_number;
  value = static_cast<std::int64_t>(real);
  return Form::value;
}

std::string wanted(const DocumentNode& node, const std::string& what) {
  if (node.kind == Kind::null) return "no value; expected " + what + ", or remove the key";
  std::string text = "expected " + what + ", found " + node.called();
  if (node.kind == Kind::scalar && node.quoted) text += " in quotes";
  return text;
}

std::string read_value(const DocumentNode& node, std::int64_t& value, Range<std::int64_t> range,
                       std::string_view unit) {
  const std::string allowed = range_text(range, unit);
  std::int64_t read = 0;
  const Form form = plain_scalar(node) ? parse_whole(node.text, read) : Form::not_a_number;
  if (form == Form::not_a_number) return wanted(node, "an integer" + bracketed(allowed));
  if (form == Form::too_large)  // too large for the type: name the limits even if the key has none
    return out_of_range(
        node, formatted("%1% to %2%%3%", range.min, range.max, unit.empty() ? "" : " " + std::string(unit)));
  if (read < range.min || read > range.max) return out_of_range(node, allowed);
  value = read;
  return {};
}

std::string read_value(const DocumentNode& node, double& value, Range<double> range, std::string_view unit) {
  const std::string allowed = range_text(range, unit);
  double read = 0;
  const Form form = plain_scalar(node) ? parse_real(node.text, read) : Form::not_a_number;
  const bool infinite = plain_scalar(node) && (node.text.ends_with(".inf") || node.text.ends_with(".nan"));
  if (infinite || (form == Form::value && !std::isfinite(read)))
    return wanted(node, "a finite number" + bracketed(allowed));
  if (form == Form::not_a_number) return wanted(node, "a number" + bracketed(allowed));
  if (form == Form::too_large || read < range.min || read > range.max) return out_of_range(node, allowed);
  value = read;
  return {};
}

std::string read_address(const DocumentNode& node, std::uint64_t& value) {
  std::uint64_t read = 0;
  switch (plain_scalar(node) ? parse_address(node.text, read) : Form::not_a_number) {
    case Form::not_a_number:
      return wanted(node, "a whole number like 4096 or 0x1000");
    case Form::too_large:
      return out_of_range(node, "0 to 0xffffffffffffffff");
    case Form::value:
      value = read;
  }
  return {};
}

std::string read_value(const DocumentNode& node, bool& value) {
  if (plain_scalar(node)) {
    if (node.text == "true" || node.text == "True" || node.text == "TRUE") return value = true, std::string();
    if (node.text == "false" || node.text == "False" || node.text == "FALSE")
      return value = false, std::string();
  }
  return wanted(node, "true or false");
}

std::string read_value(const DocumentNode& node, std::string& value) {
  if (node.kind != Kind::scalar) return wanted(node, "a text");
  value = node.text;
  return {};
}

std::string read_choice(const DocumentNode& node, std::string& value, std::span<const Choice> choices,
                        const std::string& called) {
  std::vector<std::string_view> names;
  for (const Choice& choice : choices) {
    names.push_back(choice.name);
    if (node.kind == Kind::scalar && node.text == choice.name) return value = node.text, std::string();
  }
  const std::string list = joined(names);
  if (node.kind != Kind::scalar) return wanted(node, "one of " + list);
  std::string_view meant = described_by(node.text, choices);
  if (meant.empty()) meant = nearest(node.text, names);
  if (!meant.empty())
    return "unknown " + called + " " + node.called() + " (did you mean '" + std::string(meant) +
           "'?); available: " + list;
  return "unknown " + called + " " + node.called() + "; available: " + list;
}

}  // namespace flitmend
