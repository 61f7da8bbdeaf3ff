// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// Ordered pairs whose Hybrid-DOR path uses a given link, 2(k − 1)k^(n−1); the same for every link.
std::uint64_t kns_pairs_over_link(const KnsShape& shape);

/// Destinations that a router with a faulty link of dimension i (0-based) reaches only over intermediates, (k
/// − 1)·k^(n−i−1) [Penaranda17 section 4].
std::uint64_t kns_destinations_cut(const KnsShape& shape, unsigned dimension);

/// Expected share of ordered pairs whose plain Hybrid-DOR path meets one of f random faulty links,
///   Σ_h C(n, h)(k − 1)^h / (N − 1) · (1 − C(L − 2h, f) / C(L, f)),
/// where a pair that differs in h digits uses 2h links. In 0 … 1. O(n²). Throws ConfigurationError if f > L.
double kns_faulty_pair_share(const KnsShape& shape, std::uint64_t faults);

/// Probability that no router has lost all its n links when f random links are faulty,
///   Σ_j (−1)^j C(N, j)·C(L − nj, f − nj) / C(L, f),
/// computed without the alternating sum, so nothing cancels: it is the coefficient of x^f in ((1 − p + px)^n
/// − (px)^n)^N divided by that in (1 − p + px)^L with p = f/L. For KNS(32, 2) and KNS(10, 3) this is the
/// share of combinations tolerated with two intermediates. O(f²·log N); f ≤ 4096. Throws ConfigurationError.
double kns_no_isolated_router(const KnsShape& shape, std::uint64_t faults);

/// Samples needed for the half width of a share's confidence interval to be at most `error`, whatever the
/// share: ⌈z²/(4·error²)⌉, z the normal quantile. Both arguments in (0, 1). 16,588 for 99 % and 1 %. O(1).
/// Throws ConfigurationError.
std::uint64_t samples_for(double confidence, double error);

}  // namespace flitmend
