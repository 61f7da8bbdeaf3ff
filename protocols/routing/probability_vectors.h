// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {

// Probability-vector routing [AlSadi03]: what one router computes from the status of its ports and the
// vectors that its neighbours sent last. The graph engines of analysis/ and a router in the cycle model call
// the same functions. n = 3 is the paper; other n are an extension.

/// How the elements of a vector are stored: as P_l in double, computed as [AlSadi03 eq. 3] is written, or as
/// ln P_l. P_l falls as the 6th power from one l to the next, so 1 − R is soon lost in rounding, almost
/// always from l = 5 on. Elements of different nodes then tie at 0, and the published results come from such
/// ties. Logarithms keep the elements distinct.
enum class PvArithmetic { plain, logarithm };

/// The neighbours to which a message may not return.
enum class PvMemory {
  none,       ///< none, as printed: a message may go back and forth forever
  no_return,  ///< the node that it has just left
  visited,    ///< every node that it has visited
};

/// How ports of equal probability are chosen.
enum class PvTies { lowest, random };

/// How many hops beyond its distance a message may make before it counts as looping.
enum class PvLoopLimit {
  printed,   ///< f·(k − 2), for f faults [AlSadi03 section 3]: none for k = 2
  two_hops,  ///< at least two for each fault, what a spare move costs: f·max(2, k − 2)
};
inline std::uint64_t pv_detour_limit(PvLoopLimit limit, std::uint32_t k, std::uint64_t faults) {
  const std::uint64_t printed = k - 2;
  return faults * (limit == PvLoopLimit::two_hops && printed < 2 ? 2 : printed);
}

/// The probability vector of a node: element l is the probability that no shortest path reaches a destination
/// at Lee distance l. It has D = n·⌊k/2⌋ elements, and one more because a spare move uses l + 1.
class ProbabilityVectorRule {
 public:
  /// n ≥ 1 dimensions of radix k ≥ 2.
  ProbabilityVectorRule(std::uint32_t k, unsigned n, PvArithmetic arithmetic)
      : arithmetic_(arithmetic), ports_(2 * n), elements_(n * (k / 2) + 1) {
    // w(l) = Σ_{h = 1 … min(l, n)} h / (1 + 2 + … + n)
    const double all = n * (n + 1) / 2.0;
    double sum = 0;
    for (unsigned l = 1; l <= elements_; ++l) {
      if (l <= n) sum += l / all;
      weight_.push_back(l < n ? sum : 1.0);
    }
  }

  PvArithmetic arithmetic() const { return arithmetic_; }
  unsigned ports() const { return ports_; }
  /// D + 1; element l is at index l − 1.
  unsigned elements() const { return elements_; }
  /// w(l) of [AlSadi03 eq. 3]; 1 ≤ l ≤ D + 1.
  double weight(unsigned l) const { return weight_[l - 1]; }

  /// P_1 = |F_A| / 2n [AlSadi03 eq. 2], counting ports; at most 1.
  double first_element(unsigned faulty_set_size) const {
    return stored(faulty_set_size >= ports_ ? 1.0 : static_cast<double>(faulty_set_size) / ports_);
  }
  /// P_l, l ≥ 2 [AlSadi03 eq. 3]: Π over the ports of 1 − R, where R = 0 if the port's neighbour is in F_A
  /// (null), else R = w(l)·(1 − P_{l−1} of the neighbour).
  double element(unsigned l, const double* const* neighbour_vectors) const {
    const double w = weight(l);
    if (arithmetic_ == PvArithmetic::plain) {
      double product = 1;
      for (unsigned port = 0; port < ports_; ++port)
        if (const double* vector = neighbour_vectors[port]) product *= 1 - w * (1 - vector[l - 2]);
      return product;
    }
    double sum = 0;
    for (unsigned port = 0; port < ports_; ++port)
      if (const double* vector = neighbour_vectors[port])
        sum += w == 1 ? vector[l - 2] : std::log(1 - w * (1 - std::exp(vector[l - 2])));
    return sum;
  }
  /// The whole vector of a node after one exchange with its neighbours; `to` must not be one of theirs. After
  /// the r-th exchange elements 1 … r + 1 are final; D exchanges complete all.
  void update(unsigned faulty_set_size, const double* const* neighbour_vectors, double* to) const {
    to[0] = first_element(faulty_set_size);
    for (unsigned l = 2; l <= elements_; ++l) to[l - 1] = element(l, neighbour_vectors);
  }

  /// A stored element as a probability, or as its natural logarithm.
  double probability(double stored_element) const {
    return arithmetic_ == PvArithmetic::plain ? stored_element : std::exp(stored_element);
  }
  double log_probability(double stored_element) const {
    return arithmetic_ == PvArithmetic::plain ? std::log(stored_element) : stored_element;
  }

 private:
  double stored(double probability) const {
    return arithmetic_ == PvArithmetic::plain ? probability : std::log(probability);
  }

  PvArithmetic arithmetic_;
  unsigned ports_;
  unsigned elements_;
  std::vector<double> weight_;
};

/// A message at a node that is not its destination.
struct PvRequest {
  std::uint32_t distance;   ///< Lee distance l ≥ 1 to the destination
  std::uint32_t preferred;  ///< ports on a shortest path
  std::uint32_t usable;     ///< ports with a healthy neighbour over a healthy link: not in F_A
  std::uint32_t forbidden;  ///< ports that the message's memory rules out
};

/// The port chosen by algorithm PV_Routing [AlSadi03 section 3]; −1: none is left (failure).
/// `vector_of(port)` returns the vector that the neighbour at a usable port sent last. A usable preferred
/// port always wins: its expected distance Pr = l + 2·P_{l−1} is at most l + 2, and that of a spare or
/// disturb port, Sp = l + 2 + 2·P_{l+1}, is at least l + 2.
template <class VectorOf>
int probability_vector_next_hop(const PvRequest& request, const VectorOf& vector_of, PvTies ties,
                                RandomStream* random) {
  if (request.distance == 1)
    if (const std::uint32_t direct = request.preferred & request.usable) return std::countr_zero(direct);
  std::uint32_t candidates = request.usable & ~request.forbidden;
  unsigned element = request.distance;  // index of P_{l+1}
  if (const std::uint32_t preferred = candidates & request.preferred) {
    candidates = preferred;
    element = request.distance - 2;  // index of P_{l−1}
  }
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t equals = 0;
  for (; candidates; candidates &= candidates - 1) {
    const int port = std::countr_zero(candidates);
    const double p = vector_of(static_cast<unsigned>(port))[element];
    if (p < least || best < 0) {
      best = port;
      least = p;
      equals = 1;
    } else if (ties == PvTies::random && p == least && random->below(++equals) == 0) {
      best = port;
    }
  }
  return best;
}

}  // namespace flitmend
