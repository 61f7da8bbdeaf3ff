// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/settings.h"

#include "base/registry_effect.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

KeyEffect read_by_protocols(std::string_view key) {
  return read_by<&RecoveryEntry::keys>(recovery_protocols(), "recovery.protocol", key);
}

}  // namespace

void RecoverySettings::visit(SettingsVisitor& v) {
  v.begin_section("recovery", "How messages hit by faults are recovered.");
  v.key({"protocol", "", "Recovery protocol.", kAlways}, protocol, recovery_protocols().choices());
  v.key(
      {"timeout", "cycles",
       "end-to-end: how long a sender waits for an acknowledgement after the last flit, doubled after "
       "every attempt up to 32 times; 0: four round trips at zero load, four message lengths and "
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
  v.key(
      {"handshake", "", "end-to-end: what comes before the data of a message.",
       read_by_protocols("handshake")},
      handshake,
      {{"none", "nothing"},
       {"six-step",
        "the sender asks for a buffer, and waits until the receiver has one: 3 flits each [SBRP Fig. 38]"}});
  v.key({"acknowledgement_delay", "cycles",
         "end-to-end: how long an acknowledgement waits for a message to the same node that carries it "
         "(piggybacking); after that, or when four messages wait for one, it is a message of its own. 0: it "
         "does not wait.",
         read_by_protocols("acknowledgement_delay")},
        acknowledgement_delay, {0, 65535});
  v.begin_shared_section(
      "overhead",
      "sbrp: what the software of a node needs for a recovery request. A number, half of which is for each "
      "key, can stand for the section: `overhead: 100` is `overhead: {compose: 50, receive: 50}`.",
      2);
  v.key({"compose", "cycles", "To compose it.", read_by_protocols("overhead.compose")}, overhead.compose,
        {0, 1 << 30});
  v.key({"receive", "cycles", "To receive it, at the sender of the message.",
         read_by_protocols("overhead.receive")},
        overhead.receive, {0, 1 << 30});
  v.end_section();
  v.begin_section(
      "backoff",
      "fcr and apcs: the longest random wait before a message is sent again; the shortest is one cycle.");
  v.key({"kill", "cycles",
         "After a fault. apcs doubles it after every kill of the message, fcr after every head without a "
         "route from the third on.",
         read_by_protocols("backoff.kill")},
        backoff.kill, {1, 1 << 30});
  v.key({"timeout", "cycles", "After recovery.timeout.", read_by_protocols("backoff.timeout")},
        backoff.timeout, {1, 1 << 30});
  v.end_section();
  v.key(
      {"fcr_capacity", "flits",
       "fcr: flits that a hop can hold, by which messages are padded; 0: what the buffers and wires of this "
       "hardware hold, so that no fault can lose a message. With less, the guard repairs what is lost.",
       read_by_protocols("fcr_capacity")},
      fcr_capacity, {0, 1024});
  v.key({"ask_timeout", "cycles",
         "sbrp: how long after the last piece of an incomplete message the receiver asks for what is "
         "missing, without two cycles per flit that are added; doubled after every request. utp: the same, "
         "but it asks nobody, and drops the pieces after recovery.retry_limit of these times, or 16.",
         read_by_protocols("ask_timeout")},
        ask_timeout, {1, 1 << 30});
  v.key({"repeat_timeout", "cycles",
         "sbrp and utp: how long after a recovery request its acknowledgement may take before the request is "
         "repeated, doubled after every repetition, but at most to a quarter of recovery.guard_timeout if "
         "there is a guard.",
         read_by_protocols("repeat_timeout")},
        repeat_timeout, {1, 1 << 30});
  v.key({"backoff_limit", "",
         "sbrp, utp, fcr and apcs: how many times a timeout is doubled at most, and with apcs "
         "recovery.backoff.kill; with fcr twice as many times.",
         read_by_protocols("backoff_limit")},
        backoff_limit, {0, 20});
  v.key(
      {"guard_timeout", "cycles",
       "sbrp, utp, fcr and apcs: the guard's timer sends a message again this long after its last flit left, "
       "without four cycles per flit that are added. A recovery request or a resend restarts it; doubled "
       "after every attempt.",
       read_by_protocols("guard_timeout")},
      guard_timeout, {1, 1 << 30});
  v.key({"guard_acknowledgement", "",
         "sbrp, utp and fcr: how the guard learns that a message has arrived. apcs: its own acknowledgements "
         "say so, unless off.",
         read_by_protocols("guard_acknowledgement")},
        guard_acknowledgement,
        {{"assumed", "the replies of the processing elements say so; no message is charged for it"},
         {"real", "by an acknowledgement of 4 flits per message"},
         {"off", "there is no guard: what the protocol loses is lost"}});
  v.key({"scouting", "hops",
         "apcs: how many routers a head is ahead of its first data flit. At a fault it can go back that far "
         "without the message being sent again. 0: data follows at once.",
         read_by_protocols("scouting")},
        scouting, {0, 64});
  v.end_section();
}

}  // namespace flitmend
