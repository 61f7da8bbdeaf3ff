// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/writer.h"

#include <charconv>
#include <limits>

#include "base/text.h"

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

template <class T>
std::string yaml(const std::vector<T>&);

std::string yaml(std::int64_t value) {
  return shortest(value);
}

std::string yaml(unsigned value) {
  return shortest(value);
}

std::string yaml(double value) {
  return shortest(value);
}

std::string yaml(bool value) {
  return value ? "true" : "false";
}

std::string yaml(const std::string& text) {
  if (plain(text)) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += formatted("\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string yaml(const NodeName& node) {
  if (!node.router.empty()) return yaml(node.router);
  return node.is_number ? yaml(node.coordinates.front()) : yaml(node.coordinates);
}

std::string yaml(const LinkName& link) {
  return "[" + yaml(link.from) + ", " + yaml(link.to) + "]";
}

std::string yaml(const Duration& duration) {
  return duration.cycles ? yaml(*duration.cycles) : "permanent";
}

std::string yaml(const Threads& threads) {
  return threads.number ? yaml(*threads.number) : "auto";
}

std::string yaml(const FaultEvent& event) {
  std::string text = "{cycle: " + yaml(event.cycle);
  if (event.node) text += ", node: " + yaml(*event.node);
  if (event.link) text += ", link: " + yaml(*event.link);
  text += ", duration: " + yaml(event.duration);
  if (event.one_way) text += ", one_way: true";
  return text + "}";
}

std::string yaml(const ListedMessage& message) {
  std::string text =
      "{cycle: " + yaml(message.cycle) + ", from: " + yaml(message.from) + ", to: " + yaml(message.to);
  if (message.length) text += ", length: " + yaml(*message.length);
  return text + "}";
}

std::string yaml(const AddressMapEntry& entry) {
  const auto hexadecimal = [](std::uint64_t number) { return formatted("%#x", number); };
  std::string text = "{";
  if (!entry.name.empty()) text += "name: " + yaml(entry.name) + ", ";
  text += entry.is_default ? "default: true"
                           : "first: " + hexadecimal(entry.first) + ", last: " + hexadecimal(entry.last);
  text += ", nodes: " + yaml(entry.nodes);
  if (entry.interleave > 0) text += ", interleave: " + hexadecimal(entry.interleave);
  if (entry.local > 0) text += ", local: " + hexadecimal(entry.local);
  return text + "}";
}

std::string yaml(const ListedFields& listed) {
  std::string text;
  for (const ListedFields::Field& field : listed.fields)
    text += (text.empty() ? "" : ", ") + yaml(field.key) + ": " + yaml(field.text);
  return "{" + text + "}";
}

std::string yaml(const FlowList& flows) {
  return flows.file.empty() ? yaml(flows.listed) : yaml(flows.file);
}

template <class T>
std::string yaml(const std::vector<T>& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + yaml(list[i]);
  return text + "]";
}

// What values of a kind are; of numbers their range says more.
const char* kind_text(const std::int64_t&) {
  return "";
}
const char* kind_text(const unsigned&) {
  return "";
}
const char* kind_text(const double&) {
  return "";
}
const char* kind_text(const bool&) {
  return "true, false";
}
const char* kind_text(const std::string&) {
  return "any text";
}
const char* kind_text(const Duration&) {
  return "at least 1, permanent";
}
const char* kind_text(const Threads&) {
  return "1 to 1024, auto";
}
const char* kind_text(const std::vector<std::int64_t>&) {
  return "list of ";
}
const char* kind_text(const std::vector<std::string>&) {
  return "list of texts";
}
const char* kind_text(const std::vector<NodeName>&) {
  return "list of nodes";
}
const char* kind_text(const std::vector<LinkName>&) {
  return "list of links";
}
const char* kind_text(const std::vector<FaultEvent>&) {
  return "list of faults";
}
const char* kind_text(const std::vector<ListedMessage>&) {
  return "list of messages";
}
const char* kind_text(const FlowList&) {
  return "list of flows, or a CSV file";
}
const char* kind_text(const std::vector<ListedCollective>&) {
  return "list of collectives";
}
const char* kind_text(const std::vector<ListedClass>&) {
  return "list of classes";
}
const char* kind_text(const NodeGroups&) {
  return "lists of nodes by name";
}
const char* kind_text(const std::vector<AddressMapEntry>&) {
  return "list of ranges";
}

template <class T>
std::string bounds(Range<T> range, std::string_view unit) {
  const bool above = range.min > std::numeric_limits<T>::lowest();
  const bool below = range.max < std::numeric_limits<T>::max();
  std::string text = above && below ? shortest(range.min) + " to " + shortest(range.max)
                     : above        ? "at least " + shortest(range.min)
                     : below        ? "at most " + shortest(range.max)
                                    : "any";
  return text + in_unit(unit);
}

}  // namespace

std::string value_text(const ValuePointer& value) {
  return std::visit([](const auto* v) { return yaml(*v); }, value);
}

std::string value_text(const std::string& text) {
  return yaml(text);
}

std::string allowed_text(const ValuePointer& value, const AllowedValues& allowed) {
  if (std::holds_alternative<std::span<const Choice>>(allowed)) return "";
  const std::string kind = std::visit([](const auto* v) { return kind_text(*v); }, value);
  if (const auto* const whole = std::get_if<Range<std::int64_t>>(&allowed))
    return kind + range_text(*whole, "");
  if (const auto* const real = std::get_if<Range<double>>(&allowed)) return kind + range_text(*real, "");
  return kind;
}

std::string range_text(Range<std::int64_t> range, std::string_view unit) {
  return bounds(range, unit);
}

std::string range_text(Range<double> range, std::string_view unit) {
  return bounds(range, unit);
}

void SettingsWriter::begin_section(std::string_view name, std::string_view) {
  text_ += indent_ + std::string(name) + ":\n";
  indent_ += "  ";
}

void SettingsWriter::end_section() {
  indent_.resize(indent_.size() - 2);
}

void SettingsWriter::visit_key(const Key& key, ValuePointer value, const AllowedValues&) {
  text_ += indent_ + std::string(key.name) + ": " + value_text(value);
  if (!key.unit.empty()) text_ += "  # " + std::string(key.unit);
  text_ += "\n";
}

std::string to_yaml(Configuration configuration) {
  SettingsWriter writer;
  configuration.visit(writer);
  return writer.text();
}

}  // namespace flitmend
