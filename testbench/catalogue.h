// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace flitmend {

/// A thing that a configuration can name.
struct CatalogueEntry {
  std::string name;
  std::string description;
  std::string needs;  ///< what it needs, where it applies or what it sets, for people; may be empty
  nlohmann::ordered_json details;  ///< the same and more for programs: an object
};

/// The things of one concern that stand under one key: "traffic.pattern".
struct CatalogueGroup {
  std::string concern;  ///< what `flitmend list` is asked for: "traffic"
  std::string key;      ///< the configuration key that names them
  std::string title;    ///< "Traffic patterns"
  std::vector<CatalogueEntry> entries;
  std::string needs_word = "needs";  ///< what `needs` of the entries is called
};

/// Everything that can be named, from the registries and the declared keys, in the order of the
/// documentation.
std::vector<CatalogueGroup> catalogue();

}  // namespace flitmend
