// SPDX-License-Identifier: Apache-2.0
// What becomes of an original, the message of a processing element that only packets carry.
#pragma once
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

/// At the receiver: all its data have arrived, the last of them in this packet. The sender gets a notice.
void deliver_original(NetworkInterface&, Cycle t, MessageIndex packet);

/// At the receiver: a packet has arrived, and its descriptor is released. If it was the last one of a message
/// with which the sender is done, the fabric tells the sender at the end of the cycle.
void release_arrived(NetworkContext&, MessageIndex packet);

/// At the sender: settles an original, or releases it if it was delivered, when the sender is done with it
/// and no packet of it is left.
void settle_if_done(NetworkInterface&, Cycle t, MessageIndex original);

/// At the sender: the guard's timer has ended. Counts whether the message was lost.
void count_guard_timeout(NetworkContext&, MessageIndex original);

}  // namespace flitmend
