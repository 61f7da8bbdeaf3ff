// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "rtl_tlm/sockets/transaction_parameters.h"

namespace flitmend {

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
