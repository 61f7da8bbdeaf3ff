// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/unused_keys.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "base/text.h"
#include "testbench/configuration/declarations.h"
#include "topologies/graphml.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

using Requirement = KeyEffect::Condition;

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

/// "a, b or c".
std::string alternatives(const std::vector<std::string>& all, const std::string& quote = "") {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + quote + all[i] + quote;
  return text;
}

/// Judges the effect of every key of a configuration.
class Effects {
 public:
  Effects(const Configuration& c, KeyReader reader) : configuration_(c), reader_(reader) {
    const std::vector<DeclaredSection> defaults = declarations(Configuration());
    for (const DeclaredSection& section : declarations(c))
      for (const DeclaredKey& key : section.keys) {
        order_.push_back(key.path);
        keys_.emplace(key.path, Entry{key, key.value != find_key(defaults, key.path).value});
      }
  }

  /// Paths of the keys that differ from their defaults, in the order of the reference.
  std::vector<std::string> changed() const {
    std::vector<std::string> paths;
    std::copy_if(order_.begin(), order_.end(), std::back_inserter(paths),
                 [&](const std::string& path) { return keys_.at(path).changed; });
    return paths;
  }

  /// "with traffic.pattern uniform"; empty if the key has an effect.
  std::string why_none(const std::string& path) const {
    for (const KeyEffect::Clause& clause : keys_.at(path).key.effect.clauses()) {
      std::string reasons;
      bool met = false;
      for (const Requirement& condition : clause) {
        if (condition.kind == Requirement::Kind::none) continue;
        met = met || holds(condition);
        reasons += (reasons.empty() ? "" : " and ") + reason(condition);
      }
      if (!met && !reasons.empty()) return reasons;
    }
    return "";
  }

 private:
  struct Entry {
    DeclaredKey key;
    bool changed = false;  ///< from its default
  };

  const std::string& value_of(std::string_view path) const { return keys_.at(std::string(path)).key.value; }

  /// A key that is set, or a section in which a key is set and has an effect.
  bool given(const std::string& name) const {
    if (const auto key = keys_.find(name); key != keys_.end()) return key->second.changed;
    return std::any_of(keys_.begin(), keys_.end(), [&](const auto& key) {
      return key.first.starts_with(name + ".") && key.second.changed && why_none(key.first).empty();
    });
  }

  bool holds(const Requirement& condition) const {
    const std::vector<std::string> values = words(condition.values);
    const auto has_value = [&] {
      return std::find(values.begin(), values.end(), value_of(condition.key)) != values.end();
    };
    switch (condition.kind) {
      case Requirement::Kind::none:
        return false;
      case Requirement::Kind::one_of:
        return has_value();
      case Requirement::Kind::other:
        return !has_value();
      case Requirement::Kind::given: {
        const std::vector<std::string> names = words(condition.key);
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return given(name); });
      }
      case Requirement::Kind::link_widths:
        return narrowest_link(*make_topology(configuration_.network), kWidestLink + 1).has_value();
      case Requirement::Kind::platform:
        return reader_ == KeyReader::platform;
    }
    return false;
  }

  std::string reason(const Requirement& condition) const {
    switch (condition.kind) {
      case Requirement::Kind::none:
        return "";
      case Requirement::Kind::one_of:
      case Requirement::Kind::other:
        return "with " + std::string(condition.key) + " " + value_of(condition.key);
      case Requirement::Kind::given:
        return "without " + alternatives(words(condition.key));
      case Requirement::Kind::link_widths:
        return "without widths in network.graph";
      case Requirement::Kind::platform:
        return "outside a NetworkOnChip";
    }
    return "";
  }

  const Configuration& configuration_;
  KeyReader reader_;
  std::vector<std::string> order_;
  std::map<std::string, Entry> keys_;
};

std::string condition_text(const Requirement& condition) {
  switch (condition.kind) {
    case Requirement::Kind::none:
      return "";
    case Requirement::Kind::one_of:
      return "with `" + std::string(condition.key) + "` " + alternatives(words(condition.values), "`");
    case Requirement::Kind::other:
      return "with `" + std::string(condition.key) + "` other than " +
             alternatives(words(condition.values), "`");
    case Requirement::Kind::given:
      return "with " + alternatives(words(condition.key), "`");
    case Requirement::Kind::link_widths:
      return "with widths in `network.graph`";
    case Requirement::Kind::platform:
      return "in a NetworkOnChip";
  }
  return "";
}

}  // namespace

std::vector<UnusedKey> unused_keys(const Configuration& c, KeyReader reader) {
  const Effects effects(c, reader);
  std::vector<UnusedKey> unused;
  for (const std::string& path : effects.changed()) {
    if (!c.explicit_key(path)) continue;
    if (std::string why = effects.why_none(path); !why.empty())
      unused.push_back({path, std::move(why), c.place_of(path)});
  }
  return unused;
}

std::vector<std::string> unused_keys_notes(const std::vector<UnusedKey>& unused) {
  std::vector<std::string> reasons;
  for (const UnusedKey& key : unused)
    if (std::find(reasons.begin(), reasons.end(), key.why) == reasons.end()) reasons.push_back(key.why);
  std::vector<std::string> notes;
  for (const std::string& why : reasons) {
    std::vector<std::string> names;
    Place place;
    for (const UnusedKey& key : unused) {
      if (key.why != why) continue;
      if (names.empty()) place = key.place;
      names.push_back(key.path);
    }
    notes.push_back(place.text() + ": " + joined(names) + (names.size() == 1 ? " has" : " have") +
                    " no effect " + why + "; docs/reference.md says when each key has one");
  }
  return notes;
}

std::string effect_text(const KeyEffect& effect) {
  std::string text;
  for (const KeyEffect::Clause& clause : effect.clauses()) {
    std::string conditions;
    for (const Requirement& condition : clause)
      if (condition.kind != Requirement::Kind::none)
        conditions += (conditions.empty() ? "" : " or ") + condition_text(condition);
    if (!conditions.empty()) text += (text.empty() ? "" : ", ") + conditions;
  }
  return text;
}

}  // namespace flitmend
