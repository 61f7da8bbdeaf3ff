// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>

#include "base/text.h"

namespace flitmend {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
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
  return "; known: " + joined(candidates);
}

}  // namespace flitmend
