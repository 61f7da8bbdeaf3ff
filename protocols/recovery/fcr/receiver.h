// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/recovery/fcr/parameters.h"
#include "protocols/recovery/finished_ids.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::fcr {

/// Flits of the guard's acknowledgement.
inline constexpr std::uint32_t kControlLength = 4;

/// The receiving end at a node: commits a message when PAD reports that all its data have arrived, and drops
/// duplicates. A message that FKILL tears down before PAD leaves no trace here.
class ReceivingEnd {
 public:
  ReceivingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  void head_consumed(MessageIndex packet) { arriving_.push_back(packet); }
  /// All data of a packet have been consumed.
  void data_consumed(Cycle t, MessageIndex packet);
  void tail_consumed(MessageIndex packet) { forget(packet); }
  /// FKILL: no more of a packet will come.
  void rest_killed(MessageIndex packet);
  /// The router has died: no more will come of any packet.
  void router_failed();
  void clear();

 private:
  /// False if it was not arriving.
  bool forget(MessageIndex packet);
  /// The guard's acknowledgement.
  void acknowledge(Cycle t, NodeId source, std::uint32_t id);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  std::vector<FinishedIds> finished_;   ///< by source; empty until something arrives
  std::vector<MessageIndex> arriving_;  ///< packets whose head has arrived and whose tail has not
};

}  // namespace flitmend::fcr
