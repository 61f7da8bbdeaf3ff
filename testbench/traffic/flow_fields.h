// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/traffic/flow.h"

namespace flitmend {

/// The node of a text: a number, coordinates "3,4", a name, or the name of an entry of the address map with
/// one node. Throws ConfigurationError with the place if there is none. `several`: how to write several
/// nodes, where coordinates may have been meant as those.
NodeId node_of_text(std::string_view text, const Topology&, const std::vector<AddressMapEntry>&, const Place&,
                    std::string_view several = "");

/// Reads the texts of a listed flow.
class FlowFields {
 public:
  FlowFields(const ListedFlow& flow, const FlowContext& context) : flow_(flow), context_(context) {}

  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// Empty if there is none.
  std::string text(std::string_view key) const;
  /// A text that is shown to the user: refuses what nobody sees, such as control characters.
  std::string label(std::string_view key) const;
  std::optional<double> real(std::string_view key, double first, double last) const;
  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t first, std::uint64_t last) const;
  bool flag(std::string_view key) const;
  /// "all" gives every node.
  std::vector<NodeId> nodes(std::string_view key) const;

  /// Refuses keys that are not among these.
  void allow(const std::vector<std::string_view>& keys) const;
  /// Refuses two keys of which only one may be there.
  void allow_one(std::string_view a, std::string_view b) const;
  /// Throws about the value of a key, or if there is none about the flow.
  [[noreturn]] void fail(std::string_view key, const std::string& text) const;
  /// Where the value of the key is; if there is none, the flow.
  const Place& place(std::string_view key) const;

 private:
  const ListedFlow::Field* find(std::string_view key) const;

  const ListedFlow& flow_;
  const FlowContext& context_;
};

}  // namespace flitmend
