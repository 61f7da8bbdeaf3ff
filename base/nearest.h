// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

// A word of more than 100 letters has no candidates.

/// The candidate with the smallest edit distance to `word` (insert, delete, replace, swap neighbours). Empty
/// if none is close: more than a third of the word's letters differ, where at least 2 may always differ.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// The candidates that nearest() would accept, nearest first, ties in their own order; at most `count`.
std::vector<std::string_view> near_words(std::string_view word,
                                         const std::vector<std::string_view>& candidates, std::size_t count);

/// " (did you mean 'x'?)" if one is near, else "; known: a, b, c" with the first 200 if there are candidates,
/// else
/// "".
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace flitmend
