// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/records.h"

#include <utility>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::pair<PointStatus, const char*> kPointWords[] = {
    {PointStatus::done, "done"},
    {PointStatus::deadlock, "deadlock"},
    {PointStatus::contract_broken, "contract-broken"},
    {PointStatus::unfinished, "unfinished"},
    {PointStatus::refused, "refused"},
    {PointStatus::crashed, "crashed"},
    {PointStatus::timed_out, "timed-out"},
};
constexpr std::pair<SaturationStatus, const char*> kSaturationWords[] = {
    {SaturationStatus::found, "found"},
    {SaturationStatus::not_reached, "not-reached"},
    {SaturationStatus::at_start, "at-start"},
    {SaturationStatus::stopped, "stopped"},
};

template <class Words, class Status>
std::string word_of(const Words& words, Status status) {
  for (const auto& [known, word] : words)
    if (known == status) return word;
  return "";
}

template <class Words>
auto status_of(const Words& words, const std::string& asked) {
  for (const auto& [status, word] : words)
    if (asked == word) return status;
  throw ConfigurationError("unknown status '" + asked + "' in the results of a sweep");
}

}  // namespace

std::string to_word(PointStatus status) {
  return word_of(kPointWords, status);
}

PointStatus point_status(const std::string& word) {
  return status_of(kPointWords, word);
}

std::string to_word(SaturationStatus status) {
  return word_of(kSaturationWords, status);
}

SaturationStatus saturation_status(const std::string& word) {
  return status_of(kSaturationWords, word);
}

}  // namespace flitmend
