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

/// Reads the texts of what a configuration lists.
class FieldReader {
 public:
  /// All outlive this.
  FieldReader(const ListedFields& listed, const Configuration& configuration, const Topology& topology)
      : listed_(listed), configuration_(configuration), topology_(topology) {}
  FieldReader(const ListedFlow& flow, const FlowContext& context)
      : FieldReader(flow, context.configuration, context.topology) {}

  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// Empty if there is none.
  std::string text(std::string_view key) const;
  /// A text that is shown to the user: refuses what nobody sees, such as control characters.
  std::string label(std::string_view key) const;
  std::optional<double> real(std::string_view key, double first, double last) const;
  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t first, std::uint64_t last) const;
  bool flag(std::string_view key) const;
  NodeId node(std::string_view key) const;
  std::vector<NodeId> all_nodes() const;
  /// In their order; "all" gives every node.
  std::vector<NodeId> nodes_in_order(std::string_view key) const;
  /// The same, sorted.
  std::vector<NodeId> nodes(std::string_view key) const;

  /// Refuses keys that are not among these.
  void allow(const std::vector<std::string_view>& keys) const;
  /// Refuses two keys of which only one may be there.
  void allow_one(std::string_view a, std::string_view b) const;
  /// Throws about the value of a key, or if there is none about what is listed.
  [[noreturn]] void fail(std::string_view key, const std::string& text) const;
  /// Where the value of the key is; if there is none, what is listed.
  const Place& place(std::string_view key) const;

 private:
  const ListedFields::Field* find(std::string_view key) const;

  const ListedFields& listed_;
  const Configuration& configuration_;
  const Topology& topology_;
};

}  // namespace flitmend
