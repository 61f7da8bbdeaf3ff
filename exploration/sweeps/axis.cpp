// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/text.h"
#include "exploration/sweeps/file_keys.h"
#include "testbench/configuration/value_reader.h"
#include "testbench/configuration/writer.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

constexpr std::int64_t kMostPoints = 1'000'000;  // of one axis
constexpr Range<double> kAnyNumber{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
constexpr const char* kLoad = "traffic.load";
constexpr const char* kSeed = "simulation.seed";
constexpr double kLargestLoad = 64 / 1.3;  // throughput is measured at 1.3 times the saturation load

/// Rounds to twelve significant digits, so that 0.1 + 2 · 0.1 is 0.3, as the author meant.
double rounded(double value) {
  return std::stod(formatted("%.12g", value));
}

/// A whole number without a decimal point, as integer keys require.
Json number(double value) {
  constexpr double kExact = 0x1p53;
  value = rounded(value);
  if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

class AxisReader {
 public:
  AxisReader(const DocumentNode& node, const std::string& path, ErrorList& errors)
      : node_(node), errors_(errors), map_(node, path, axis_keys(), errors) {}

  SweepAxis read() {
    if (node_.kind != Kind::map) return axis_;
    if (const DocumentNode* name = map_.get("name"))
      map_.report(*name, "name", read_value(*name, axis_.name));
    const bool seeds = map_.has("seeds");
    if (const DocumentNode* node = map_.get("seeds")) read_seeds(*node);
    read_keys(seeds);
    if (const DocumentNode* until = map_.get("until"))
      read_until(*until);
    else if (const DocumentNode* values = map_.get("values"))
      read_values(*values);
    else if (map_.has("from") || map_.has("to"))
      read_range();
    else if (!seeds)
      map_.report("no values; give values: [...], from, to and step or count, or until: saturation");
    map_.finish();
    if (axis_.name.empty()) axis_.name = joined(axis_.keys);
    return axis_;
  }

 private:
  void read_keys(bool seeds) {
    const DocumentNode* const key = map_.get("key");
    const DocumentNode* const keys = map_.get("keys");
    const int given = (key != nullptr) + (keys != nullptr) + seeds;
    if (given != 1) {
      map_.report(given == 0 ? "no key; give key: KEY, keys: [KEY, KEY], or seeds: COUNT"
                             : "give one of key, keys and seeds");
      return;
    }
    if (key) {
      read_key(*key, "key");
    } else if (keys && keys->kind != Kind::list) {
      map_.report(*keys, "keys", "expected a list of keys, found " + keys->called());
    } else if (keys) {
      for (const DocumentNode& item : keys->items) read_key(item, "keys");
      if (axis_.keys.empty()) map_.report(*keys, "keys", "empty; an axis needs at least one key");
    }
  }

  void read_key(const DocumentNode& node, const char* word) {
    axis_.keys.emplace_back();
    axis_.key_places.push_back(node.place);
    map_.report(node, word, read_value(node, axis_.keys.back()));
  }

  void read_seeds(const DocumentNode& node) {
    axis_.keys = {kSeed};
    axis_.key_places = {node.place};
    if (node.kind == Kind::list) {
      read_values(node, "seeds");
      return;
    }
    std::int64_t count = 0;
    const std::string wrong = read_value(node, count, {1, kMostPoints}, "");
    map_.report(node, "seeds", wrong);
    axis_.ascending = true;
    for (std::int64_t seed = 1; wrong.empty() && seed <= count; ++seed) add({seed}, node);
  }

  void read_values(const DocumentNode& values, const char* word = "values") {
    if (values.kind != Kind::list) {
      map_.report(values, word, "expected a list of values, found " + values.called());
      return;
    }
    if (values.items.empty()) map_.report(values, word, "empty; an axis needs at least one value");
    const std::size_t width = axis_.keys.size();
    const bool zipped = map_.has("keys");
    for (const DocumentNode& item : values.items) {
      if (!zipped) {
        add({json_of(item)}, item);
      } else if (item.kind != Kind::list || item.items.size() != width) {
        map_.report(
            item, word,
            formatted("expected a list of %1% values, one per key, found %2%", width,
                      item.kind == Kind::list ? formatted("one of %1%", item.items.size()) : item.called()));
      } else {
        std::vector<Json> point;
        for (const DocumentNode& value : item.items) point.push_back(json_of(value));
        add(std::move(point), item);
      }
    }
  }

  std::optional<double> read_number(const char* word, Range<double> range) {
    const DocumentNode* const node = map_.get(word);
    if (!node) return std::nullopt;
    double value = 0;
    const std::string wrong = read_value(*node, value, range, "");
    map_.report(*node, word, wrong);
    if (!wrong.empty()) bad_ = true;
    return value;
  }

  void read_range() {
    const auto from = read_number("from", kAnyNumber), to = read_number("to", kAnyNumber);
    const auto step = read_number("step", kAnyNumber);
    const DocumentNode* const count_node = map_.get("count");
    if (map_.has("keys")) {
      map_.report("a range has only one key; for several keys use values: [[...], ...]");
      return;
    }
    if (!from || !to || step.has_value() == (count_node != nullptr)) {
      map_.report("a range needs from, to and one of step and count");
      return;
    }
    if (bad_) return;
    if (step && *step <= 0) {
      map_.report(*map_.get("step"), "step", formatted("%1% must be above 0", *step));
      return;
    }
    if (*to < *from) {
      map_.report(formatted("empty range: from %1% is above to %2%; exchange them", *from, *to));
      return;
    }
    axis_.ascending = true;
    if (step) {
      const double steps = std::floor((*to - *from) / *step * (1 + 1e-12) + 1e-9);
      if (steps >= kMostPoints) {
        map_.report("more than 1000000 points; use a larger step");
        return;
      }
      for (double i = 0; i <= steps; ++i) add({number(*from + i * *step)}, node_);
      return;
    }
    std::int64_t count = 0;
    const std::string wrong = read_value(*count_node, count, {1, kMostPoints}, "");
    map_.report(*count_node, "count", wrong);
    if (wrong.empty() && count == 1 && *to > *from)
      map_.report(*count_node, "count", "1 point cannot span a range; use 2 or more");
    else if (wrong.empty())
      for (std::int64_t i = 0; i < count; ++i) {
        const double share = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
        add({number(*from + (*to - *from) * share)}, node_);
      }
  }

  void read_until(const DocumentNode& until) {
    constexpr Choice kGoals[] = {{"saturation", "the load at which the network saturates"}};
    std::string word;
    map_.report(until, "until", read_choice(until, word, kGoals, "goal"));
    if (axis_.keys != std::vector<std::string>{kLoad}) {
      map_.report(until, "until", std::string("only the load can be searched; write key: ") + kLoad);
      return;
    }
    for (const char* other : {"values", "count"})
      if (map_.has(other)) map_.report(until, "until", std::string("cannot be combined with ") + other);
    constexpr Range<double> kLoads{1e-6, kLargestLoad};
    const auto from = read_number("from", kLoads), step = read_number("step", kLoads);
    const auto to = read_number("to", kLoads), zero_load = read_number("zero_load", kLoads);
    if (!from || !step) {
      map_.report("until: saturation needs from and step");
      return;
    }
    axis_.until = SaturationAxis{*from, *step, to.value_or(kLargestLoad), zero_load.value_or(*from / 5)};
    if (bad_) return;
    if (axis_.until->to < *from)
      map_.report(formatted("empty range: from %1% is above to %2%; exchange them", *from, axis_.until->to));
    if (axis_.until->zero_load >= *from) map_.report("zero_load must be below from; lower it, or remove it");
    constexpr double kMostSteps = 1000;
    if ((axis_.until->to - *from) / *step > kMostSteps && to)
      map_.report("step: too small; there are more than 1000 steps");
  }

  void add(std::vector<Json> point, const DocumentNode& node) {
    const std::string text = Json(point).dump();
    if (!seen_.insert(text).second) {
      errors_.add(node.place, map_.path_of("values") + ": " + (point.size() == 1 ? point[0].dump() : text) +
                                  " is given twice");
      return;
    }
    axis_.points.push_back(std::move(point));
    axis_.places.push_back(node.place);
  }

  const DocumentNode& node_;
  ErrorList& errors_;
  MapReader map_;
  SweepAxis axis_;
  std::set<std::string> seen_;
  bool bad_ = false;
};

}  // namespace

AxisRecord SweepAxis::record() const {
  AxisRecord row{name, keys, Json::array()};
  for (const std::vector<Json>& point : points)
    row.points.push_back(keys.size() == 1 ? point.front() : Json(point));
  return row;
}

Json json_of(const DocumentNode& node) {
  switch (node.kind) {
    case Kind::null:
      return nullptr;
    case Kind::list: {
      Json list = Json::array();
      for (const DocumentNode& item : node.items) list.push_back(json_of(item));
      return list;
    }
    case Kind::map: {
      Json map = Json::object();
      for (const DocumentEntry& entry : node.entries) map[entry.key] = json_of(entry.value);
      return map;
    }
    case Kind::scalar:
      break;
  }
  constexpr Range<std::int64_t> kAnyInteger{std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max()};
  std::int64_t whole = 0;
  double real = 0;
  bool truth = false;
  if (read_value(node, whole, kAnyInteger, "").empty()) return whole;
  if (read_value(node, real, kAnyNumber, "").empty()) return real;
  if (read_value(node, truth).empty()) return truth;
  return node.text;
}

std::string yaml_of(const Json& value) {
  if (value.is_string()) {
    // Where it would read as a number or truth value, it was in quotes.
    const std::string text = value.get<std::string>();
    DocumentNode plain;
    plain.kind = Kind::scalar;
    plain.text = text;
    return json_of(plain).is_string() ? flitmend::value_text(text) : value.dump();
  }
  std::string text;
  if (value.is_array()) {
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + yaml_of(item);
    return "[" + text + "]";
  }
  if (!value.is_object()) return value.dump();
  for (const auto& [key, item] : value.items())
    text += (text.empty() ? "" : ", ") + flitmend::value_text(key) + ": " + yaml_of(item);
  return "{" + text + "}";
}

std::string assignment_of(const std::string& key, const Json& value) {
  return key + "=" + yaml_of(value);
}

SweepAxis read_axis(const DocumentNode& node, const std::string& path, ErrorList& errors) {
  return AxisReader(node, path, errors).read();
}

}  // namespace flitmend
