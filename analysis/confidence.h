// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace flitmend {

/// Bounds that contain an unknown share (0 … 1) with a stated confidence.
struct ShareInterval {
  double low = 0;
  double high = 1;

  /// The distance from `share` to the further bound: share ± reach(share) contains the interval.
  double reach(double share) const { return share - low > high - share ? share - low : high - share; }
  friend bool operator==(const ShareInterval&, const ShareInterval&) = default;
};

/// z with P(|Z| ≤ z) = confidence of a standard normal Z; confidence in (0, 1).
double normal_quantile(double confidence);
/// t with P(T ≤ t) = probability, for Student's T; at least one degree of freedom, probability in (0, 1).
double students_t_quantile(double degrees_of_freedom, double probability);
/// x with P(X ≤ x) = probability, for a beta-distributed X with parameters a and b above 0.
double beta_quantile(double a, double b, double probability);

/// The interval that every analysis tool states for a share: Wilson's score interval [Wilson27],
///   (p + z²/2n ± z·sqrt(p(1 − p)/n + z²/4n²)) / (1 + z²/n),   p = hits/n,
/// z the normal quantile. Its width is never 0: if none (or all) of the samples hit, it reaches z²/(n + z²)
/// from 0 (or 1). Empty for fewer than 2 samples. The samples are independent, hits ≤ samples. O(1).
std::optional<ShareInterval> share_interval(std::uint64_t hits, std::uint64_t samples, double confidence);

/// A share of draws that come in groups: the pairs of one fault set, or of one combination. Groups are
/// independent; the draws of a group need not be.
struct GroupedShare {
  double share = 0;     ///< of all draws
  double variance = 0;  ///< of `share`, from the spread between the groups
  double groups = 0;
  double draws = 0;  ///< all groups together
};
/// Wilson's interval for the number of samples that would have that variance, p(1 − p)/variance, at least
/// `groups` and at most `draws`. z is the quantile of Student's t with groups − 1 degrees of freedom. If the
/// groups do not differ, their spread is unknown; each then counts as one sample. Empty for fewer than 2
/// groups. O(1).
std::optional<ShareInterval> grouped_share_interval(const GroupedShare&, double confidence);

}  // namespace flitmend
