// SPDX-License-Identifier: Apache-2.0
// The register map of a channel.
#pragma once
#include "rtl_tlm/registers/register_entry.h"
#include "rtl_tlm/registers/router_layout.h"
#include "rtl_tlm/signals/channel.h"

namespace flitmend {

/// A channel, seen from a router at one of its ends.
class ChannelEnd {
 public:
  ChannelEnd(const Channel* channel, const RouterLayout& layout) : channel_(channel), layout_(&layout) {}

  const RouterLayout& layout() const { return *layout_; }
  bool has(ControlLine line) const { return channel_ && channel_->has(line); }
  /// The flit that the reader takes in the next cycle, null for none.
  const Flit* flit() const { return channel_->arriving(layout_->context.next_cycle); }
  /// Its virtual channel; none if it is on none.
  RegisterValue vc() const {
    const Flit* const arriving = flit();
    if (!arriving || channel_->arrives_beside_vcs(layout_->context.next_cycle)) return {};
    return arriving->vc;
  }
  MessageIndex message() const {
    const Flit* const arriving = flit();
    return arriving ? arriving->message : kNoMessage;
  }
  /// Virtual channels for which a line arrives high in the next cycle.
  VcMask line(ControlLine line) const { return channel_->arriving(line, layout_->context.next_cycle); }

 private:
  const Channel* channel_;
  const RouterLayout* layout_;
};

/// Flit register of a channel: router_3_4.east.output_flit where it leaves, input_flit where it arrives.
inline constexpr RegisterEntry<ChannelEnd> kFlitRegisters[] = {
    {.name = "kind",
     .form = RegisterForm::flit_kind,
     .storage = Storage::object,
     .read =
         [](const ChannelEnd& c) {
           const Flit* const flit = c.flit();
           return RegisterValue(static_cast<Word>(flit ? flit->kind : FlitKind::none));
         },
     .purpose = "Kind of the flit that the reader takes in the next cycle."},
    {.name = "vc",
     .form = RegisterForm::vc,
     .storage = Storage::object,
     .read = [](const ChannelEnd& c) { return c.vc(); },
     .purpose = "Its virtual channel."},
    {.name = "word",
     .form = RegisterForm::word,
     .storage = Storage::object,
     .read =
         [](const ChannelEnd& c) {
           const Flit* const flit = c.flit();
           if (!flit) return RegisterValue();
           return RegisterValue(is_head(flit->kind) ? c.layout().messages[flit->message].head_state
                                                    : std::uint64_t{flit->number});
         },
     .purpose = "Routing state of a head, number of any other flit."},
    {.name = "source",
     .form = RegisterForm::node,
     .read =
         [](const ChannelEnd& c) {
           return message_field<&Message::source>(c.layout().messages, c.message());
         },
     .purpose = "Source of its message."},
    {.name = "destination",
     .form = RegisterForm::node,
     .read =
         [](const ChannelEnd& c) {
           return message_field<&Message::destination>(c.layout().messages, c.message());
         },
     .purpose = "Destination of its message."},
    {.name = "id",
     .form = RegisterForm::message_id,
     .read =
         [](const ChannelEnd& c) { return message_field<&Message::id>(c.layout().messages, c.message()); },
     .purpose = "Id of its message, counted per source."},
};

/// A control line that is a mask of virtual channels or, if it is of the whole channel, a bit.
template <ControlLine kLine>
constexpr RegisterEntry<ChannelEnd> control_line(std::string_view name, std::string_view purpose) {
  return {.name = name,
          .form = of_channel(kLine) ? RegisterForm::bit : RegisterForm::mask,
          .storage = Storage::object,
          .read = [](const ChannelEnd& c) { return RegisterValue(c.line(kLine)); },
          .purpose = purpose,
          .present = {"a recovery protocol with this line", [](const ChannelEnd& c) { return c.has(kLine); },
                      true}};
}

namespace hardware {

/// Control lines with the flits, about a message or a flit.
inline constexpr auto kMessageLines = std::to_array<RegisterEntry<ChannelEnd>>({
    control_line<ControlLine::forward_kill>("forward_kill", "FKILL: the message on it is torn down."),
    control_line<ControlLine::pad>("pad", "PAD: the flit is padding."),
});

/// The requests of switches, with the flits.
inline constexpr auto kRequestLines = std::to_array<RegisterEntry<ChannelEnd>>({
    {.name = "request",
     .storage = Storage::object,
     .greatest = [](const ChannelEnd&) -> std::uint64_t { return low_bits(kRequestWires); },
     .read = [](const ChannelEnd& c) { return RegisterValue(c.line(ControlLine::request)); },
     .purpose = "Word of a recovery request of a switch; the highest bit says that one arrives.",
     .present = {"sbrp-0 or sbrp-1, from a switch to a node",
                 [](const ChannelEnd& c) { return c.has(ControlLine::request); }, true}},
});

}  // namespace hardware

/// Control lines against the direction of the flits, where they arrive: router_3_4.east.output.
inline constexpr RegisterEntry<ChannelEnd> kBackwardLines[] = {
    control_line<ControlLine::backward_kill>("backward_kill", "BKILL: the message is torn down beyond it."),
    control_line<ControlLine::no_route>("no_route", "With BKILL: the head of the message found no route."),
    control_line<ControlLine::copied>("copied", "COPIED: the node after the next one has the flit."),
    control_line<ControlLine::tail_received>("tail_received", "The next node has received a tail."),
    control_line<ControlLine::tail_gone>(
        "tail_gone", "TAILGONE: the node after the next one has received the tail, or it was discarded."),
    control_line<ControlLine::resynchronise>("resynchronise",
                                             "RESYNC: the next node's virtual channel is idle again."),
    control_line<ControlLine::acknowledgement>("acknowledgement", "Acknowledgement of a circuit."),
    control_line<ControlLine::backtrack>("backtrack", "The head of a circuit comes back."),
    control_line<ControlLine::advance>("advance", "The head of a circuit has left the next router."),
    control_line<ControlLine::reached>("reached", "The head of a circuit has reached its destination."),
};

}  // namespace flitmend
