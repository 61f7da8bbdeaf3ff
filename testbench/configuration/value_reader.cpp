// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/value_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/nearest.h"
#include "base/shown_value.h"
#include "base/text.h"
#include "testbench/configuration/value_text.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

std::string wanted(const DocumentNode& node, const std::string& what) {
  if (node.kind == Kind::null) return "no value; expected " + what + ", or remove the key";
  std::string text = "expected " + what + ", found " + node.called();
  if (node.kind == Kind::scalar && node.quoted) text += " in quotes";
  return text;
}

std::string bracketed(const std::string& range) {
  return range == "any" ? "" : " (" + range + ")";
}

std::string out_of_range(const DocumentNode& node, const std::string& range) {
  return node.text + " is out of range (" + range + ")";
}

bool plain_scalar(const DocumentNode& node) {
  return node.kind == Kind::scalar && !node.quoted;
}

/// Result of reading a text as a number: not a number, a value, or a number that is too large.
enum class Form { not_a_number, value, too_large };

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

/// An address, or a number of bytes of that size.
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

/// The nodes of an address map's entry.
std::string read_nodes(const DocumentNode& node, std::vector<NodeName>& nodes) {
  if (node.kind != Kind::list) return wanted(node, "a list of nodes like [[0, 1], [2, 3]] or [1, 14]");
  for (const DocumentNode& item : node.items)
    if (const std::string wrong = read_value(item, nodes.emplace_back()); !wrong.empty()) return wrong;
  return {};
}

/// The first choice whose description has that word, in any case: dimension-order for xy. Empty: none has it.
std::string_view described_by(const std::string& word, const std::vector<Choice>& choices) {
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

/// Whether a text can be the name of a router or switch, like switch_d0_2.
bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kOthers = "0123456789_.-";
  if (text.empty() || kLetters.find(text.front()) == kLetters.npos) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return kLetters.find(c) != kLetters.npos || kOthers.find(c) != kOthers.npos;
  });
}

/// Decimal or 0x…; also 1e6 if that is a whole number.
Form parse_whole(std::string_view text, std::int64_t& value) {
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

}  // namespace

std::string read_value(const DocumentNode& node, std::int64_t& value, Range<std::int64_t> range,
                       std::string_view unit) {
  const std::string allowed = range_text(range, unit);
  std::int64_t read = 0;
  const Form form = plain_scalar(node) ? parse_whole(node.text, read) : Form::not_a_number;
  if (form == Form::not_a_number) return wanted(node, "an integer" + bracketed(allowed));
  if (form == Form::too_large)  // too large for the type: name the limits even if the key has none
    return out_of_range(node, value_text(range.min) + " to " + value_text(range.max) +
                                  (unit.empty() ? "" : " " + std::string(unit)));
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

std::string read_value(const DocumentNode& node, std::string& value, const std::vector<Choice>& choices,
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

std::string read_value(const DocumentNode& node, NodeName& value) {
  const std::string form = "a node: its number, its coordinates like [3, 4], or a name like router_3_4";
  constexpr Range<std::int64_t> kAny{0, std::numeric_limits<std::int64_t>::max()};
  NodeName read;
  if (node.kind == Kind::scalar && is_name(node.text)) {
    value = {{}, false, node.text};
    return {};
  }
  read.is_number = node.kind == Kind::scalar;
  if (node.kind != Kind::scalar && (node.kind != Kind::list || node.items.empty())) return wanted(node, form);
  const std::vector<DocumentNode> alone = read.is_number ? std::vector{node} : std::vector<DocumentNode>();
  for (const DocumentNode& number : read.is_number ? alone : node.items) {
    read.coordinates.push_back(0);
    if (!read_value(number, read.coordinates.back(), kAny, "").empty()) return wanted(number, form);
  }
  value = std::move(read);
  return {};
}

std::string read_value(const DocumentNode& node, LinkName& value) {
  LinkName read;
  if (node.kind != Kind::list || node.items.size() != 2 || !read_value(node.items[0], read.from).empty() ||
      !read_value(node.items[1], read.to).empty())
    return wanted(node, "a link: the two routers at its ends, like [[3, 4], [4, 4]] or [5, switch_d0_1]");
  value = std::move(read);
  return {};
}

std::string read_value(const DocumentNode& node, Duration& value) {
  constexpr Range<std::int64_t> kAny{1, std::int64_t{1} << 53};
  if (node.kind == Kind::scalar && node.text == "permanent") return value = {}, std::string();
  std::int64_t cycles = 0;
  if (node.kind != Kind::scalar || !read_value(node, cycles, kAny, "cycles").empty())
    return wanted(node, "a number of cycles from 1 to 9007199254740992, or permanent");
  value.cycles = cycles;
  return {};
}

std::string read_value(const DocumentNode& node, FaultEvent& value) {
  constexpr Range<std::int64_t> kAny{0, std::int64_t{1} << 53};
  const std::string form = "a fault like {cycle: 500, node: [3, 4], duration: 10}";
  if (node.kind != Kind::map) return wanted(node, form);
  FaultEvent read;
  bool timed = false, ends = false;
  for (const DocumentEntry& entry : node.entries) {
    std::string wrong;
    if (entry.key == "cycle") {
      wrong = read_value(entry.value, read.cycle, kAny, "cycles");
      timed = true;
    } else if (entry.key == "node") {
      wrong = read_value(entry.value, read.node.emplace());
    } else if (entry.key == "link") {
      wrong = read_value(entry.value, read.link.emplace());
    } else if (entry.key == "duration") {
      wrong = read_value(entry.value, read.duration);
      ends = true;
    } else if (entry.key == "one_way") {
      wrong = read_value(entry.value, read.one_way);
    } else {
      return "unknown key " + shown_value(entry.key) +
             did_you_mean(entry.key, {"cycle", "node", "link", "duration", "one_way"}) + "; expected " + form;
    }
    if (!wrong.empty()) return entry.key + ": " + wrong;
  }
  if (!timed) return "no cycle; expected " + form;
  if (read.node.has_value() == read.link.has_value()) return "name either a node or a link; expected " + form;
  if (!ends) return "no duration: a number of cycles, or permanent; expected " + form;
  if (read.one_way && !read.link) return "one_way is an option of links; remove it";
  value = std::move(read);
  return {};
}

std::string read_value(const DocumentNode& node, AddressMapEntry& value) {
  const std::string form = "a range like {name: ram, first: 0x1000, last: 0x1fff, node: [3, 4]}";
  if (node.kind != Kind::map) return wanted(node, form);
  AddressMapEntry read;
  const auto given = [&](std::string_view key) { return node.find(key) != nullptr; };
  for (const DocumentEntry& entry : node.entries) {
    std::string wrong;
    if (entry.key == "name") {
      wrong = read_value(entry.value, read.name);
    } else if (entry.key == "first") {
      wrong = read_address(entry.value, read.first);
    } else if (entry.key == "last") {
      wrong = read_address(entry.value, read.last);
    } else if (entry.key == "default") {
      wrong = read_value(entry.value, read.is_default);
    } else if (entry.key == "node") {
      wrong = read_value(entry.value, read.nodes.emplace_back());
    } else if (entry.key == "nodes") {
      wrong = read_nodes(entry.value, read.nodes);
    } else if (entry.key == "interleave") {
      wrong = read_address(entry.value, read.interleave);
    } else if (entry.key == "local") {
      wrong = read_address(entry.value, read.local);
    } else {
      return "unknown key " + shown_value(entry.key) +
             did_you_mean(entry.key,
                          {"name", "first", "last", "default", "node", "nodes", "interleave", "local"}) +
             "; expected " + form;
    }
    if (!wrong.empty()) return entry.key + ": " + wrong;
  }
  if (given("node") == given("nodes")) return "name either node or nodes; expected " + form;
  if (read.is_default) {
    for (const char* const key : {"first", "last", "interleave", "local"})
      if (given(key)) return std::string(key) + " has no meaning with default: true; remove it";
  } else if (!given("first") || !given("last")) {
    return "no " + std::string(given("first") ? "last" : "first") +
           " address; give both, which belong to the range, or default: true";
  }
  value = std::move(read);
  return {};
}

}  // namespace flitmend
