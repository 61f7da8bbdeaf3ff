// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/foreign/pin_router.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/text.h"

namespace flitmend {

PinBoundary::PinBoundary(sc_core::sc_module_name name, RouterBoundary& boundary, const FlitCodec& codec,
                         PinProtocol protocol)
    : sc_module(name),
      boundary_(boundary),
      codec_(codec),
      protocol_(protocol),
      found_(codec.words()),
      expected_(codec.words()),
      driven_valid_(boundary.ports()),
      driven_output_side_(boundary.ports()),
      waiting_(boundary.ports() * boundary.vcs()),
      offered_(boundary.ports()) {
  if (protocol == PinProtocol::ready_valid) boundary.set_flits_beyond_buffer(RouterBoundary::kAnyFlits);
}

void PinBoundary::clear(Cycle) {
  for (auto& flits : waiting_) flits.clear();
  drive_reset(in_reset_ = true);
  for (unsigned port = 0; port < port_count(); ++port) {
    drive_valid(port, driven_valid_[port] = false);
    drive_output_side(port, driven_output_side_[port] = 0);
  }
}

void PinBoundary::evaluate(Cycle t) {
  for (unsigned port = 0; port < port_count(); ++port) {
    if (const Flit* flit = boundary_.arrived(port); flit && protocol_ == PinProtocol::ready_valid)
      waiting_[port * boundary_.vcs() + flit->vc].push_back(*flit);
  }
  if (in_reset_) return;  // its outputs are not those of a router yet
  // Flits before the credits of their slots, so that a credit too many is noticed at once.
  for (unsigned port = 0; port < port_count(); ++port)
    if (output_valid(port)) take_output(t, port);
  for (unsigned port = 0; port < port_count(); ++port) {
    const VcMask side = input_side(port);
    if (protocol_ == PinProtocol::credits) {
      for (VcMask rest = side; rest; rest &= rest - 1)
        boundary_.return_credit(t, port, static_cast<unsigned>(std::countr_zero(rest)));
    } else if (driven_valid_[port] && (side >> offered_[port] & 1)) {
      waiting_[port * boundary_.vcs() + offered_[port]].pop_front();
      boundary_.return_credit(t, port, offered_[port]);
    }
  }
}

void PinBoundary::take_output(Cycle t, unsigned port) {
  output_flit(port, found_);
  const auto vc = static_cast<unsigned>(codec_.value(FlitField::vc, found_));
  if (protocol_ == PinProtocol::ready_valid && !(driven_output_side_[port] >> vc & 1)) return;
  const auto source = static_cast<NodeId>(codec_.value(FlitField::source, found_));
  const auto message_id = static_cast<std::uint32_t>(codec_.value(FlitField::message_id, found_));
  const auto number = static_cast<std::uint32_t>(codec_.value(FlitField::number, found_));
  const Flit* const inside =
      codec_.width(FlitField::packet) > 0
          ? boundary_.inside(static_cast<MessageIndex>(codec_.value(FlitField::packet, found_)), number)
          : boundary_.inside(source, message_id, number);
  if (!inside) {
    boundary_.report(
        t, ViolationKind::invented, true, port, vc,
        formatted("flit %1% of message %2% of node %3% leaves, but is not inside: it has not entered, or has "
                  "left before, or its head field source, message_id, number or packet has been altered",
                  number, message_id, source));
    return;
  }
  Flit flit = *inside;
  codec_.encode(flit, boundary_.message(flit), expected_);
  if (const auto field = codec_.difference(found_, expected_)) {
    boundary_.report(
        t, ViolationKind::altered, true, port, vc,
        boundary_.describe(flit) + " leaves with " + codec_.describe_difference(*field, found_, expected_));
    return;
  }
  flit.vc = static_cast<std::uint8_t>(vc);
  boundary_.send(t, port, flit);
  if (!is_head(flit.kind) || codec_.width(FlitField::routing_state) == 0) return;
  const Message& m = boundary_.message(flit);
  if (codec_.value(FlitField::routing_state, found_) != m.head_state)
    boundary_.report(t, ViolationKind::altered, true, port, vc,
                     formatted("%1% leaves with routing_state %2% instead of %3%", boundary_.describe(flit),
                               codec_.value(FlitField::routing_state, found_), m.head_state));
}

/// The next virtual channel that holds a flit, after the one that was offered last.
void PinBoundary::offer(unsigned port) {
  const unsigned vcs = boundary_.vcs();
  driven_valid_[port] = false;
  for (unsigned i = 1; i <= vcs && !driven_valid_[port]; ++i) {
    const unsigned vc = (offered_[port] + i) % vcs;
    const auto& flits = waiting_[port * vcs + vc];
    if (flits.empty()) continue;
    codec_.encode(flits.front(), boundary_.message(flits.front()), expected_);
    drive_flit(port, expected_);
    driven_valid_[port] = true;
    offered_[port] = vc;
  }
  drive_valid(port, driven_valid_[port]);
}

void PinBoundary::cycle_done(Cycle t) {
  drive_reset(in_reset_ = false);
  for (unsigned port = 0; port < port_count(); ++port) {
    if (protocol_ == PinProtocol::ready_valid) {
      offer(port);
      VcMask ready = 0;
      if (boundary_.has_output(port) && boundary_.link_free(t + 1, port))
        for (unsigned vc = 0; vc < boundary_.vcs(); ++vc) ready |= VcMask{boundary_.room(port, vc) > 0} << vc;
      drive_output_side(port, driven_output_side_[port] = ready);
      continue;
    }
    const Flit* const flit = boundary_.arriving(t, port);
    if (flit) {
      codec_.encode(*flit, boundary_.message(*flit), expected_);
      drive_flit(port, expected_);
    }
    if (driven_valid_[port] != (flit != nullptr)) drive_valid(port, driven_valid_[port] = flit != nullptr);
    const VcMask credits = boundary_.credits_arriving(t, port);
    if (driven_output_side_[port] != credits) drive_output_side(port, driven_output_side_[port] = credits);
  }
}

}  // namespace flitmend
