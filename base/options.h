// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/settings.h"

namespace flitmend {

using OptionValue =
    std::variant<std::int64_t, std::string, double, bool, std::vector<NodeName>, std::vector<ListedMessage>,
                 FlowList, std::vector<ListedCollective>, std::vector<ListedClass>, NodeGroups>;

/// A section of options below that of the registry, like `recovery.overhead`.
struct OptionSection {
  std::string_view name;
  std::string_view description;
  bool shared = false;  ///< SettingsVisitor::begin_shared_section
};

/// A key that only some entries of a registry read: routing algorithms, traffic patterns. It is declared as a
/// constant in the file of its entry, which names it among its options. Entries that share a key name the
/// same constant.
struct OptionKey {
  struct Word {
    std::string_view initial;
    std::span<const Choice> choices;
  };
  struct Number {
    std::int64_t initial;
    Range<std::int64_t> range;
  };
  struct Real {
    double initial;
    Range<double> range;
  };
  struct Flag {
    bool initial = false;
  };
  struct Text {};         ///< any; at first empty
  struct Nodes {};        ///< a list of nodes; at first empty
  struct Messages {};     ///< a list of messages; at first empty
  struct Flows {};        ///< a list of flows, or a file that has them; at first empty
  struct Collectives {};  ///< a list of collectives; at first empty
  struct Classes {};      ///< a list of message classes; at first empty
  struct Groups {};       ///< groups of nodes by name; at first none

  Key key;  ///< in a section of options, with that section's name: "overhead.compose"
  std::variant<Word, Number, Text, Real, Flag, Nodes, Messages, Flows, Collectives, Classes, Groups> values;
  const OptionSection* section = nullptr;  ///< null: in the section of the registry

  std::string_view name() const { return key.name; }
  OptionValue initial() const;
};

/// Adds an option to those of a section, unless it is there already. Throws ContractError if another
/// declaration has its name.
void add_option(std::vector<const OptionKey*>& options, const OptionKey*, std::string_view section);

/// The options that a section of the configuration gives, by key. One that is not given has its default.
class OptionValues {
 public:
  using Given = std::map<std::string, OptionValue, std::less<>>;

  OptionValues() = default;
  OptionValues(std::initializer_list<Given::value_type> given) : given_(given) {}

  void set(const std::string& key, OptionValue value) { given_.insert_or_assign(key, std::move(value)); }
  const Given& given() const { return given_; }

  // The value of an option. Throws std::bad_variant_access if it is of another kind.
  std::string word(const OptionKey&) const;  ///< or text
  std::int64_t number(const OptionKey&) const;
  double real(const OptionKey&) const;
  bool flag(const OptionKey&) const;
  std::vector<NodeName> nodes(const OptionKey&) const;
  std::vector<ListedMessage> messages(const OptionKey&) const;
  FlowList flows(const OptionKey&) const;
  std::vector<ListedCollective> collectives(const OptionKey&) const;
  std::vector<ListedClass> classes(const OptionKey&) const;
  NodeGroups groups(const OptionKey&) const;

  void visit(const OptionKey&, SettingsVisitor&);
  /// The same of a key whose effect has a further condition.
  void visit(const OptionKey&, const KeyEffect&, SettingsVisitor&);
  /// Visits several options. Those of one section come together, where the first of them is. `effect`: the
  /// further condition of each.
  void visit(const std::vector<const OptionKey*>&, const std::function<KeyEffect(const OptionKey&)>& effect,
             SettingsVisitor&);

 private:
  OptionValue value(const OptionKey&) const;

  Given given_;
};

}  // namespace flitmend
