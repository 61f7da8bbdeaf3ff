// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/class_arbiter.h"

#include <algorithm>

namespace flitmend {

ClassSet ClassRules::most_urgent(ClassSet set) const {
  if (arbitration != Arbitration::strict) return set;
  unsigned highest = 0;
  ClassSet urgent = 0;
  for (unsigned c = 0; c < count(); ++c) {
    if (!(set >> c & 1) || (urgent != 0 && priority(c) < highest)) continue;
    if (urgent == 0 || priority(c) > highest) urgent = 0;
    highest = priority(c);
    urgent = static_cast<ClassSet>(urgent | 1u << c);
  }
  return urgent;
}

std::optional<std::uint64_t> ClassRules::wait_bound(unsigned c) const {
  if (arbitration != Arbitration::weighted && arbitration != Arbitration::strict) return std::nullopt;
  std::uint64_t others = 0;
  for (unsigned other = 0; other < count(); ++other) {
    if (arbitration == Arbitration::strict && priority(other) > priority(c)) return std::nullopt;
    if (other != c && share(other, c)) others += weight(other);
  }
  return others;
}

void ClassArbiter::reset(const ClassRules& rules) {
  for (unsigned c = 0; c < classes_.size(); ++c) {
    Class& one = classes_[c];
    one.grants_left = static_cast<std::uint16_t>(rules.weight(c));
    one.last_input = one.last_vc = 0;
    one.waited = 0;
  }
  for (unsigned c = 0; c < order_.size(); ++c) order_[c] = static_cast<std::uint8_t>(c);
}

unsigned ClassArbiter::next(const ClassRules& rules, ClassSet requesting) const {
  if (requesting >> kControlClass & 1) return kControlClass;
  requesting = rules.most_urgent(requesting);
  unsigned first = kControlClass;
  for (unsigned i = 0; i < rules.count(); ++i) {
    const unsigned c = order_[i];
    if (!(requesting >> c & 1)) continue;
    if (classes_[c].grants_left > 0) return c;
    if (first == kControlClass) first = c;
  }
  return first;
}

void ClassArbiter::grant(const ClassRules& rules, unsigned granted, ClassSet requesting) {
  if (granted == kControlClass) return;
  const unsigned count = rules.count();
  if (classes_[granted].grants_left == 0)  // a new round
    for (unsigned c = 0; c < count; ++c)
      if (rules.share(c, granted)) classes_[c].grants_left = static_cast<std::uint16_t>(rules.weight(c));
  --classes_[granted].grants_left;
  const auto end = order_.begin() + count;
  const auto place = std::find(order_.begin(), end, static_cast<std::uint8_t>(granted));
  std::rotate(place, place + 1, end);
  for (unsigned c = 0; c < count; ++c) {
    Class& one = classes_[c];
    if (c == granted) {
      one.waited = 0;
    } else if (requesting >> c & 1) {
      ++one.waited;
      if (one.waited > one.longest_wait) one.longest_wait = one.waited;
      if (rules.starvation_limit > 0 && one.waited == rules.starvation_limit + 1) ++one.starvations;
    }
  }
}

void ClassArbiter::only(const ClassRules& rules, ClassSet requesting) {
  for (unsigned c = 0; c < rules.count(); ++c)
    if (!(requesting >> c & 1)) classes_[c].waited = 0;
}

unsigned ClassArbiter::place(unsigned c) const {
  return static_cast<unsigned>(std::find(order_.begin(), order_.end(), static_cast<std::uint8_t>(c)) -
                               order_.begin());
}

}  // namespace flitmend
