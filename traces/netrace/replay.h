// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"
#include "traces/message_schedule.h"
#include "traces/messages/node_mapping.h"
#include "traces/netrace/reader.h"

namespace flitmend {

/// When each packet may enter the network: a Netrace file, replayed with its dependencies. The flow of a
/// packet is the place of its type among netrace_types().
///
/// A packet is ready (enters its node's source queue) at its own cycle, or when the last packet that lists it
/// has been delivered, whichever is later. Packets to their own node are treated like others.
///
/// Packets are returned in the order of their ready cycles,
/// and those of one cycle in the order of the trace.
///
/// Memory: the packets that are due and not delivered yet, and the ids that they list. It is
/// reused, so that a long replay stops allocating.
class NetraceReplay final : public MessageSchedule {
 public:
  /// Throws ConfigurationError if the file is not a trace, or has another number of nodes than the network;
  /// flit_bytes ≥ 1. With `region` only that region is replayed: its first cycle becomes cycle 0, and packets
  /// of earlier regions count as delivered. With a mapping the network may have any number of nodes, as long
  /// as it has those of the packets.
  NetraceReplay(const std::string& path, const Topology&, std::uint32_t flit_bytes,
                std::optional<unsigned> region = {}, NodeMapping mapping = {});

  /// Throws ConfigurationError if the trace turns out to be broken (scan_netrace() finds that before a run).
  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override;
  void delivered(Handle, Cycle) override;
  /// Packets that wait for it continue, because its sender is notified.
  void undeliverable(Handle, Cycle) override;
  bool finished() const override;

  const NetraceHeader& header() const { return reader_.header(); }
  std::uint64_t packets() const { return reader_.packets(); }  ///< in the trace (or region)
  std::uint64_t popped() const { return popped_; }
  std::uint64_t delivered_count() const { return delivered_; }
  std::uint64_t undeliverable_count() const { return undeliverable_; }
  std::uint64_t in_flight() const { return popped_ - delivered_ - undeliverable_; }
  /// Packets that are due and wait for a delivery.
  std::uint64_t waiting() const { return waiting_; }
  /// The most packets held at any time.
  std::size_t peak_held() const { return slots_.size(); }

 private:
  enum class State : std::uint8_t { free, waiting, ready, in_flight };
  struct Slot {
    Packet packet;
    std::uint64_t order = 0;
    std::uint32_t dependants = kNoLink;  ///< the first link
    State state = State::free;
  };
  /// An id that a packet lists.
  struct Link {
    std::uint32_t id;
    std::uint32_t next;
  };
  static constexpr std::uint32_t kNoLink = ~std::uint32_t{0};
  /// What a listed packet waits for; kept from its first listing until it is ready.
  struct Wait {
    std::uint32_t outstanding = 0;
    Cycle last_delivery = 0;
    std::optional<Handle> slot;  ///< set once the packet itself has been read
  };
  struct Ready {
    Cycle cycle;
    std::uint64_t order;
    Handle slot;
    bool operator>(const Ready& other) const {
      return cycle != other.cycle ? cycle > other.cycle : order > other.order;
    }
  };

  void read_next();
  void admit_next();
  /// Stores the ids as a linked list; returns its first link.
  std::uint32_t link(const std::vector<std::uint32_t>& ids);
  void make_ready(Handle, Cycle);
  void release(Handle, Cycle, std::uint64_t& counter);
  Cycle next_in_trace() const { return next_.cycle > first_cycle_ ? next_.cycle - first_cycle_ : 0; }

  NetraceReader reader_;
  NodeMapping mapping_;
  std::uint32_t flit_bytes_;
  Cycle first_cycle_;
  NetracePacket next_;
  bool has_next_ = false;
  std::vector<Slot> slots_;
  std::vector<Handle> free_;
  std::vector<Link> links_;
  std::uint32_t free_links_ = kNoLink;  ///< linked list
  std::pmr::unsynchronized_pool_resource wait_memory_;
  std::pmr::unordered_map<std::uint32_t, Wait> waits_{&wait_memory_};
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::uint64_t admitted_ = 0;
  std::uint64_t popped_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t undeliverable_ = 0;
  std::uint64_t waiting_ = 0;
};

}  // namespace flitmend
