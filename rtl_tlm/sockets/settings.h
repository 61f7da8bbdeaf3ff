// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "rtl_tlm/sockets/address_map.h"

namespace flitmend {

/// Which transactions of one initiator never overtake each other.
enum class Ordering : std::uint8_t {
  per_target,     ///< those to the same target
  per_initiator,  ///< the same, and all of them in their answers
  per_address,    ///< those to the same target whose bytes overlap, unless both are reads
  none
};
/// Whether the requests of a node to one target are numbered, and reach the target in that order.
constexpr bool numbers_requests(Ordering ordering) {
  return ordering == Ordering::per_target || ordering == Ordering::per_initiator;
}

/// What network interfaces do with the transactions of processing elements. The same for all of a fabric.
struct TransactionParameters {
  std::uint64_t node_address_bytes = 4096;  ///< address range of each node
  Ordering ordering = Ordering::per_target;
  /// With numbers_requests(): transactions of a node to one target that may be under way at the same time.
  /// The target's interface has a reorder buffer for as many, for every node.
  unsigned reorder_depth = 8;
  /// Transactions of a node that may be unanswered; END_REQ, or b_transport, waits for this. 0: any number.
  unsigned initiator_queue = 8;
  /// A write is answered when it has been delivered, without a reply, and an element's error is not seen.
  bool posted_writes = false;
  /// Requests at a target's interface that have not been answered; 0: any number. While all places are
  /// taken, requests wait in the network.
  unsigned target_queue = 0;
  /// Empty: every node has a range of node_address_bytes, in order.
  std::vector<AddressRange> address_map{};
  bool dmi = false;  ///< direct memory interfaces are passed on; they bypass the network

  /// For traffic of messages that are delivered and not answered.
  static TransactionParameters one_way(std::uint64_t node_address_bytes) {
    TransactionParameters p;
    p.node_address_bytes = node_address_bytes;
    p.ordering = Ordering::none;
    p.initiator_queue = 0;
    p.posted_writes = true;
    return p;
  }
};

/// tlm: …
struct TlmSettings {
  std::string ordering = "per-target";
  std::int64_t reorder_depth = 8;
  std::int64_t initiator_queue = 8;
  bool posted_writes = false;
  std::int64_t target_queue = 4;
  std::string classes = "separate";
  std::int64_t accept_limit = 100000;
  std::int64_t response_limit = 1000000;
  bool dmi = false;
  std::vector<AddressMapEntry> address_map = {};

  /// Requests and replies have virtual channels of their own.
  bool separate() const { return classes == "separate"; }
  /// `map`: what address_map names, with the nodes of a network.
  TransactionParameters parameters(std::uint64_t node_address_bytes, std::vector<AddressRange> map) const;
  void visit(SettingsVisitor&);
};

}  // namespace flitmend
