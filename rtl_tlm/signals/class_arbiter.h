// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace flitmend {

/// Which of several messages goes first where they want the same: router.arbitration.
enum class Arbitration : std::uint8_t { round_robin, strict, weighted, oldest_first };

/// Classes of messages, at most.
inline constexpr unsigned kMessageClasses = 8;
/// Control messages of a recovery protocol go before every class.
inline constexpr unsigned kControlClass = kMessageClasses;

/// A set of classes: bit c for class c, and one for kControlClass.
using ClassSet = std::uint16_t;

struct ClassParameters {
  unsigned priority = 0;  ///< the greatest goes first, with Arbitration::strict
  unsigned weight = 1;    ///< at least 1: its share among classes that compete
};

/// What all arbiters of a network know about classes.
struct ClassRules {
  Arbitration arbitration = Arbitration::round_robin;
  std::vector<ClassParameters> list = {};  ///< by class; empty: messages have no classes
  unsigned starvation_limit = 0;           ///< grants after which a wait counts as starvation; 0: never

  unsigned count() const { return list.empty() ? 1 : static_cast<unsigned>(list.size()); }
  unsigned weight(unsigned c) const { return c < list.size() ? list[c].weight : 1; }
  unsigned priority(unsigned c) const { return c < list.size() ? list[c].priority : 0; }
  /// Whether grants depend on more than the turn of the requesters.
  bool ordered() const { return arbitration != Arbitration::round_robin; }
  /// Whether two classes share by their weights.
  bool share(unsigned a, unsigned b) const {
    return arbitration != Arbitration::strict || priority(a) == priority(b);
  }
  /// Those of a set that has classes which compete for the next grant: with priorities, the most urgent.
  ClassSet most_urgent(ClassSet) const;
  /// The most grants of an arbiter that others get in a row while a class could have had each of them; none:
  /// there is no bound. Weighted: the sum of the other weights.
  std::optional<std::uint64_t> wait_bound(unsigned c) const;
};

/// The arbiter of one output between classes. In a round, each class has as many grants as its weight. Of the
/// classes that make requests and have grants left, the one served longest ago is next; if none has any left,
/// a new round begins. So a class that always makes requests gets the share of its weight, what another one
/// does not want is divided again, and a wait ends after ClassRules::wait_bound() grants.
class ClassArbiter {
 public:
  struct Class {
    std::uint16_t grants_left = 1;  ///< in this round
    std::uint16_t last_input = 0;   ///< as an output: of the class, the input served last
    std::uint16_t last_vc = 0;      ///< as an input: of the class, the virtual channel served last
    std::uint32_t waited = 0;       ///< grants to others since the class last had one or made no request
    std::uint32_t longest_wait = 0;
    std::uint64_t starvations = 0;  ///< waits longer than the limit
  };

  /// As after power-up; the counters of waits stay.
  void reset(const ClassRules&);
  /// The class that is granted next, of a set that is not empty.
  unsigned next(const ClassRules&, ClassSet requesting) const;
  /// A class has been granted, of those that made requests.
  void grant(const ClassRules&, unsigned c, ClassSet requesting);
  /// All requests are known: the other classes wait for nothing.
  void only(const ClassRules&, ClassSet requesting);

  Class& operator[](unsigned c) { return classes_[c]; }
  const Class& operator[](unsigned c) const { return classes_[c]; }
  /// Place of a class in the order of service, 0: served longest ago.
  unsigned place(unsigned c) const;

 private:
  std::array<Class, kMessageClasses + 1> classes_{};
  std::array<std::uint8_t, kMessageClasses> order_{};  ///< classes; the first was served longest ago
};

}  // namespace flitmend
