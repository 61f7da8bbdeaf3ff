// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bitset>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "traces/netrace/format.h"

namespace flitmend {

/// Which of the 2^32 ids have been seen. Exact. Memory grows with the gaps between ids, not with their
/// number: a page of 4,096 ids is dropped when all of them have arrived.
class IdSet {
 public:
  /// Adds an id; false if it was already there.
  bool add(std::uint32_t id);
  bool contains(std::uint32_t id) const;
  /// Pages currently held.
  std::size_t pages() const { return partial_.size(); }

 private:
  static constexpr unsigned kPageBits = 12;
  static constexpr std::size_t kPageIds = 1u << kPageBits;
  struct Page {
    std::bitset<kPageIds> ids;
    std::size_t count = 0;
  };
  std::vector<bool> full_ = std::vector<bool>(std::size_t{1} << (32 - kPageBits));
  std::pmr::unsynchronized_pool_resource memory_;  // memory of dropped pages is reused
  std::pmr::unordered_map<std::uint32_t, Page> partial_{&memory_};
};

/// The rules for the sequence of packets in a trace, for reading and writing: nodes inside the network, known
/// types, cycles in order, unique ids, dependants that come later.
class NetracePacketOrder {
 public:
  explicit NetracePacketOrder(unsigned nodes) : nodes_(nodes) {}

  /// Takes the next packet; returns what is wrong with it, or nothing.
  std::string add(const NetracePacket&);
  /// What is wrong if no packet follows: ids that packets list and that never came.
  std::string end() const;
  std::uint64_t packets() const { return packets_; }

 private:
  unsigned nodes_;
  std::uint64_t packets_ = 0;
  std::uint64_t cycle_ = 0;
  IdSet seen_;
  std::pmr::unsynchronized_pool_resource memory_;  // memory of ids that have arrived is reused
  std::pmr::unordered_set<std::uint32_t> announced_{&memory_};
};

}  // namespace flitmend
