// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/settings_loader.h"

#include <algorithm>
#include <limits>

#include "base/nearest.h"
#include "base/text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

/// Whether a text can be the name of a router or switch, like switch_d0_2.
bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kOthers = "0123456789_.-";
  if (text.empty() || kLetters.find(text.front()) == kLetters.npos) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return kLetters.find(c) != kLetters.npos || kOthers.find(c) != kOthers.npos;
  });
}

std::string read(const DocumentNode& node, NodeName& value) {
  const std::string form = "a node: its number, its coordinates like [3, 4], or a name like router_3_4";
  constexpr Range<std::int64_t> kAny{0, std::numeric_limits<std::int64_t>::max()};
  NodeName found;
  if (node.kind == Kind::scalar && is_name(node.text)) {
    value = {{}, false, node.text};
    return {};
  }
  found.is_number = node.kind == Kind::scalar;
  if (node.kind != Kind::scalar && (node.kind != Kind::list || node.items.empty())) return wanted(node, form);
  const std::vector<DocumentNode> alone = found.is_number ? std::vector{node} : std::vector<DocumentNode>();
  for (const DocumentNode& number : found.is_number ? alone : node.items) {
    found.coordinates.push_back(0);
    if (!read_value(number, found.coordinates.back(), kAny, "").empty()) return wanted(number, form);
  }
  value = std::move(found);
  return {};
}

std::string read(const DocumentNode& node, LinkName& value) {
  LinkName found;
  if (node.kind != Kind::list || node.items.size() != 2 || !read(node.items[0], found.from).empty() ||
      !read(node.items[1], found.to).empty())
    return wanted(node, "a link: the two routers at its ends, like [[3, 4], [4, 4]] or [5, switch_d0_1]");
  value = std::move(found);
  return {};
}

std::string read(const DocumentNode& node, Duration& value) {
  constexpr Range<std::int64_t> kAny{1, std::int64_t{1} << 53};
  if (node.kind == Kind::scalar && node.text == "permanent") return value = {}, std::string();
  std::int64_t cycles = 0;
  if (node.kind != Kind::scalar || !read_value(node, cycles, kAny, "cycles").empty())
    return wanted(node, "a number of cycles from 1 to 9007199254740992, or permanent");
  value.cycles = cycles;
  return {};
}

std::string read(const DocumentNode& node, Threads& value) {
  if (node.kind == Kind::scalar && node.text == "auto") return value.number.reset(), std::string();
  std::int64_t number = 0;
  if (node.kind != Kind::scalar || !read_value(node, number, {1, kMostThreads}, "").empty())
    return wanted(node, "a number of threads from 1 to " + std::to_string(kMostThreads) + ", or auto");
  value.number = number;
  return {};
}

std::string read(const DocumentNode& node, FaultEvent& value) {
  constexpr Range<std::int64_t> kAny{0, std::int64_t{1} << 53};
  const std::string form = "a fault like {cycle: 500, node: [3, 4], duration: 10}";
  if (node.kind != Kind::map) return wanted(node, form);
  FaultEvent found;
  bool timed = false, ends = false;
  for (const DocumentEntry& entry : node.entries) {
    std::string wrong;
    if (entry.key == "cycle") {
      wrong = read_value(entry.value, found.cycle, kAny, "cycles");
      timed = true;
    } else if (entry.key == "node") {
      wrong = read(entry.value, found.node.emplace());
    } else if (entry.key == "link") {
      wrong = read(entry.value, found.link.emplace());
    } else if (entry.key == "duration") {
      wrong = read(entry.value, found.duration);
      ends = true;
    } else if (entry.key == "one_way") {
      wrong = read_value(entry.value, found.one_way);
    } else {
      return "unknown key " + shown_value(entry.key) +
             did_you_mean(entry.key, {"cycle", "node", "link", "duration", "one_way"}) + "; expected " + form;
    }
    if (!wrong.empty()) return entry.key + ": " + wrong;
  }
  if (!timed) return "no cycle; expected " + form;
  if (found.node.has_value() == found.link.has_value())
    return "name either a node or a link; expected " + form;
  if (!ends) return "no duration: a number of cycles, or permanent; expected " + form;
  if (found.one_way && !found.link) return "one_way is an option of links; remove it";
  value = std::move(found);
  return {};
}

std::string read(const DocumentNode& node, ListedMessage& value) {
  constexpr Range<std::int64_t> kCycles{0, std::int64_t{1} << 53}, kFlits{1, 65535};
  const std::string form = "a message like {cycle: 0, from: 0, to: [2, 1], length: 5}";
  if (node.kind != Kind::map) return wanted(node, form);
  ListedMessage found;
  for (const DocumentEntry& entry : node.entries) {
    std::string wrong;
    if (entry.key == "cycle") {
      wrong = read_value(entry.value, found.cycle, kCycles, "cycles");
    } else if (entry.key == "from") {
      wrong = read(entry.value, found.from);
    } else if (entry.key == "to") {
      wrong = read(entry.value, found.to);
    } else if (entry.key == "length") {
      wrong = read_value(entry.value, found.length.emplace(), kFlits, "flits");
    } else {
      return "unknown key " + shown_value(entry.key) +
             did_you_mean(entry.key, {"cycle", "from", "to", "length"}) + "; expected " + form;
    }
    if (!wrong.empty()) return entry.key + ": " + wrong;
  }
  for (const char* const key : {"cycle", "from", "to"})
    if (!node.find(key)) return "no " + std::string(key) + "; expected " + form;
  value = std::move(found);
  return {};
}

/// A value of a flow as text: a node's coordinates as "3,4", a list as "0;3,4;cpu".
std::string read_field(const DocumentNode& node, bool plural, std::string& text) {
  const auto is_number = [](const DocumentNode& item) {
    return item.kind == Kind::scalar && item.text.find_first_not_of("0123456789") == item.text.npos;
  };
  if (node.kind == Kind::scalar) return text = node.text, std::string();
  if (node.kind != Kind::list || node.items.empty()) return wanted(node, "a number, a word or a list");
  const bool coordinates = !plural && std::ranges::all_of(node.items, is_number);
  for (const DocumentNode& item : node.items) {
    std::string part;
    if (std::string wrong = item.kind == Kind::list && !std::ranges::all_of(item.items, is_number)
                                ? wanted(item, "a node: its number, its coordinates like [3, 4], or a name")
                                : read_field(item, false, part);
        !wrong.empty())
      return wrong;
    text += (text.empty() ? "" : coordinates ? "," : ";") + part;
  }
  return {};
}

/// Adds the value of a key to the texts of what is listed. It is not judged here: a line of a CSV file has
/// the same ones. `plural`: a list of numbers is one of nodes, not the coordinates of one.
std::string add_field(const std::string& key, const DocumentNode& given, bool plural, ListedFields& found) {
  ListedFields::Field field{key, {}, given.place};
  std::string wrong = read_field(given, plural, field.text);
  found.fields.push_back(std::move(field));
  return wrong.empty() ? wrong : key + ": " + wrong;
}

std::string read(const DocumentNode& node, ListedFlow& value) {
  if (node.kind != Kind::map) return wanted(node, "a flow like {from: 0, to: [2, 1], rate: 0.1}");
  ListedFlow found{{.fields = {}, .place = node.place}};
  const auto add = [&](const std::string& key, const DocumentNode& given) {
    return add_field(key, given, key.ends_with("nodes"), found);
  };
  for (const DocumentEntry& entry : node.entries) {
    if (entry.key == "target" && entry.value.kind == Kind::map) {
      if (entry.value.entries.empty()) return "target: no key; give bandwidth, p99 or both";
      for (const DocumentEntry& target : entry.value.entries)
        if (std::string wrong = add("target_" + target.key, target.value); !wrong.empty()) return wrong;
    } else if (std::string wrong = add(entry.key, entry.value); !wrong.empty()) {
      return wrong;
    }
  }
  value = std::move(found);
  return {};
}

/// Reads a map whose keys are its fields. `plural(key)`: as for add_field.
template <class Listed, class Plural>
std::string read_fields(const DocumentNode& node, const char* example, const Plural& plural, Listed& value) {
  if (node.kind != Kind::map) return wanted(node, example);
  Listed found{{.fields = {}, .place = node.place}};
  for (const DocumentEntry& entry : node.entries)
    if (std::string wrong = add_field(entry.key, entry.value, plural(entry.key), found); !wrong.empty())
      return wrong;
  value = std::move(found);
  return {};
}

std::string read(const DocumentNode& node, ListedCollective& value) {
  return read_fields(
      node, "a collective like {collective: all-reduce, bytes: 4096}",
      [](const std::string& key) { return key == "group"; }, value);
}

std::string read(const DocumentNode& node, ListedClass& value) {
  return read_fields(
      node, "a class like {name: reply, weight: 2}", [](const std::string&) { return false; }, value);
}

std::string read(const DocumentNode& node, NodeGroups& value) {
  return read_fields(
      node, "groups of nodes like {row: [0, 1, 2, 3], others: [5, 6]}",
      [](const std::string&) { return true; }, value);
}

/// The nodes of an address map's entry.
std::string read_nodes(const DocumentNode& node, std::vector<NodeName>& nodes) {
  if (node.kind != Kind::list) return wanted(node, "a list of nodes like [[0, 1], [2, 3]] or [1, 14]");
  for (const DocumentNode& item : node.items)
    if (const std::string wrong = read(item, nodes.emplace_back()); !wrong.empty()) return wrong;
  return {};
}

std::string read(const DocumentNode& node, AddressMapEntry& value) {
  const std::string form = "a range like {name: ram, first: 0x1000, last: 0x1fff, node: [3, 4]}";
  if (node.kind != Kind::map) return wanted(node, form);
  AddressMapEntry found;
  const auto given = [&](std::string_view key) { return node.find(key) != nullptr; };
  for (const DocumentEntry& entry : node.entries) {
    std::string wrong;
    if (entry.key == "name") {
      wrong = read_value(entry.value, found.name);
    } else if (entry.key == "first") {
      wrong = read_address(entry.value, found.first);
    } else if (entry.key == "last") {
      wrong = read_address(entry.value, found.last);
    } else if (entry.key == "default") {
      wrong = read_value(entry.value, found.is_default);
    } else if (entry.key == "node") {
      wrong = read(entry.value, found.nodes.emplace_back());
    } else if (entry.key == "nodes") {
      wrong = read_nodes(entry.value, found.nodes);
    } else if (entry.key == "interleave") {
      wrong = read_address(entry.value, found.interleave);
    } else if (entry.key == "local") {
      wrong = read_address(entry.value, found.local);
    } else {
      return "unknown key " + shown_value(entry.key) +
             did_you_mean(entry.key,
                          {"name", "first", "last", "default", "node", "nodes", "interleave", "local"}) +
             "; expected " + form;
    }
    if (!wrong.empty()) return entry.key + ": " + wrong;
  }
  if (given("node") == given("nodes")) return "name either node or nodes; expected " + form;
  if (found.is_default) {
    for (const char* const key : {"first", "last", "interleave", "local"})
      if (given(key)) return std::string(key) + " has no meaning with default: true; remove it";
  } else if (!given("first") || !given("last")) {
    return "no " + std::string(given("first") ? "last" : "first") +
           " address; give both, which belong to the range, or default: true";
  }
  value = std::move(found);
  return {};
}

// What an error message shows as a list of the kind.
const char* example_of(const std::vector<std::int64_t>&) {
  return "[8, 8]";
}
const char* example_of(const std::vector<std::string>&) {
  return "[a, b]";
}
const char* example_of(const std::vector<NodeName>&) {
  return "[[3, 4], 17]";
}
const char* example_of(const std::vector<LinkName>&) {
  return "[[[3, 4], [4, 4]], [17, 18]]";
}
const char* example_of(const std::vector<FaultEvent>&) {
  return "[{cycle: 500, node: [3, 4], duration: 10}]";
}
const char* example_of(const std::vector<ListedMessage>&) {
  return "[{cycle: 0, from: 0, to: [2, 1], length: 5}]";
}
const char* example_of(const std::vector<ListedFlow>&) {
  return "[{from: 0, to: [2, 1], rate: 0.1}]";
}
const char* example_of(const std::vector<ListedCollective>&) {
  return "[{collective: all-reduce, bytes: 4096}]";
}
const char* example_of(const std::vector<ListedClass>&) {
  return "[{name: request}, {name: reply, weight: 2}]";
}
const char* example_of(const std::vector<AddressMapEntry>&) {
  return "[{name: ram, first: 0x1000, last: 0x1fff, node: [3, 4]}]";
}

/// "router.vc_reallocation" → "router vc reallocation": what error messages call the choice.
std::string spoken(std::string path) {
  std::replace_if(
      path.begin(), path.end(), [](char c) { return c == '.' || c == '_'; }, ' ');
  return path;
}

/// Reads the value of one key.
class KeyValueReader {
 public:
  KeyValueReader(const AllowedValues& allowed, const std::string& path, std::string_view unit,
                 ErrorList& errors)
      : allowed_(allowed), path_(path), unit_(unit), errors_(errors) {}

  template <class T>
  void read_key(const DocumentNode& node, T& value) {
    report(node, path_, read_one(node, value));
  }
  template <class T>
  void read_key(const DocumentNode& node, std::vector<T>& value) {
    if (node.kind != Kind::list) {
      const std::string expected = std::string("expected a list like ") + example_of(value);
      report(node, path_,
             node.kind == Kind::null ? "no value; " + expected + ", or remove the key"
                                     : expected + ", found " + node.called());
      return;
    }
    std::vector<T> list(node.items.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      report(node.items[i], formatted("%1%[%2%]", path_, i), read_one(node.items[i], list[i]));
    value = std::move(list);
  }

  void read_key(const DocumentNode& node, FlowList& value) {
    value = {};
    if (node.kind == Kind::scalar)
      value.file = node.text;
    else
      read_key(node, value.listed);
  }

 private:
  std::string read_one(const DocumentNode& node, std::int64_t& value) const {
    return read_value(node, value, std::get<Range<std::int64_t>>(allowed_), unit_);
  }
  std::string read_one(const DocumentNode& node, unsigned& value) const {
    std::int64_t number = value;
    std::string wrong = read_one(node, number);
    value = static_cast<unsigned>(number);
    return wrong;
  }
  std::string read_one(const DocumentNode& node, double& value) const {
    return read_value(node, value, std::get<Range<double>>(allowed_), unit_);
  }
  std::string read_one(const DocumentNode& node, bool& value) const { return read_value(node, value); }
  std::string read_one(const DocumentNode& node, std::string& value) const {
    const auto* const words = std::get_if<std::span<const Choice>>(&allowed_);
    return words ? read_choice(node, value, *words, spoken(path_)) : read_value(node, value);
  }
  template <class T>
  std::string read_one(const DocumentNode& node, T& value) const {
    return read(node, value);
  }
  void report(const DocumentNode& node, const std::string& path, const std::string& wrong) {
    if (!wrong.empty()) errors_.add(node.place, path + ": " + wrong);
  }

  const AllowedValues& allowed_;
  const std::string& path_;
  std::string_view unit_;
  ErrorList& errors_;
};

}  // namespace

void read_key(const DocumentNode& node, const ValuePointer& value, const AllowedValues& allowed,
              const std::string& path, std::string_view unit, ErrorList& errors) {
  KeyValueReader reader(allowed, path, unit, errors);
  std::visit([&](auto* v) { reader.read_key(node, *v); }, value);
}

}  // namespace flitmend
