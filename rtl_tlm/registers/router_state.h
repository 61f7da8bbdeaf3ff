// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// A handle to the registers of a router. They are in one block of memory, in the order in which a cycle
/// needs them, so a router touches few cache lines. The blocks of a fabric are stored contiguously. Network
/// ports come first, in the topology's order; the local port, if the router has one, is the last.
class RouterState {
 public:
  RouterState() = default;
  /// `block`: layout.bytes long, aligned to 64 bytes; both outlive the handle.
  RouterState(const RouterLayout& layout, std::byte* block) : layout_(&layout), block_(block) {}
  /// Constructs the registers, as after power-up: once per block, before anything else.
  void construct(Router&, RouterId);
  /// As after power-up: everything idle and empty, nothing arriving, all credits returned. Bindings stay.
  void reset();

  /// The name of its router's module, for messages.
  const char* name() const;
  const RouterLayout& layout() const { return *layout_; }
  /// The same registers, with the scratch memory of another layout object of the same shape.
  RouterState with(const RouterLayout& layout) const { return {layout, block_}; }
  unsigned ports() const { return static_cast<unsigned>(layout_->ports); }
  unsigned vcs() const { return static_cast<unsigned>(layout_->vcs); }
  unsigned ids() const { return static_cast<unsigned>(layout_->ids); }
  unsigned port_of(unsigned id) const { return layout_->place[id].port; }
  unsigned vc_of(unsigned id) const { return layout_->place[id].vc; }

  /// The first element of a row; those of a mechanism are read and written by its functions.
  template <class R>
  typename R::Element* row() {
    return at<typename R::Element>(layout_->offset<R>());
  }
  template <class R>
  const typename R::Element* row() const {
    return at<typename R::Element>(layout_->offset<R>());
  }

  RouterHeader& header() { return *row<rows::Header>(); }
  const RouterHeader& header() const { return *row<rows::Header>(); }
  /// Masks by input id: 64 per word, lowest first.
  VcMasks& masks(unsigned word) { return word == 0 ? header().masks : row<rows::MoreMasks>()[word - 1]; }
  const VcMasks& masks(unsigned word) const {
    return word == 0 ? header().masks : row<rows::MoreMasks>()[word - 1];
  }
  /// The masks that contain an id; kOneWord: there is only one word.
  template <bool kOneWord = false>
  VcMasks& masks_of(unsigned id) {
    return kOneWord ? header().masks : masks(id / kWordBits);
  }
  static Word bit_of(unsigned id) { return Word{1} << (id % kWordBits); }
  Word* absorbing() { return row<rows::Absorbing>(); }
  bool absorbing(unsigned id) const { return header().any_absorbing && test_bit(row<rows::Absorbing>(), id); }

  /// A ring of arrival masks: the first word of them, or another.
  Word* arriving(Arrival what) {
    return row<rows::Arrivals>() + static_cast<unsigned>(what) * layout_->arrival_words * layout_->ring;
  }
  Word* arriving(Arrival what, unsigned word) { return arriving(what) + word * layout_->ring; }
  /// The id of the lowest bit of a word of arrivals.
  unsigned first_arrival(unsigned word) const { return word * layout_->ids_per_arrival_word; }
  /// The same for control signals: a word of ports.
  Word* arriving_control(Arrival what, unsigned word = 0) {
    const unsigned side = static_cast<unsigned>(what) - static_cast<unsigned>(Arrival::control_in);
    return row<rows::Control>() + (side * layout_->port_words + word) * layout_->ring;
  }
  /// The same for a control line of a mechanism: a word of the row in which it arrives.
  template <class R>
  Word* arriving(ControlLine line, unsigned word = 0) {
    return row<R>() + (R::index(line) * layout_->arrival_words + word) * layout_->ring;
  }
  /// The masks in which the flits or credits that arrive at a port are announced, or a control line.
  VcPlace vc_place(Arrival what, unsigned p) { return vc_place(arriving(what), p); }
  template <class R>
  VcPlace vc_place(ControlLine line, unsigned p) {
    return vc_place(arriving<R>(line), p);
  }
  /// The rings in which the control lines of mechanisms arrive at an output.
  MaskRings mask_rings(unsigned p);
  /// Only if a mechanism has such lines: how an input raises them.
  MaskWires& mask_wires(unsigned p) { return row<rows::MaskWiring>()[p]; }
  /// The registers of the flits that arrive at a port, by slot.
  Flit* arrived_flits(unsigned port) { return row<rows::ArrivedFlits>() + port * layout_->ring; }
  PortState& port(unsigned p) { return row<rows::Ports>()[p]; }
  const PortState& port(unsigned p) const { return row<rows::Ports>()[p]; }
  PortArbiter* arbiters() { return row<rows::Arbiters>(); }
  PortArbiter& arbiter(unsigned p) { return arbiters()[p]; }
  const PortArbiter& arbiter(unsigned p) const { return row<rows::Arbiters>()[p]; }
  /// Only with output buffers.
  LinkArbiter& link_arbiter(unsigned p) { return row<rows::LinkArbiters>()[p]; }
  const LinkArbiter& link_arbiter(unsigned p) const { return row<rows::LinkArbiters>()[p]; }
  /// Mask of the ports with flits in their output buffers.
  Word* buffered_ports() { return row<rows::BufferedPorts>(); }
  /// Flits are, or are no more, in the output buffer of that virtual channel.
  void mark_buffered(unsigned output_id) {
    const unsigned port = port_of(output_id);
    link_arbiter(port).buffered_vcs |= VcMask{1} << vc_of(output_id);
    set_bit(buffered_ports(), port);
  }
  void mark_unbuffered(unsigned output_id) {
    const unsigned port = port_of(output_id);
    VcMask& vcs = link_arbiter(port).buffered_vcs;
    vcs &= ~(VcMask{1} << vc_of(output_id));
    if (vcs == 0) clear_bit(buffered_ports(), port);
  }
  PortExtras& extras(unsigned p) { return row<rows::Extras>()[p]; }
  const PortExtras& extras(unsigned p) const { return row<rows::Extras>()[p]; }
  PortChannels& channels(unsigned p) { return row<rows::Channels>()[p]; }
  const PortChannels& channels(unsigned p) const { return row<rows::Channels>()[p]; }
  /// Output virtual channels of a port that are free: they can be allocated to a message.
  VcMask& free_vcs(unsigned p) { return row<rows::PortVcs>()[p * (1 + layout_->classes)]; }
  const VcMask& free_vcs(unsigned p) const { return row<rows::PortVcs>()[p * (1 + layout_->classes)]; }
  VcMask& class_vcs(unsigned p, unsigned vc_class) { return (&free_vcs(p))[1 + vc_class]; }

  /// Slots of an input buffer that flits take after they have left.
  unsigned sent_slots(unsigned id) const {
    unsigned slots = 0;
    for_each_row([&]<class R>() {
      if constexpr (requires { R::sent_slots(*this, id); })
        if (layout_->has<R>()) slots += R::sent_slots(*this, id);
    });
    return slots;
  }
  /// The message that a mechanism holds in a virtual channel without flits of it; kNoMessage: none.
  MessageIndex held_message(unsigned id) const {
    MessageIndex message = kNoMessage;
    for_each_row([&]<class R>() {
      if constexpr (requires { R::held_message(*this, id); })
        if (layout_->has<R>()) message = R::held_message(*this, id);
    });
    return message;
  }

  /// Only with padded packets.
  std::uint64_t& pads_arrived() { return *row<rows::PadsArrived>(); }
  std::uint64_t pads_arrived() const { return *row<rows::PadsArrived>(); }

  /// Whether nothing can leave by a port because of a fault. A held path needs both channels of a link.
  bool port_dead(unsigned p) const {
    return arbiter(p).faulty || (layout_->holds_paths && arbiter(p).input_faulty);
  }
  /// Whether the recovery unit is told about such a flit that arrives (RouterHeader::hooks).
  bool told_of(unsigned id, FlitKind kind) const {
    const unsigned hooks = header().hooks;
    if (hooks == 0) [[likely]]
      return false;
    if (hooks & hooks_of(kind)) return true;
    return (hooks & kStrayHook) != 0 && !is_head(kind) && strays(id);
  }
  /// Whether an arriving flit that is not a head belongs to no message here.
  bool strays(unsigned id) const {
    const VcMasks& m = masks(id / kWordBits);
    if ((m.pending | m.routed) & bit_of(id)) [[likely]]
      return false;
    return input(id).count == 0 && route_fsm(id) == RouteFsm::idle;
  }

  /// By output port: the input virtual channels routed to it. Only if all ids fit in one word.
  Word* wanted() { return row<rows::Wanted>(); }

  InputVcState& input(unsigned id) { return row<rows::InputVcs>()[id]; }
  const InputVcState& input(unsigned id) const { return row<rows::InputVcs>()[id]; }
  /// Output port of a virtual channel that holds an output virtual channel.
  unsigned output_port(unsigned id) const { return port_of(input(id).output); }
  HeadRoute& route(unsigned id) {
    return *at<HeadRoute>(layout_->offset<rows::Routes>() + id * layout_->route_bytes);
  }
  const HeadRoute& route(unsigned id) const {
    return *at<HeadRoute>(layout_->offset<rows::Routes>() + id * layout_->route_bytes);
  }
  [[gnu::always_inline]] RouteFsm route_fsm(unsigned id) const {
    if (absorbing(id)) return RouteFsm::absorb;
    if (input(id).output != kNoVc) return RouteFsm::routed;
    if (!(masks(id / kWordBits).pending & bit_of(id))) return RouteFsm::idle;
    if (route(id).stage != PipelineStage::none) return RouteFsm::needs_route;
    return layout_->withdrawn;
  }
  /// Whether an input virtual channel has a message, or keeps copies of one.
  bool in_use(unsigned id) const { return route_fsm(id) != RouteFsm::idle || sent_slots(id) > 0; }
  static RouteCandidate* candidates_of(HeadRoute& r) { return reinterpret_cast<RouteCandidate*>(&r + 1); }
  RouteCandidate* candidates_of(unsigned id) { return candidates_of(route(id)); }
  const RouteCandidate* candidates_of(unsigned id) const {
    return reinterpret_cast<const RouteCandidate*>(&route(id) + 1);
  }
  VcPointers* vc_pointers() { return row<rows::VcAllocatorPointers>(); }
  const VcPointers* vc_pointers() const { return row<rows::VcAllocatorPointers>(); }
  HeadCopy& head_copy(unsigned id) { return row<rows::HeadCopies>()[id]; }
  const HeadCopy& head_copy(unsigned id) const { return row<rows::HeadCopies>()[id]; }
  Flit& input_buffer_at(unsigned id, unsigned place) {
    return row<rows::InputFlits>()[place * layout_->ids + id];
  }
  const Flit& input_buffer_at(unsigned id, unsigned place) const {
    return row<rows::InputFlits>()[place * layout_->ids + id];
  }
  /// The last flit that arrived, if the virtual channel has not been idle since. One that has left is still
  /// in its slot.
  const Flit& last_flit(unsigned id) const {
    const unsigned slots = static_cast<unsigned>(layout_->input_slots);
    return input_buffer_at(id, (input(id).first + input(id).count + slots - 1u) % slots);
  }
  const Flit& front(unsigned id) const { return input_buffer_at(id, input(id).first); }
  /// Free slots of the input buffer. kPlainBuffers: no mechanism changes them.
  template <bool kPlainBuffers = false>
  unsigned room(unsigned id) const {
    unsigned free = static_cast<unsigned>(layout_->input_buffer) - input(id).count;
    if (kPlainBuffers || layout_->input_slots == layout_->input_buffer) return free;
    for_each_row([&]<class R>() {
      if constexpr (requires { R::room(*this, id); })
        if (layout_->has<R>()) free += static_cast<unsigned>(R::room(*this, id));
    });
    return free;
  }

  OutputVcState& output(unsigned id) { return row<rows::OutputVcs>()[id]; }
  const OutputVcState& output(unsigned id) const { return row<rows::OutputVcs>()[id]; }
  std::uint64_t& holder_state(unsigned output_id) { return row<rows::HolderStates>()[output_id]; }
  const std::uint64_t& holder_state(unsigned output_id) const { return row<rows::HolderStates>()[output_id]; }
  /// Only with output buffers.
  OutputBufferState& output_buffer(unsigned output_id) { return row<rows::OutputBuffers>()[output_id]; }
  const OutputBufferState& output_buffer(unsigned output_id) const {
    return row<rows::OutputBuffers>()[output_id];
  }
  /// Flits in the output buffer or on the way to it; 0 without buffers.
  unsigned output_flits(unsigned output_id) const {
    return layout_->output_buffer > 0 ? output_buffer(output_id).count : 0;
  }
  OutputSlot& output_slot(unsigned output_id, unsigned place) {
    return row<rows::OutputSlots>()[output_id * layout_->output_buffer + place];
  }
  const OutputSlot& output_slot(unsigned output_id, unsigned place) const {
    return row<rows::OutputSlots>()[output_id * layout_->output_buffer + place];
  }

  /// Flits that mechanisms hold, in no input or output buffer.
  unsigned mechanism_flits() const;

  /// Prefetches the hot rows, or the first part of many.
  void prefetch() const {
    constexpr RouterLayout::Size kLine = 64, kLines = 16;
    // Sixteen lines at a time, because a loop over single lines would cost more than it saves. Prefetching
    // beyond the end is harmless.
    for (RouterLayout::Size byte = 0; byte < layout_->hot_bytes; byte += kLines * kLine)
#pragma GCC unroll 16
      for (RouterLayout::Size line = 0; line < kLines; ++line)
        __builtin_prefetch(block_ + byte + line * kLine);
  }
  /// Only with output buffers, once the hot rows are here: prefetches what cycle t is going to use besides
  /// them, slots of buffers and registers of neighbours.
  void prefetch_cycle(Cycle t) const;

 private:
  /// `rings`: those of the first word of arrivals; the other words follow.
  VcPlace vc_place(Word* rings, unsigned p) const;

  template <class T>
  T* at(RouterLayout::Size byte) {
    return reinterpret_cast<T*>(block_ + byte);
  }
  template <class T>
  const T* at(RouterLayout::Size byte) const {
    return reinterpret_cast<const T*>(block_ + byte);
  }

  const RouterLayout* layout_ = nullptr;
  std::byte* block_ = nullptr;
};

}  // namespace flitmend
