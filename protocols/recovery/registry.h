// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "protocols/recovery/settings.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "rtl_tlm/parameters.h"

namespace flitmend {

/// What a recovery protocol does, as far as the tables of [SBRP] compare it.
struct RecoveryTraits {
  Stated<bool> overhead_on_every_message;  ///< further flits or control messages without faults
  Stated<bool> multiple_faults;            ///< recovers whatever number of faults hit a message
  Stated<bool> head_loss;                  ///< recovers a message whose head is lost, without the guard
  Stated<bool> resends_whole;              ///< the whole message
  Stated<bool> resends_part;               ///< only what may be lost

  /// Whether it sends messages again at all.
  bool resends() const { return resends_whole || resends_part; }

  friend bool operator==(const RecoveryTraits&, const RecoveryTraits&) = default;
};

/// A recovery protocol that a configuration can name: defined in its own folder or file, listed in
/// protocols/recovery/protocols.def.
struct RecoveryEntry {
  std::string_view name;
  std::string_view description;
  RecoveryNeeds needs;
  RecoveryTraits traits;
  std::vector<std::string_view> keys;          ///< of RecoverySettings that it reads: "timeout"
  std::vector<const OptionKey*> options = {};  ///< of section recovery that it reads
  bool wormhole_only = false;                  ///< it works with wormhole switching only
  bool atomic_reallocation = false;            ///< it needs router.vc_reallocation: atomic
  bool unequal_links = false;                  ///< links may have latencies and widths of their own
  std::uint32_t control_length = 0;            ///< flits of its longest control message; 0: it has none
  std::uint32_t bytes_per_source = 0;  ///< of the simulator's memory: at every node, per node it may talk to
  /// Throws KeyError if the protocol cannot work on a topology; null: it always can.
  void (*check)(const Topology&) = nullptr;
  /// Whether no head waits for a channel: it goes back, or its path is released; null: heads wait.
  bool (*heads_go_back)(const RecoverySettings&) = nullptr;
  /// The longest message between surviving nodes that may be lost when a fault has hit it; 0: none may.
  std::uint32_t (*may_lose)(const RecoverySettings&, const HardwareParameters&) = nullptr;
  std::unique_ptr<RecoveryProtocol> (*make)(const RecoverySettings&, const RoutingSettings&) = nullptr;
};

const Registry<RecoveryEntry>& recovery_protocols();

/// Whether a packet that fits in one virtual channel can be kept in several after its head has left the
/// first: its tail, or the next head, waits for a shadow register (TailSignals), copies of its flits stay
/// behind (Copies), or it holds a circuit (Circuits). Proofs that assume whole packets in one virtual channel
/// then do not apply.
bool spreads_packets(const RecoveryNeeds&);

/// Flits by which a packet of a protocol with these settings can be longer than the message that it carries.
std::uint32_t extra_flits(const RecoveryEntry&, const RecoverySettings&, const RoutingSettings&,
                          const HardwareParameters&, const Topology&);

}  // namespace flitmend
