// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/settings.h"

#include "base/registry.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

KeyEffect read_by_protocols(std::string_view key) {
  return read_by<&RecoveryEntry::keys>(recovery_protocols(), "recovery.protocol", key);
}

}  // namespace

constexpr OptionSection kBackoffSection{
    .name = "backoff",
    .description =
        "fcr and apcs: the longest random wait before a message is sent again; the shortest is one cycle."};
constexpr OptionKey kKillBackoff{
    .key = {"backoff.kill", "cycles",
            "After a fault. apcs doubles it after every kill of the message, fcr after every head without a "
            "route from the third on.",
            kAlways},
    .values = OptionKey::Number{.initial = 32, .range = {1, 1 << 30}},
    .section = &kBackoffSection};

void RecoverySettings::visit(SettingsVisitor& v) {
  v.begin_section("recovery", "How messages hit by faults are recovered.");
  v.key({"protocol", "", "Recovery protocol.", kAlways}, protocol, recovery_protocols().choices());
  v.key(
      {"timeout", "cycles",
       "end-to-end: how long a sender waits for an acknowledgement after the last flit, doubled after "
       "each of the first 5 attempts and, from the 64th on, after every 16th; 0: four round trips at zero "
       "load, four message lengths and "
       "recovery.acknowledgement_delay. fcr: how long a message may wait to send its next flit (T_out); "
       "0: routing.head_wait_cycles, or twice the longest stall at zero load if that is longer, and the time "
       "in which one message per virtual channel crosses a link.",
       read_by_protocols("timeout")},
      timeout, {0, 1 << 30});
  v.key({"retry_limit", "",
         "Retries after which a message is undeliverable. 0: no limit; a sender tries until the permanent "
         "faults leave no connection to the destination. end-to-end: retries without an answer, after which "
         "the destination is abandoned. sbrp and utp: timeouts of the guard, heads without a route, and "
         "repetitions after which a recovery request is abandoned. fcr: timeouts of the guard, and heads "
         "without a route. apcs: timeouts of the guard, and retries after kills.",
         read_by_protocols("retry_limit")},
        retry_limit, {0, 1 << 30});
  const auto effect = [](const OptionKey& option) {
    return read_by<&RecoveryEntry::options>(recovery_protocols(), "recovery.protocol", option.name());
  };
  options.visit(options_of<&RecoveryEntry::options>(recovery_protocols(), "recovery"), effect, v);
  v.key(
      {"backoff_limit", "",
       "sbrp, utp, fcr and apcs: how many times a timeout is doubled at most, and with apcs "
       "recovery.backoff.kill; with fcr twice as many times. The guard's timer doubles further from its 16th "
       "timeout on, with every 16th.",
       read_by_protocols("backoff_limit")},
      backoff_limit, {0, 20});
  v.key(
      {"guard_timeout", "cycles",
       "sbrp, utp, fcr and apcs: how long after a message's last flit left the guard sends it again; four "
       "cycles per flit are added. A recovery request or a resend restarts the timer; it doubles after every "
       "attempt.",
       read_by_protocols("guard_timeout")},
      guard_timeout, {1, 1 << 30});
  v.key({"guard_acknowledgement", "",
         "sbrp, utp and fcr: how the guard learns that a message has arrived. apcs: its own acknowledgements "
         "say so, unless off.",
         read_by_protocols("guard_acknowledgement")},
        guard_acknowledgement,
        {{"assumed", "the replies of the processing elements say so; no message is charged for it"},
         {"real", "by an acknowledgement of 4 flits per message"},
         {"off", "there is no guard: a message that the protocol loses stays lost"}});
  v.end_section();
}

}  // namespace flitmend
