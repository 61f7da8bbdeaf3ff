// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/generators.h"

#include <algorithm>

namespace flitmend {

Generators::Generators(const WorkloadUse& use, const SourceOf& source_of, Cycle stop)
    : fabric_(use.network.fabric()), schedule_("generator_schedule", fabric_) {
  for (NodeId node = 0; node < fabric_.node_count(); ++node) {
    generators_.push_back(std::make_unique<TrafficGenerator>(
        (fabric_.topology().router_name(node) + "_generator").c_str(), fabric_, schedule_, use.payloads,
        source_of(node), node, static_cast<std::uint64_t>(use.configuration.network.node_address_bytes),
        stop));
    generators_.back()->socket.bind(fabric_.sockets(node).target_socket);
  }
}

bool Generators::done() const {
  return std::ranges::all_of(generators_, [](const auto& generator) { return generator->finished(); });
}

bool Generators::all_answered() const {
  return std::ranges::all_of(
      generators_, [](const auto& generator) { return generator->answered() == generator->sent(); });
}

void Generators::pause_when_done() {
  schedule_.on_answer([this] {
    if (done()) fabric_.pause_at(0);
  });
}

std::uint64_t Generators::failed() const {
  std::uint64_t failed = 0;
  for (const auto& generator : generators_) failed += generator->failed();
  return failed;
}

void Generators::set_classes(const std::vector<std::uint8_t>& by_flow) {
  for (const auto& generator : generators_) generator->set_classes(by_flow);
}

void Generators::tell_held_back(MessageObserver& observer) {
  for (const auto& generator : generators_) generator->tell_held_back(fabric_.cycles(), observer);
}

}  // namespace flitmend
