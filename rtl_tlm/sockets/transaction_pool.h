// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "rtl_tlm/sockets/transaction.h"

namespace flitmend {

/// Reusable records of transactions: no allocation in steady state.
class TransactionPool {
 public:
  /// A record without a payload, and without bytes.
  NetworkTransaction* acquire();
  void release(NetworkTransaction* t) { free_.push_back(t); }
  std::size_t in_use() const { return all_.size() - free_.size(); }
  /// Those records. For the end of a run.
  std::vector<const NetworkTransaction*> in_use_now() const;

 private:
  std::vector<std::unique_ptr<NetworkTransaction>> all_;
  std::vector<NetworkTransaction*> free_;
};

}  // namespace flitmend
