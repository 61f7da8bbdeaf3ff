// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace flitmend {
namespace {

// Nobody mistypes a longer word.
constexpr std::size_t kLongestWord = 100;
// Names that an error message lists.
constexpr std::size_t kMostKnown = 200;

/// Of words of at most kLongestWord letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongestWord + 1>;
  Row rows[3];  // for the letters before, and the two before that
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row& row = rows[i % 3];
    const Row &last = rows[(i + 2) % 3], &before = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

// The largest edit distance at which a candidate may still be what the user meant.
std::size_t near_enough(std::string_view word) {
  return std::max<std::size_t>(2, word.size() / 3);
}

}  // namespace

std::vector<std::string_view> near_words(std::string_view word,
                                         const std::vector<std::string_view>& candidates, std::size_t count) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (std::string_view candidate : candidates) {
    if (std::max(word.size(), candidate.size()) > kLongestWord) continue;
    // At least this many letters have to be added or removed.
    const std::size_t least =
        std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (least > near_enough(word)) continue;
    if (const std::size_t distance = edit_distance(word, candidate); distance <= near_enough(word))
      near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  near.resize(std::min(near.size(), count));
  std::vector<std::string_view> words;
  for (const auto& [distance, candidate] : near) words.push_back(candidate);
  return words;
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::vector<std::string_view> best = near_words(word, candidates, 1);
  return best.empty() ? std::string_view{} : best.front();
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (const std::string_view best = nearest(word, candidates); !best.empty() && best != word)
    return " (did you mean '" + std::string(best) + "'?)";
  if (candidates.empty()) return {};
  if (candidates.size() <= kMostKnown) return "; known: " + joined(candidates);
  const std::vector<std::string_view> first(candidates.begin(), candidates.begin() + kMostKnown);
  return "; known: " + joined(first) + formatted(" and %1% more", candidates.size() - kMostKnown);
}

}  // namespace flitmend
