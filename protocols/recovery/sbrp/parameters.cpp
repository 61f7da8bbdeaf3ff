// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/parameters.h"

#include <algorithm>

namespace flitmend::sbrp {

Parameters Parameters::from(const RecoverySettings& s, const Kind& kind) {
  Parameters p;
  static_cast<Kind&>(p) = kind;
  p.compose = static_cast<Cycle>(s.overhead.compose);
  p.receive = static_cast<Cycle>(s.overhead.receive);
  p.ask_timeout = static_cast<Cycle>(s.ask_timeout);
  p.repeat_timeout = static_cast<Cycle>(s.repeat_timeout);
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
