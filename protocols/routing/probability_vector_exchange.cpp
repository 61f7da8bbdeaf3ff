// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vector_exchange.h"

#include <utility>

#include "protocols/routing/probability_vector_unit.h"

namespace flitmend {
namespace {

RecoveryNeeds with_vector_lines(RecoveryNeeds needs) {
  needs.control_lines = static_cast<ControlLineSet>(
      needs.control_lines | line_bit(ControlLine::vector_round) | line_bit(ControlLine::vector_bits));
  return needs;
}

}  // namespace

ProbabilityVectorExchange::ProbabilityVectorExchange(const Topology& topology, unsigned wires,
                                                     std::unique_ptr<RecoveryProtocol> recovery)
    : RecoveryProtocol(with_vector_lines(recovery->needs())),
      rule_(topology.radices().front(), static_cast<unsigned>(topology.dimensions()), PvArithmetic::plain),
      wires_(wires),
      recovery_(std::move(recovery)) {}

void ProbabilityVectorExchange::equip(HardwareParameters& hardware, const Topology& topology) const {
  hardware = recovery_->equipped(hardware, topology);
  hardware.vector_elements = rule_.elements();
  hardware.vector_wires = wires_;
}

std::unique_ptr<RouterRecovery> ProbabilityVectorExchange::make_unit(Router& router) const {
  return std::make_unique<ProbabilityVectorUnit>(rule_, recovery_->make_unit(router), router);
}

std::unique_ptr<InterfaceRecovery> ProbabilityVectorExchange::make_ends(NetworkInterface& interface) const {
  return recovery_->make_ends(interface);
}

}  // namespace flitmend
