// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/value_text.h"

#include <boost/format.hpp>
#include <charconv>
#include <limits>

namespace flitmend {
namespace {

template <class T>
std::string shortest(T value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return error == std::errc{} ? std::string(digits, end) : std::string();
}

/// " cycles", " per cycle" (of 1/cycle), " in units of load_unit" (of the key that has the unit).
std::string in_unit(std::string_view unit) {
  if (unit.empty()) return "";
  if (unit.starts_with("1/")) return " per " + std::string(unit.substr(2));
  return (unit.find('_') == unit.npos ? " " : " in units of ") + std::string(unit);
}

template <class T>
std::string bounds(Range<T> range, std::string_view unit) {
  const bool above = range.min > std::numeric_limits<T>::lowest();
  const bool below = range.max < std::numeric_limits<T>::max();
  std::string text = above && below ? value_text(range.min) + " to " + value_text(range.max)
                     : above        ? "at least " + value_text(range.min)
                     : below        ? "at most " + value_text(range.max)
                                    : "any";
  return text + in_unit(unit);
}

/// Letters, digits and signs that have no meaning to YAML inside a plain scalar, starting with a letter or
/// '/'.
bool plain(const std::string& text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kInside = "0123456789._/+-";
  if (text.empty() || (kLetters.find(text[0]) == kLetters.npos && text[0] != '/')) return false;
  for (char c : text)
    if (kLetters.find(c) == kLetters.npos && kInside.find(c) == kInside.npos) return false;
  for (std::string_view taken : {"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"})
    if (text == taken) return false;
  return true;
}

}  // namespace

std::string value_text(std::int64_t value) {
  return shortest(value);
}

std::string value_text(double value) {
  return shortest(value);
}

std::string value_text(bool value) {
  return value ? "true" : "false";
}

std::string value_text(const std::string& text) {
  if (plain(text)) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += (boost::format("\\x%02x") % static_cast<unsigned>(static_cast<unsigned char>(c))).str();
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string value_text(const NodeName& node) {
  if (!node.router.empty()) return value_text(node.router);
  return node.is_number ? value_text(node.coordinates.front()) : value_text(node.coordinates);
}

std::string value_text(const LinkName& link) {
  return "[" + value_text(link.from) + ", " + value_text(link.to) + "]";
}

std::string value_text(const Duration& duration) {
  return duration.cycles ? value_text(*duration.cycles) : "permanent";
}

std::string value_text(const FaultEvent& event) {
  std::string text = "{cycle: " + value_text(event.cycle);
  if (event.node) text += ", node: " + value_text(*event.node);
  if (event.link) text += ", link: " + value_text(*event.link);
  text += ", duration: " + value_text(event.duration);
  if (event.one_way) text += ", one_way: true";
  return text + "}";
}

std::string value_text(const AddressMapEntry& entry) {
  const auto hexadecimal = [](std::uint64_t number) { return (boost::format("%#x") % number).str(); };
  std::string text = "{";
  if (!entry.name.empty()) text += "name: " + value_text(entry.name) + ", ";
  text += entry.is_default ? "default: true"
                           : "first: " + hexadecimal(entry.first) + ", last: " + hexadecimal(entry.last);
  text += ", nodes: " + value_text(entry.nodes);
  if (entry.interleave > 0) text += ", interleave: " + hexadecimal(entry.interleave);
  if (entry.local > 0) text += ", local: " + hexadecimal(entry.local);
  return text + "}";
}

std::string range_text(Range<std::int64_t> range, std::string_view unit) {
  return bounds(range, unit);
}

std::string range_text(Range<double> range, std::string_view unit) {
  return bounds(range, unit);
}

}  // namespace flitmend
