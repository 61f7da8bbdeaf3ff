// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/parameters.h"

#include <algorithm>

namespace flitmend::sbrp {
namespace {

constexpr OptionSection kOverheadSection{
    .name = "overhead",
    .description =
        "sbrp: the time that a node's software needs for a recovery request. A single number is divided "
        "equally between the keys: `overhead: 100` is `overhead: {compose: 50, receive: 50}`.",
    .shared = true};

}  // namespace

constexpr OptionKey kComposeOverhead{.key = {"overhead.compose", "cycles", "To compose it.", kAlways},
                                     .values = OptionKey::Number{.initial = 13, .range = {0, 1 << 30}},
                                     .section = &kOverheadSection};
constexpr OptionKey kReceiveOverhead{
    .key = {"overhead.receive", "cycles", "To receive it, at the sender of the message.", kAlways},
    .values = OptionKey::Number{.initial = 19, .range = {0, 1 << 30}},
    .section = &kOverheadSection};
constexpr OptionKey kAskTimeout{
    .key =
        {"ask_timeout", "cycles",
         "sbrp: how long after the last piece of an incomplete message the receiver asks for the missing "
         "part; two cycles per flit are added, and the wait doubles after every request. utp: likewise, but "
         "the receiver asks nobody, and drops the pieces after recovery.retry_limit such waits, or 16.",
         kAlways},
    .values = OptionKey::Number{.initial = 500, .range = {1, 1 << 30}}};
constexpr OptionKey kRepeatTimeout{
    .key =
        {"repeat_timeout", "cycles",
         "sbrp and utp: how long after a recovery request its acknowledgement may take before the request is "
         "repeated, doubled after every repetition, but at most to a quarter of recovery.guard_timeout if "
         "there is a guard.",
         kAlways},
    .values = OptionKey::Number{.initial = 600, .range = {1, 1 << 30}}};

Parameters Parameters::from(const RecoverySettings& s, const Kind& kind) {
  Parameters p;
  static_cast<Kind&>(p) = kind;
  p.compose = static_cast<Cycle>(s.options.number(kComposeOverhead));
  p.receive = static_cast<Cycle>(s.options.number(kReceiveOverhead));
  p.ask_timeout = static_cast<Cycle>(s.options.number(kAskTimeout));
  p.repeat_timeout = static_cast<Cycle>(s.options.number(kRepeatTimeout));
  p.most_doublings = static_cast<unsigned>(s.backoff_limit);
  p.retry_limit = {static_cast<std::uint32_t>(s.retry_limit)};
  p.guard = Guard::from(s);
  return p;
}

Cycle Parameters::repeat_wait(std::uint32_t times_sent) const {
  constexpr Cycle kBeforeGuard = 4;
  const Cycle wait = repeat_timeout << std::min(times_sent - 1, most_doublings);
  return guard.on() ? std::min(wait, std::max(repeat_timeout, guard.timeout / kBeforeGuard)) : wait;
}

std::uint32_t Parameters::restart(const CutMessage& cut, std::uint32_t lost) const {
  if (!sub_messages) return 0;
  const std::uint32_t safe = header(cut.sub_message) + (routers_restart ? 0 : lost);
  return cut.first + (cut.count > safe ? cut.count - safe : 0);
}

}  // namespace flitmend::sbrp
