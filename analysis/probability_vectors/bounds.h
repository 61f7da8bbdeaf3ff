// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace flitmend {

/// A lower bound on the probability of routing within l + 4 hops between nodes at Lee distance l and Hamming
/// distance h.
struct PvLowerBound {
  std::uint32_t lee;
  std::uint32_t hamming;
  double value;
};

/// [AlSadi03 Theorem 1]: 1 − P_l·P_{l+2}·P_{l+4} with eq. 4–7, P_l = (1 − (1 − q)^l)^h, P_{l+2} = (1 − (1 −
/// q)^{l+2})^{2n−2h}, P_{l+4} = (1 − (1 − q)^{l+4})^h, q = f / k^n. The paper has n = 3. f ≤ k^n − 2 faulty
/// nodes. O(1). Throws ConfigurationError.
double theorem1_bound(std::uint32_t k, std::uint32_t n, std::uint64_t faults, std::uint32_t lee,
                      std::uint32_t hamming);
/// The same for every (l, h) that two nodes can have, at most 2^20 of them, ordered by l, then h.
std::vector<PvLowerBound> theorem1_bounds(std::uint32_t k, std::uint32_t n, std::uint64_t faults);

/// [AlSadi03 Theorem 2]: the mean routing distance D_l of the hypothetical algorithm PRA, l = 1 … n·⌊k/2⌋, in
/// hops, by the recurrence of Lemma 3 with p = f / k^n:
///   P(c, s) = Σ over the moves that exist, preferred 1 … n then spare 1 … n, of p^j·(1 − p)·P(c′, s′),
/// where j moves were tried before; P(c, 0) = 1 and P(c, s > 0) = 0 for |c| = 1;
///   D_c = Σ_{s ≤ f} (l + 2s)·P(c, s), not normalised; D_l is their mean over the nodes at distance l.
/// Time O(min(f, n·k)·n·(⌊k/2⌋ + 1)^n): the sum ends once further layers cannot change a double. Throws
/// ConfigurationError if an argument is out of range or that product exceeds 10^11.
std::vector<double> theorem2_average_distances(std::uint32_t k, std::uint32_t n, std::uint64_t faults);

}  // namespace flitmend
