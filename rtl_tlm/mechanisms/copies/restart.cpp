// SPDX-License-Identifier: Apache-2.0
// How a router restarts the rest of a message from its copies. The first part keeps its descriptor. The rest
// gets a new one: the flits that are here at once, the others as they arrive.
#include <limits>

#include "rtl_tlm/mechanisms/copies/copies.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {
namespace {

/// A descriptor for the rest of a packet, from that flit on.
MessageIndex rest_of(MessagePool& messages, MessageIndex packet, const HeadCopy& head, std::uint32_t flit,
                     Cycle t) {
  const MessageIndex index = messages.allocate();
  const Message& cut = messages[packet];
  Message& rest = messages[index];
  rest.created = cut.created;
  rest.injected = t;
  rest.source = cut.source;
  rest.destination = cut.destination;
  rest.length = cut.length - flit + (flit > 0);
  rest.id = cut.id;
  rest.original = cut.original;
  rest.hops = head.hops;
  // The SSNF stays at its greatest value: after 0 again, requests would seem to be answered already.
  constexpr std::uint16_t kLastNumber = std::numeric_limits<std::uint16_t>::max();
  rest.sub_message =
      cut.sub_message == kLastNumber ? kLastNumber : static_cast<std::uint16_t>(cut.sub_message + 1);
  rest.kind = cut.kind;
  rest.message_class = cut.message_class;
  rest.head_state = head.word;
  ProtocolFields& fields = messages.begin_fields(index);
  const ProtocolFields& of_cut = messages.fields(packet);
  fields.sequence = of_cut.sequence;
  fields.first = of_cut.first + (flit > 0 ? flit - 1 : 0);
  fields.oldest = of_cut.oldest;
  fields.request = of_cut.request;
  fields.control = of_cut.control;
  fields.flags = of_cut.flags;
  fields.part_of = packet;
  ++messages.fields(packet).packets;
  if (rest.original != kNoMessage) ++messages.fields(rest.original).packets;
  return index;
}

}  // namespace

void Copies::restart(RouterState& state, Cycle t, unsigned id) {
  NetworkContext& context = state.layout().context;
  const unsigned slots = static_cast<unsigned>(state.layout().input_slots);
  const Word bit = RouterState::bit_of(id);
  InputVcState& vc = state.input(id);
  CopyCounts& copies = counts_of(state, id);
  CopyMasks& masks = masks_of(state, id / kWordBits);
  const MessageIndex cut = state.head_copy(id).message;
  const std::uint32_t length = context.messages[cut].length;
  const unsigned back = copies.kept;
  const std::uint32_t first_flit = vc.flits_sent - back;
  const MessageIndex rest = rest_of(context.messages, cut, state.head_copy(id), first_flit, t);

  vc.first = static_cast<std::uint16_t>((vc.first + slots - back) % slots);
  vc.count = static_cast<std::uint16_t>(vc.count + back);
  context.flits_injected += back;
  copies.resent = static_cast<std::uint16_t>(copies.resent + copies.told);
  copies.kept = copies.told = 0;

  std::uint16_t number = first_flit > 0 ? 1 : 0;
  unsigned here = 0;
  bool ends_here = false;
  while (here < vc.count && !ends_here) {
    Flit& flit = state.input_buffer_at(id, (vc.first + here) % slots);
    if (flit.message != cut) break;  // the next message
    flit.message = rest;
    flit.number = number++;
    if (flit.kind == FlitKind::head) flit.kind = FlitKind::restart_head;
    ++here;
    ends_here = is_tail(flit.kind);
    if (ends_piece(flit.kind)) context.broken.discard(rest, context.messages[rest].length - number);
  }
  context.broken.discard(cut, here - back);
  Rename& rename = rename_of(state, id);
  const bool tail_due = state.extras(state.port_of(id)).tail_due >> state.vc_of(id) & 1;
  if (!ends_here && tail_due) {
    // Nothing more arrives. The broken tail that waits for room will end the rest.
    context.broken.discard(cut);
    context.broken.put_back(rest);
    context.broken.discard(rest, context.messages[rest].length - number);
  } else if (!ends_here) {
    if (masks.renaming & bit)
      context.broken.discard(cut, length - first_flit - here);  // arriving flits have another name
    else
      rename.from = cut;
    rename.to = rest;
    masks.renaming |= bit;
    state.header().alters_arrivals |= state.port_of(id) == state.layout().local_port;
  }

  if (first_flit > 0) {
    vc.first = static_cast<std::uint16_t>((vc.first + slots - 1) % slots);
    ++vc.count;
    state.input_buffer_at(id, vc.first) = {rest, 0, FlitKind::restart_head,
                                           static_cast<std::uint8_t>(state.vc_of(id))};
    ++context.flits_injected;
    ++copies.resent;
    masks.own_head |= bit;
  }
  ++context.recovery_counters.retransmissions;
  context.recovery_counters.retransmitted_flits += back + (first_flit > 0);
  vc.flits_sent = 0;
  masks.closing &= ~bit;
  if (vc.output != kNoVc) OutputController::release(state, vc.output);
  InputController::drop_route(state, id);
  state.masks_of(id).occupied |= bit;
  state.masks_of(id).pending |= bit;
  state.head_copy(id).message = rest;
  state.route(id).stage = PipelineStage::none;
  state.route(id).ready = t + kBackupCycles;
  state.route(id).candidates = 0;
}

// Observers learn of the restart now, and not with the fault: first they learn that the message was hit.
void Copies::end_backup(RouterState& state, Cycle t, unsigned id) {
  const NetworkContext& context = state.layout().context;
  const MessageIndex original = context.messages[state.head_copy(id).message].original;
  if (original != kNoMessage)
    for (PacketObserver* observer : context.packet_observers)
      observer->message_resent(original, context.messages[original], t);
  InputController::start_route_computation(state, t, id);
}

}  // namespace flitmend
