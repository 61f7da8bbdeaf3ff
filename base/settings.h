// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/errors.h"
#include "base/language.h"

namespace flitmend {

/// When a key changes what a run does or writes: always, or only with certain values of other keys. It is
/// part of every key's declaration. The notes about keys without effect and the generated reference read it.
///
/// An effect is a conjunction of clauses, and a clause is a disjunction of conditions. Everything is
/// constexpr, so that declarations can be constants.
class KeyEffect {
 public:
  struct Condition {
    enum class Kind {
      none,         ///< unused place of a clause
      one_of,       ///< `key` has one of `values`
      other,        ///< `key` has none of `values`
      given,        ///< one of the keys that `key` lists has another value than its default
      link_widths,  ///< a link of the graph has a width of its own
      platform,     ///< the configuration is that of a NetworkOnChip
    };
    Kind kind = Kind::none;
    /// The dotted path of a key. With `given`: several, separated by spaces. A section stands for those of
    /// its keys that have an effect.
    std::string_view key = {};
    std::string_view values = {};  ///< as YAML, separated by spaces
  };
  static constexpr std::size_t kMostClauses = 3, kMostAlternatives = 4;
  using Clause = std::array<Condition, kMostAlternatives>;

  static constexpr KeyEffect always() { return KeyEffect(); }
  /// `key` must have one of these values, separated by spaces.
  static constexpr KeyEffect only_with(std::string_view key, std::string_view values) {
    return KeyEffect({Condition::Kind::one_of, key, values});
  }
  /// `key` must have another value than these, separated by spaces.
  static constexpr KeyEffect unless(std::string_view key, std::string_view values) {
    return KeyEffect({Condition::Kind::other, key, values});
  }
  /// One of these keys or sections, separated by spaces, must be set to another value than its default.
  static constexpr KeyEffect only_if_given(std::string_view keys) {
    return KeyEffect({Condition::Kind::given, keys, {}});
  }
  /// A link of network.graph must have a width.
  static constexpr KeyEffect of_link_widths() { return KeyEffect({Condition::Kind::link_widths}); }
  /// Only a NetworkOnChip reads the key; `flitmend run` does not.
  static constexpr KeyEffect of_platforms() { return KeyEffect({Condition::Kind::platform}); }

  friend constexpr KeyEffect operator&&(KeyEffect a, const KeyEffect& b) {
    for (const Clause& clause : b.clauses_)
      if (clause[0].kind != Condition::Kind::none) a.add(clause);
    return a;
  }
  /// Of effects with one clause each.
  friend constexpr KeyEffect operator||(KeyEffect a, const KeyEffect& b) {
    std::size_t alternatives = 0;
    while (a.clauses_[0].at(alternatives).kind != Condition::Kind::none) ++alternatives;
    for (const Condition& condition : b.clauses_[0])
      if (condition.kind != Condition::Kind::none) a.clauses_[0].at(alternatives++) = condition;
    return a;
  }

  /// Unused clauses come last; they consist of unused conditions.
  constexpr const std::array<Clause, kMostClauses>& clauses() const { return clauses_; }

 private:
  constexpr KeyEffect() = default;
  constexpr explicit KeyEffect(const Condition& condition) { clauses_[0][0] = condition; }
  constexpr void add(const Clause& clause) {
    std::size_t used = 0;
    while (clauses_.at(used)[0].kind != Condition::Kind::none) ++used;
    clauses_.at(used) = clause;
  }

  std::array<Clause, kMostClauses> clauses_{};
};

inline constexpr KeyEffect kAlways = KeyEffect::always();

/// A configuration key. It is declared once, next to what it configures; its default is the field's initial
/// value. The loader, the writer of the effective configuration, the notes about keys without effect and the
/// generated reference all visit the same declaration.
struct Key {
  std::string_view name;         ///< the last part of the dotted path, the member's own name
  std::string_view unit;         ///< "cycles", "flits", "" for none
  std::string_view description;  ///< one sentence
  KeyEffect effect;              ///< has no default: every declaration says it
};

template <class T>
struct Range {
  T min;
  T max;
};

/// One allowed word of a key.
struct Choice {
  std::string_view name;
  std::string_view description;
};

/// A node named in a configuration, by number or by coordinates; or any router or switch, by its name.
struct NodeName {
  std::vector<std::int64_t> coordinates;  ///< one entry: a node's number; more: its coordinates
  bool is_number = false;
  std::string router = {};  ///< Topology::router_name; then there are no coordinates
  friend bool operator==(const NodeName&, const NodeName&) = default;
};

/// A link named in a configuration, by the routers at its ends.
struct LinkName {
  NodeName from, to;
  friend bool operator==(const LinkName&, const LinkName&) = default;
};

/// A time that may have no end.
struct Duration {
  std::optional<std::int64_t> cycles;  ///< none: permanent
  friend bool operator==(const Duration&, const Duration&) = default;
};

/// A number of threads.
struct Threads {
  std::optional<std::int64_t> number = 1;  ///< none: auto, the program chooses
  friend bool operator==(const Threads&, const Threads&) = default;
};
inline constexpr std::int64_t kMostThreads = 1024;

/// A fault listed in a configuration: of a node or of a link.
struct FaultEvent {
  std::int64_t cycle = 0;
  std::optional<NodeName> node;
  std::optional<LinkName> link;
  Duration duration;
  bool one_way = false;  ///< of a link: only the channel from its first node to its second
  friend bool operator==(const FaultEvent&, const FaultEvent&) = default;
};

/// A message listed in a configuration.
struct ListedMessage {
  std::int64_t cycle = 0;  ///< of its creation
  NodeName from, to;
  std::optional<std::int64_t> length;  ///< flits; none: traffic.message_length
  friend bool operator==(const ListedMessage&, const ListedMessage&) = default;
};

/// What a configuration lists with texts by key, as a line of a CSV file has them by column.
struct ListedFields {
  struct Field {
    std::string key, text;
    Place place = {};  ///< of the value
    friend bool operator==(const Field& a, const Field& b) { return a.key == b.key && a.text == b.text; }
  };
  std::vector<Field> fields;
  Place place = {};
  friend bool operator==(const ListedFields& a, const ListedFields& b) { return a.fields == b.fields; }
};

struct ListedFlow : ListedFields {};
struct ListedCollective : ListedFields {};
struct ListedClass : ListedFields {};
/// Lists of nodes by the name of the group; several nodes are separated by semicolons.
struct NodeGroups : ListedFields {};

/// Flows, listed in a configuration or in a file that it names.
struct FlowList {
  std::string file;  ///< empty: `listed` has them
  std::vector<ListedFlow> listed;
  bool empty() const { return file.empty() && listed.empty(); }
  friend bool operator==(const FlowList&, const FlowList&) = default;
};

/// An entry of the address map of a platform: a range of addresses, and the nodes that have it.
struct AddressMapEntry {
  std::string name;  ///< of its target; may be empty
  std::uint64_t first = 0, last = 0;
  bool is_default = false;  ///< instead of a range: every address that no other entry has
  std::vector<NodeName> nodes;
  std::uint64_t interleave = 0;  ///< bytes of a block; of several nodes
  std::uint64_t local = 0;       ///< address of its first byte at its target
  friend bool operator==(const AddressMapEntry&, const AddressMapEntry&) = default;
};

/// Where the value of a key is. Every kind of value that a configuration has is one of these; each is read in
/// testbench/configuration/key_reader.cpp and written in writer.cpp.
using ValuePointer = std::variant<std::int64_t*, unsigned*, double*, bool*, std::string*, Duration*, Threads*,
                                  std::vector<std::int64_t>*, std::vector<std::string>*,
                                  std::vector<NodeName>*, std::vector<LinkName>*, std::vector<FaultEvent>*,
                                  std::vector<ListedMessage>*, FlowList*, std::vector<ListedCollective>*,
                                  std::vector<ListedClass>*, NodeGroups*, std::vector<AddressMapEntry>*>;

/// What a value may be: anything of its kind; a number, or a list of numbers, in a range; one of some words.
using AllowedValues =
    std::variant<std::monostate, Range<std::int64_t>, Range<double>, std::span<const Choice>>;

/// Visits every key of a settings struct in order. A settings struct has void visit(SettingsVisitor&).
class SettingsVisitor {
 public:
  virtual ~SettingsVisitor() = default;
  virtual void begin_section(std::string_view name, std::string_view description) = 0;
  /// A section of `keys` keys, all whole numbers. A single number in place of the section is divided equally
  /// among them.
  virtual void begin_shared_section(std::string_view name, std::string_view description, unsigned keys) {
    static_cast<void>(keys);
    begin_section(name, description);
  }
  virtual void end_section() = 0;

  // The declaration of a key: with what a value may be, where that is less than its kind allows.
  void key(const Key& k, std::int64_t& value, Range<std::int64_t> range) { visit_key(k, &value, range); }
  void key(const Key& k, unsigned& value, Range<std::int64_t> range) { visit_key(k, &value, range); }
  void key(const Key& k, double& value, Range<double> range) { visit_key(k, &value, range); }
  void key(const Key& k, std::vector<std::int64_t>& value, Range<std::int64_t> range) {
    visit_key(k, &value, range);
  }
  void key(const Key& k, std::string& value, const std::vector<Choice>& words) {
    visit_key(k, &value, std::span<const Choice>(words));
  }
  template <class T>
  void key(const Key& k, T& value) {
    static_assert(!std::is_arithmetic_v<T> || std::is_same_v<T, bool>, "a number needs a range");
    visit_key(k, &value, {});
  }

 protected:
  /// Words are valid during this call only.
  virtual void visit_key(const Key&, ValuePointer, const AllowedValues&) = 0;
};

}  // namespace flitmend
