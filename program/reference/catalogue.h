// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace flitmend {

/// Something that a configuration can name.
struct CatalogueEntry {
  std::string name;
  std::string description;
  std::string needs;               ///< requirements, or what it sets, as text; may be empty
  nlohmann::ordered_json details;  ///< the same and more for programs: an object
};

/// The entries of one configuration key, such as traffic.pattern.
struct CatalogueGroup {
  std::string concern;  ///< argument of `flitmend list` that selects it: "traffic"
  std::string key;      ///< the configuration key
  std::string title;    ///< "Traffic patterns"
  std::vector<CatalogueEntry> entries;
  std::string needs_word = "needs";  ///< heading of the entries' `needs`
};

/// Everything that a configuration can name, from the registries and the declared keys, in the order of the
/// documentation.
std::vector<CatalogueGroup> catalogue();

}  // namespace flitmend
