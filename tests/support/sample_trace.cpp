// SPDX-License-Identifier: Apache-2.0
#include "support/sample_trace.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random_stream.h"
#include "traces/netrace/writer.h"

namespace flitmend::test {
namespace {

constexpr unsigned kNodes = 16;
constexpr unsigned kAccessesPerNode = 8;
constexpr std::uint64_t kHopCycles = 12;     // latency of a message in the traced machine
constexpr std::uint64_t kMemoryCycles = 40;  // a lookup at the home node
constexpr std::uint8_t kReadRequest = 1, kReadResponse = 2, kWriteback = 6, kExclusiveRequest = 15,
                       kExclusiveResponse = 16, kInvalidate = 27, kInvalidated = 28;

/// Packets in the order in which they are created, linked by their index.
class Machine {
 public:
  std::size_t send(std::uint64_t cycle, unsigned from, unsigned to, std::uint8_t type,
                   std::uint32_t address) {
    packets_.push_back({.cycle = cycle,
                        .address = address,
                        .type = type,
                        .source = static_cast<std::uint8_t>(from),
                        .destination = static_cast<std::uint8_t>(to),
                        .node_types = 0x02});
    return packets_.size() - 1;
  }
  /// The later packet waits for the earlier one.
  void link(std::size_t earlier, std::size_t later) {
    packets_[earlier].dependants.push_back(static_cast<std::uint32_t>(later));
  }
  std::uint64_t arrival(std::size_t i) const { return packets_[i].cycle + kHopCycles; }

  void write(NetraceWriter& writer) {
    std::vector<std::uint32_t> order(packets_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return packets_[a].cycle < packets_[b].cycle; });
    std::vector<std::uint32_t> id(packets_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) id[order[i]] = i;
    for (std::uint32_t place : order) {
      NetracePacket p = packets_[place];
      p.id = id[place];
      for (std::uint32_t& dependant : p.dependants) dependant = id[dependant];
      writer.write(p);
    }
  }
  std::uint64_t last_cycle() const {
    std::uint64_t last = 0;
    for (const NetracePacket& p : packets_) last = std::max(last, p.cycle);
    return last;
  }

 private:
  std::vector<NetracePacket> packets_;
};

/// One access: request to the home node and its response. Every third access is a write, for which the home
/// node first invalidates the copies of two sharers. Returns the response.
std::size_t access(Machine& machine, RandomStream& random, std::uint64_t cycle, unsigned node, bool write,
                   std::size_t& request) {
  const std::uint32_t address = random.below(1 << 20) << 6;
  const unsigned home = address >> 6 & (kNodes - 1);
  request = machine.send(cycle, node, home, write ? kExclusiveRequest : kReadRequest, address);
  std::vector<std::size_t> needed = {request};
  std::uint64_t answer_cycle = machine.arrival(request) + kMemoryCycles;
  for (unsigned i = 0; write && i < 2; ++i) {
    const unsigned sharer = (node + 1 + random.below(kNodes - 1)) % kNodes;
    const std::size_t call = machine.send(machine.arrival(request) + 4, home, sharer, kInvalidate, address);
    const std::size_t answer = machine.send(machine.arrival(call) + 2, sharer, home, kInvalidated, address);
    machine.link(request, call);
    machine.link(call, answer);
    needed.push_back(answer);
    answer_cycle = std::max(answer_cycle, machine.arrival(answer) + 1);
  }
  const std::size_t response =
      machine.send(answer_cycle, home, node, write ? kExclusiveResponse : kReadResponse, address);
  for (std::size_t earlier : needed) machine.link(earlier, response);
  return response;
}

}  // namespace

void write_sample_trace(const std::string& path) {
  Machine machine;
  for (unsigned node = 0; node < kNodes; ++node) {
    RandomStream random(1, RandomPurpose::test, node);
    std::uint64_t cycle = 1 + random.below(40);
    std::size_t last = 0;
    for (unsigned i = 0; i < kAccessesPerNode; ++i) {
      std::size_t request = 0;
      const std::size_t response = access(machine, random, cycle, node, (node + i) % 3 == 0, request);
      if (i > 0) machine.link(last, request);
      if (i % 4 == 3) {  // the line that the response replaces goes to its home node
        const std::uint32_t victim = random.below(1 << 20) << 6;
        machine.link(response, machine.send(machine.arrival(response) + 1, node, victim >> 6 & (kNodes - 1),
                                            kWriteback, victim));
      }
      last = response;
      cycle = machine.arrival(response) + 5 + random.below(60);
    }
  }
  NetraceWriter writer(path, kNodes, "shared-memory-16",
                       "16 cores, 8 accesses each, made by a test of Flitmend");
  machine.write(writer);
  writer.end_region(machine.last_cycle());
  writer.close();
}

}  // namespace flitmend::test
