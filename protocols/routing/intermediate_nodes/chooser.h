// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// Which chain of fault-free Hybrid-DOR segments a pair takes.
enum class IntermediatePolicy {
  fewest,        ///< fewest intermediates, then fewest hops
  minimal_first  ///< a minimal path with any number of intermediates; if there is none, as fewest
};
/// Which of several equally good chains is taken.
enum class IntermediateTies {
  random,  ///< uniformly drawn, from a stream of the pair
  first    ///< the lexicographically first list of router numbers
};

inline constexpr Choice kIntermediatePolicies[] = {
    {"fewest", "as few intermediate nodes as possible, then as few hops as possible"},
    {"minimal-first",
     "a minimal path, with however many intermediate nodes; if there is none, as for fewest"}};
inline constexpr Choice kIntermediateTies[] = {
    {"random", "uniformly drawn from equally good chains, once per pair"},
    {"first", "the equally good chain with the lowest router numbers"}};
const std::vector<Choice>& intermediate_policies();
const std::vector<Choice>& intermediate_ties();
/// By the name in the configuration ("fewest", "minimal-first"; "random", "first"). Throws
/// ConfigurationError.
IntermediatePolicy intermediate_policy(std::string_view name);
IntermediateTies intermediate_tie(std::string_view name);

struct IntermediateSettings {
  unsigned max_intermediates = 1;  ///< x, 0 … IntermediateList::kMaxIntermediates
  IntermediatePolicy policy = IntermediatePolicy::minimal_first;
  IntermediateTies ties = IntermediateTies::random;
  std::uint64_t seed = 1;
};

/// Chooses the intermediate nodes of every pair [Penaranda17 rules R1–R3, section 4]. The result depends only
/// on the network, its faults, the settings and the pair, never on the order of calls.
class IntermediateChooser {
 public:
  /// Dimensions up to which minimal paths are searched: they visit 2^n routers.
  static constexpr unsigned kMaxMinimalDimensions = 12;

  /// `faults` must outlive the chooser. Throws ConfigurationError.
  IntermediateChooser(const KnsFaults& faults, const IntermediateSettings& settings);

  /// O(n) if the plain path is fault-free, O(2^n·n) if a minimal path with one intermediate is. Otherwise
  /// searches all routers: O(N·n) for one intermediate, about O(N·n + a·b·n) for two, with a routers reached
  /// from the source and b that reach the destination, and O(N²·n) for each further one.
  IntermediateChain choose(std::uint32_t source, std::uint32_t destination) const;

  /// Whether `list` leads from source to destination without a fault and is as good as that of choose(): the
  /// same number of intermediates and of hops.
  bool as_good(std::uint32_t source, std::uint32_t destination, const IntermediateChain& chosen,
               const IntermediateList& list) const;

  const KnsFaults& faults() const { return faults_; }
  const IntermediateSettings& settings() const { return settings_; }

 private:
  const KnsFaults& faults_;
  IntermediateSettings settings_;
};

}  // namespace flitmend
