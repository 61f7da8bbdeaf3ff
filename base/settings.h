// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/key_effect.h"
#include "base/language.h"

namespace flitmend {

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
using ValuePointer = std::variant<std::int64_t*, unsigned*, double*, bool*, std::string*, Duration*,
                                  std::vector<std::int64_t>*, std::vector<std::string>*,
                                  std::vector<NodeName>*, std::vector<LinkName>*, std::vector<FaultEvent>*,
                                  std::vector<ListedMessage>*, std::vector<AddressMapEntry>*>;

/// What a value may be: anything of its kind; a number, or a list of numbers, in a range; one of some words.
using AllowedValues =
    std::variant<std::monostate, Range<std::int64_t>, Range<double>, std::span<const Choice>>;

/// Visits every key of a settings struct in order. A settings struct has void visit(SettingsVisitor&).
class SettingsVisitor {
 public:
  virtual ~SettingsVisitor() = default;
  virtual void begin_section(std::string_view name, std::string_view description) = 0;
  /// A section whose keys are all whole numbers, that many. A single number in place of the section is
  /// shared out equally among them.
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
