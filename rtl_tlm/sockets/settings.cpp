// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/settings.h"

namespace flitmend {

void TlmSettings::visit(SettingsVisitor& v) {
  v.begin_section("tlm",
                  "Transactions of a platform (NetworkOnChip, docs/tlm.md). The messages of section traffic "
                  "are not transactions: no reply answers them, and nothing here changes them.");
  v.key({"ordering", "", "Which transactions of one initiator never overtake each other.",
         KeyEffect::of_platforms()},
        ordering,
        {{"per-target", "those to the same target"},
         {"per-initiator",
          "those to the same target, and all of them in their answers, which come in the order of the "
          "requests"},
         {"per-address", "those to the same target whose bytes overlap, unless both are reads"},
         {"none", "none: a read may return the data from before an earlier write"}});
  v.key({"reorder_depth", "transactions",
         "With ordering per-target and per-initiator: transactions of a node to one target that may be "
         "unanswered. The target's interface has a reorder buffer for as many from every node.",
         KeyEffect::of_platforms() && KeyEffect::only_with("tlm.ordering", "per-target per-initiator")},
        reorder_depth, {1, 65535});
  v.key({"initiator_queue", "transactions",
         "Transactions of a node that may be unanswered; further ones have to wait for END_REQ. 0: any "
         "number.",
         KeyEffect::of_platforms()},
        initiator_queue, {0, 65535});
  v.key({"posted_writes", "",
         "Whether a write is answered when it is delivered, without a reply and without the target's status "
         "and delay.",
         KeyEffect::of_platforms()},
        posted_writes);
  v.key({"target_queue", "requests",
         "Places for the requests of each target at its interface, each until its reply has left; 0: any "
         "number. Further requests wait in the network.",
         KeyEffect::of_platforms()},
        target_queue, {0, 65535});
  v.key({"accept_limit", "cycles",
         "Stop the simulation if a target leaves a request unaccepted (END_REQ), or an initiator a response "
         "(END_RESP), for this many cycles. 0: no limit.",
         KeyEffect::of_platforms()},
        accept_limit, {0, std::int64_t{1} << 53});
  v.key(
      {"response_limit", "cycles",
       "Stop the simulation if a target leaves a request unanswered (BEGIN_RESP) for this many cycles. 0: no "
       "limit.",
       KeyEffect::of_platforms()},
      response_limit, {0, std::int64_t{1} << 53});
  v.key({"classes", "", "Virtual channels of requests and replies.", KeyEffect::of_platforms()}, classes,
        {{"separate", "half of them each, so that no reply waits for a request"},
         {"shared", "all of them for both, which can deadlock unless target_queue is 0"}});
  v.key({"dmi", "",
         "Whether targets may give initiators direct access to their memory, which bypasses the network.",
         KeyEffect::of_platforms()},
        dmi);
  v.key({"address_map", "",
         "Which target an address belongs to, range by range, like {name: ram, first: 0x1000, last: 0x1fff, "
         "node: [3, 4]}; empty: every node has one target with network.node_address_bytes, in order. With "
         "nodes: [1, 14], interleave: 256 blocks of 256 bytes belong to targets at several nodes in turn. "
         "{node: 5, default: true} has all other addresses. Ranges of the same name have the same target; "
         "each name has one of its own at its node. The target sees the address relative to first, plus "
         "local; with default: true, the address itself.",
         KeyEffect::of_platforms()},
        address_map);
  v.end_section();
}

TransactionParameters TlmSettings::parameters(std::uint64_t node_address_bytes,
                                              std::vector<AddressRange> map) const {
  TransactionParameters p;
  p.address_map = std::move(map);
  p.node_address_bytes = node_address_bytes;
  p.ordering = ordering == "per-target"      ? Ordering::per_target
               : ordering == "per-initiator" ? Ordering::per_initiator
               : ordering == "per-address"   ? Ordering::per_address
                                             : Ordering::none;
  p.reorder_depth = static_cast<unsigned>(reorder_depth);
  p.initiator_queue = static_cast<unsigned>(initiator_queue);
  p.posted_writes = posted_writes;
  p.target_queue = static_cast<unsigned>(target_queue);
  p.dmi = dmi;
  return p;
}

}  // namespace flitmend
