// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/error_list.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {

std::size_t ErrorList::rank(const std::string& source) const {
  return static_cast<std::size_t>(std::find(sources_.begin(), sources_.end(), source) - sources_.begin());
}

void ErrorList::add_source(const std::string& source) {
  if (rank(source) == sources_.size()) sources_.push_back(source);
}

void ErrorList::add(Place place, const std::string& what) {
  if (place.source.empty()) place.source = file();
  add_source(place.source);
  errors_.push_back({std::move(place), escaped_text(what)});
}

void ErrorList::append(const ErrorList& other) {
  for (const Error& error : other.errors_) add(error.place, error.what);
}

void ErrorList::throw_if_any() const {
  if (errors_.empty()) return;
  constexpr std::size_t kShown = 20;
  const auto key = [&](const Error* e) {
    return std::tuple(rank(e->place.source), e->place.line, e->place.column);
  };
  std::vector<const Error*> sorted;
  std::set<std::pair<Place, std::string>> seen;
  for (const Error& error : errors_)
    if (seen.emplace(error.place, error.what).second) sorted.push_back(&error);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Error* a, const Error* b) { return key(a) < key(b); });
  std::string text = sorted.front()->what;
  for (std::size_t i = 1; i < sorted.size() && i < kShown; ++i)
    text += "\n" + sorted[i]->place.text() + ": " + sorted[i]->what;
  if (sorted.size() > kShown) text += formatted("\n%1%: and %2% more", file(), sorted.size() - kShown);
  throw ConfigurationError(sorted.front()->place, text);
}

}  // namespace flitmend
