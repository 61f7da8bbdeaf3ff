// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace flitmend {

/// When a key changes what a run does or writes: always, or only with certain values of other keys. It is
/// part of every key's declaration. The notes about keys without effect and the generated reference read it.
///
/// An effect is a conjunction of clauses, and a clause is a disjunction of conditions. All is constexpr, so
/// that declarations can be constants.
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

}  // namespace flitmend
