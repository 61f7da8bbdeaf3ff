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

/// A control line where it arrives. `greatest`: of a line that is a number, else null.
template <ControlLine kLine>
constexpr RegisterEntry<ChannelEnd> control_line(std::uint64_t (*greatest)(const ChannelEnd&)) {
  constexpr ControlLineTraits kTraits = traits_of(kLine);
  return {.name = kTraits.name,
          .form = kTraits.wires == LineWires::number        ? RegisterForm::number
                  : kTraits.wires == LineWires::per_channel ? RegisterForm::bit
                                                            : RegisterForm::mask,
          .storage = Storage::object,
          .greatest = kTraits.wires == LineWires::number ? greatest : nullptr,
          .read = [](const ChannelEnd& c) { return RegisterValue(c.line(kLine)); },
          .purpose = kTraits.purpose,
          .present = {"a protocol or an algorithm that needs this line",
                      [](const ChannelEnd& c) { return c.has(kLine); }, true}};
}

}  // namespace flitmend
