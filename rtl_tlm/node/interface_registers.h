// SPDX-License-Identifier: Apache-2.0
// The register map of a network interface.
#pragma once
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/registers/register_map.h"
#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// A network interface, or one virtual channel of its injector, at a router with that layout.
class InterfacePart {
 public:
  InterfacePart(const NetworkInterface* interface, const RouterLayout& layout, unsigned vc = 0)
      : interface_(interface), layout_(&layout), vc_(vc) {}

  const RouterLayout& layout() const { return *layout_; }
  const Injector& injector() const { return interface_->injector; }
  const Receiver& receiver() const { return interface_->receiver; }
  /// The flit that the injector sends, or the receiver consumes, in this cycle; null for none.
  const Flit* sent_flit() const { return injector().sent_flit(); }
  const Flit* consumed_flit() const { return receiver().consumed_flit(); }
  unsigned vc() const { return vc_; }
  /// The message being sent on the virtual channel, kNoMessage if none.
  MessageIndex sending() const { return injector().sending(vc_); }
  /// T_elapse at the end of the last cycle evaluated.
  RegisterValue elapsed() const {
    const Cycle next = layout_->context.next_cycle;
    if (next == 0 || sending() == kNoMessage) return {};
    return injector().elapsed(vc_, next - 1);
  }
  /// Messages waiting at the end of the last cycle evaluated; those sent since then are not counted.
  std::uint64_t source_queue() const {
    const Cycle next = layout_->context.next_cycle;
    return next == 0 ? 0 : injector().waiting_at(next - 1);
  }

 private:
  const NetworkInterface* interface_;
  const RouterLayout* layout_;
  unsigned vc_;
};

// What both sides show of the flit that `kFlit` gives. kSide: injector or receiver.
template <auto kFlit>
constexpr RegisterEntry<InterfacePart> flit_kind(std::string_view purpose) {
  return {.name = "flit.kind",
          .form = RegisterForm::flit_kind,
          .read =
              [](const InterfacePart& i) {
                const Flit* const flit = (i.*kFlit)();
                return RegisterValue(static_cast<Word>(flit ? flit->kind : FlitKind::none));
              },
          .purpose = purpose};
}
template <auto kFlit>
constexpr RegisterEntry<InterfacePart> flit_vc() {
  return {.name = "flit.vc",
          .form = RegisterForm::vc,
          .read =
              [](const InterfacePart& i) {
                const Flit* const flit = (i.*kFlit)();
                return flit ? RegisterValue(flit->vc) : RegisterValue();
              },
          .purpose = "Its virtual channel."};
}
template <auto kFlit, auto kSide>
constexpr RegisterEntry<InterfacePart> flit_word() {
  return {.name = "flit.word",
          .form = RegisterForm::word,
          .read =
              [](const InterfacePart& i) {
                return (i.*kFlit)() ? RegisterValue((i.*kSide)().last_word()) : RegisterValue();
              },
          .purpose = "Routing state of a head, number of any other flit."};
}

/// Registers of an injector: router_3_4.interface.injector.
inline constexpr RegisterEntry<InterfacePart> kInjectorRegisters[] = {
    {.name = "source_queue",
     .storage = Storage::object,
     .greatest = [](const InterfacePart&) -> std::uint64_t { return 0xffffffff; },
     .read = [](const InterfacePart& i) { return RegisterValue(i.source_queue()); },
     .purpose = "Messages in the source queue."},
    {.name = "vc_pointer",
     .form = RegisterForm::vc,
     .storage = Storage::object,
     .read = [](const InterfacePart& i) { return RegisterValue(i.injector().vc_pointer()); },
     .purpose = "Round-robin pointer: the virtual channel that the next message tries first."},
    {.name = "stopped",
     .form = RegisterForm::bit,
     .storage = Storage::object,
     .read = [](const InterfacePart& i) { return RegisterValue(i.layout().context.sources_stopped); },
     .purpose = "A management step is under way: no message leaves the source queue.",
     .present = {"faults, and routing that drains the network before its tables change",
                 [](const InterfacePart& i) {
                   return i.layout().recovery_units && i.layout().context.routing.needs_management();
                 }}},
    flit_kind<&InterfacePart::sent_flit>("Kind of the flit sent in this cycle."),
    flit_vc<&InterfacePart::sent_flit>(),
    flit_word<&InterfacePart::sent_flit, &InterfacePart::injector>(),
    {.name = "flit.destination",
     .form = RegisterForm::node,
     .read =
         [](const InterfacePart& i) {
           const Flit* const flit = i.sent_flit();
           return message_field<&Message::destination>(i.layout().messages,
                                                       flit ? flit->message : kNoMessage);
         },
     .purpose = "Destination of its message."},
    {.name = "flit.id",
     .form = RegisterForm::message_id,
     .read =
         [](const InterfacePart& i) {
           const Flit* const flit = i.sent_flit();
           return message_field<&Message::id>(i.layout().messages, flit ? flit->message : kNoMessage);
         },
     .purpose = "Id of its message."},
};

namespace hardware {

/// Registers of a virtual channel of an injector, without those of the mechanisms in folders of their own.
inline constexpr auto kInjectorVcRegisters = std::to_array<RegisterEntry<InterfacePart>>({
    {.name = "destination",
     .form = RegisterForm::node,
     .storage = Storage::object,
     .read =
         [](const InterfacePart& i) {
           return message_field<&Message::destination>(i.layout().messages, i.sending());
         },
     .purpose = "Destination of the message sent through it."},
    {.name = "id",
     .form = RegisterForm::message_id,
     .storage = Storage::object,
     .read =
         [](const InterfacePart& i) { return message_field<&Message::id>(i.layout().messages, i.sending()); },
     .purpose = "Id of that message."},
    {.name = "next_flit",
     .storage = Storage::object,
     .greatest = [](const InterfacePart&) -> std::uint64_t { return 0xffff; },
     .read =
         [](const InterfacePart& i) {
           return i.sending() == kNoMessage ? RegisterValue() : RegisterValue(i.injector().next_flit(i.vc()));
         },
     .purpose = "Number of its next flit (F_inj)."},
    {.name = "elapsed",
     .storage = Storage::object,
     .greatest = [](const InterfacePart&) -> std::uint64_t { return 0xffffffff; },
     .read = [](const InterfacePart& i) { return i.elapsed(); },
     .purpose = "T_elapse: cycles since a flit of that message left.",
     .present = with_padding<InterfacePart>},
    {.name = "credits",
     .storage = Storage::object,
     .greatest = [](const InterfacePart& i) -> std::uint64_t { return i.layout().input_buffer; },
     .read = [](const InterfacePart& i) { return RegisterValue(i.injector().credits(i.vc())); },
     .purpose = "Free slots in the input buffer of the local port.",
     .present = {"an injection channel",
                 [](const InterfacePart& i) {
                   return i.layout().context.hardware.network_interface.injection_latency > 0;
                 }}},
});

/// Registers of a receiver, without those of the mechanisms in folders of their own. With unlimited ejection
/// they show the last flit consumed in a cycle.
inline constexpr auto kReceiverRegisters = std::to_array<RegisterEntry<InterfacePart>>({
    {.name = "finished",
     .form = RegisterForm::ids,
     .storage = Storage::object,
     .greatest = [](const InterfacePart& i) -> std::uint64_t {
       return i.layout().context.topology.node_count();
     },
     .purpose = "By source: the id of the oldest message that may still come, and a bit for it and each of "
                "the next ones: whether it has arrived.",
     .present = {"a recovery protocol whose receivers remember ids",
                 [](const InterfacePart& i) { return i.layout().id_memory > 0; }}},
    flit_kind<&InterfacePart::consumed_flit>("Kind of the flit consumed in this cycle."),
    flit_vc<&InterfacePart::consumed_flit>(),
    flit_word<&InterfacePart::consumed_flit, &InterfacePart::receiver>(),
    {.name = "flit.source",
     .form = RegisterForm::node,
     .read =
         [](const InterfacePart& i) {
           return i.consumed_flit() ? RegisterValue(i.receiver().last_source()) : RegisterValue();
         },
     .purpose = "Source of its message."},
    {.name = "flit.id",
     .form = RegisterForm::message_id,
     .read =
         [](const InterfacePart& i) {
           return i.consumed_flit() ? RegisterValue(i.receiver().last_id()) : RegisterValue();
         },
     .purpose = "Id of its message."},
});

}  // namespace hardware

}  // namespace flitmend
