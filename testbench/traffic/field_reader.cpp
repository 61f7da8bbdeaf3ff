// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/field_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"
#include "testbench/configuration/value_reader.h"
#include "testbench/traffic/node_names.h"

namespace flitmend {
namespace {

/// A number, or coordinates; none if the text is neither.
std::optional<NodeName> numbered(std::string_view text) {
  NodeName name{.coordinates = {}, .is_number = text.find(',') == text.npos};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;; ++at) {
    const auto [rest, error] = std::from_chars(at, end, name.coordinates.emplace_back());
    if (error != std::errc() || name.coordinates.back() < 0 || *at == '-') return std::nullopt;
    if (rest == end) return name;
    if (*rest != ',') return std::nullopt;
    at = rest;
  }
}

}  // namespace

NodeId node_of_text(std::string_view text, const Topology& topology, const std::vector<AddressMapEntry>& map,
                    const Place& place, std::string_view several) {
  const auto entry = std::ranges::find_if(map, [&](const AddressMapEntry& e) { return e.name == text; });
  NodeName name{.coordinates = {}, .is_number = false, .router = std::string(text)};
  if (entry != map.end() && !text.empty()) {
    if (entry->nodes.size() != 1)
      throw ConfigurationError(place, formatted("%1% of the address map has %2%; name one of them",
                                                shown_value(text), counted(entry->nodes.size(), "node")));
    name = entry->nodes.front();
  } else if (auto number = numbered(text)) {
    name = std::move(*number);
  }
  if (const auto node = find_node(name, topology)) return *node;
  if (const auto router = find_router(name, topology); router && topology.is_switch(*router))
    throw ConfigurationError(place, escaped_text(shown_value(text)) + " is a switch; name a node");
  name.router = name.router.substr(0, 60);
  const bool coordinates = !name.is_number && name.router.empty();
  throw ConfigurationError(place, no_such_node(name, topology) + std::string(coordinates ? several : ""));
}

const ListedFields::Field* FieldReader::find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(listed_.fields, [&](const auto& field) { return field.key == key; });
  return found == listed_.fields.end() ? nullptr : &*found;
}

std::string FieldReader::text(std::string_view key) const {
  const ListedFields::Field* const field = find(key);
  return field ? field->text : std::string();
}

std::string FieldReader::label(std::string_view key) const {
  const std::string shown = text(key);
  if (!is_visible(shown)) fail(key, shown_value(shown) + " has characters that nobody can see; remove them");
  return shown;
}

const Place& FieldReader::place(std::string_view key) const {
  const ListedFields::Field* const field = find(key);
  return field ? field->place : listed_.place;
}

void FieldReader::fail(std::string_view key, const std::string& text) const {
  throw ConfigurationError(place(key), escaped_text(std::string(key) + ": " + text));
}

std::optional<double> FieldReader::real(std::string_view key, double first, double last) const {
  const ListedFields::Field* const field = find(key);
  if (!field) return std::nullopt;
  const std::string& text = field->text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size() || std::isnan(value))
    fail(key, shown_value(text) + " is not a number; write one like 0.1");
  if (error != std::errc() || value < first || value > last)
    fail(key, formatted("%1% is out of range; it must be %2% to %3%", shown_value(text), number_text(first),
                        number_text(last)));
  return value;
}

std::optional<std::uint64_t> FieldReader::whole(std::string_view key, std::uint64_t first,
                                                std::uint64_t last) const {
  const ListedFields::Field* const field = find(key);
  if (!field) return std::nullopt;
  const std::string& text = field->text;
  std::int64_t value = 0;
  const NumberForm form = parse_whole(text, value);
  if (form == NumberForm::not_a_number)
    fail(key, shown_value(text) + " is not a whole number; write one like 100");
  if (form == NumberForm::too_large || std::cmp_less(value, first) || std::cmp_greater(value, last))
    fail(key, formatted("%1% is out of range; it must be %2% to %3%", shown_value(text), first, last));
  return static_cast<std::uint64_t>(value);
}

bool FieldReader::flag(std::string_view key) const {
  const std::string value = text(key);
  if (value != "true" && value != "false") fail(key, "expected true or false, found " + shown_value(value));
  return value == "true";
}

NodeId FieldReader::node(std::string_view key) const {
  return node_of_text(text(key), topology_, configuration_.tlm.address_map, place(key));
}

std::vector<NodeId> FieldReader::all_nodes() const {
  std::vector<NodeId> nodes(topology_.node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

std::vector<NodeId> FieldReader::nodes_in_order(std::string_view key) const {
  std::vector<NodeId> nodes;
  const std::string all = text(key);
  if (all == "all") return all_nodes();
  for (std::string_view rest = all;;) {
    const std::size_t end = rest.find(';');
    std::string_view item = rest.substr(0, end);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    nodes.push_back(node_of_text(item, topology_, configuration_.tlm.address_map, place(key),
                                 "; several nodes by their numbers are written like '3;7'"));
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
  }
  std::vector<NodeId> sorted = nodes;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    fail(key, topology_.router_name(*twice) + " is listed twice; list each node once");
  return nodes;
}

std::vector<NodeId> FieldReader::nodes(std::string_view key) const {
  std::vector<NodeId> nodes = nodes_in_order(key);
  std::ranges::sort(nodes);
  return nodes;
}

void FieldReader::allow(const std::vector<std::string_view>& keys) const {
  for (const ListedFields::Field& field : listed_.fields) {
    if (std::ranges::count_if(listed_.fields, [&](const auto& other) { return other.key == field.key; }) > 1)
      fail(field.key, "given twice; remove one");
    if (std::ranges::find(keys, field.key) != keys.end()) continue;
    if (field.key == "priority")
      fail(field.key,
           "only classes have priorities; give it to a class of traffic.classes, and the flow that class");
    throw ConfigurationError(
        field.place, escaped_text("unknown key " + shown_value(field.key) + did_you_mean(field.key, keys)));
  }
}

void FieldReader::allow_one(std::string_view a, std::string_view b) const {
  if (has(a) && has(b)) fail(b, "not together with " + std::string(a) + "; give one of the two");
}

}  // namespace flitmend
