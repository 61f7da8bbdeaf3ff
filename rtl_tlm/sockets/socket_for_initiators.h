// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <memory>
#include <optional>
#include <string>
#include <tlm>
#include <vector>

#include "base/text.h"
#include "rtl_tlm/signals/hierarchy_scope.h"
#include "rtl_tlm/sockets/initiator_side.h"

namespace flitmend {

class NetworkSockets;

/// A way into a node for its initiators: hands their calls to the node's InitiatorSide.
class WayIn {
 public:
  WayIn(NetworkSockets& sockets, InitiatorSide& side) : sockets_(sockets), side_(side) {}
  WayIn(const WayIn&) = delete;
  WayIn& operator=(const WayIn&) = delete;
  virtual ~WayIn() = default;

  /// Connects the initiators that have bound to it. At the end of elaboration, once. SC_REPORT_ERROR if it
  /// cannot tell them apart, or does not reach one of them.
  virtual void connect() = 0;

 protected:
  /// The number that the next initiator gets.
  unsigned next_number() const { return side_.initiators(); }
  void connect(tlm::tlm_bw_transport_if<>& initiator) { side_.connect(initiator); }

  // `initiator`: its number at the node.
  tlm::tlm_sync_enum call_nb_transport(unsigned initiator, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    return side_.nb_transport_fw(initiator, p, phase, delay);
  }
  void call_b_transport(unsigned initiator, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    side_.b_transport(initiator, p, delay);
  }
  unsigned call_transport_dbg(tlm::tlm_generic_payload&);
  bool call_get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&);
  /// Reports that what is bound to `socket` cannot work: what it is, and what to bind instead.
  [[noreturn]] static void refuse(const std::string& socket, const std::string& why);

  NetworkSockets& sockets_;

 private:
  InitiatorSide& side_;
};

/// One binding at a node's socket for initiators. All its calls come through one interface, so there can be
/// only one initiator behind it.
class InitiatorEntry final : public WayIn, public tlm::tlm_fw_transport_if<> {
 public:
  using BackwardPort = sc_core::sc_port<tlm::tlm_bw_transport_if<>, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;
  using ForwardExport = sc_core::sc_export<tlm::tlm_fw_transport_if<>>;

  /// `socket`: full name of the socket; `name`: of the entry, unique among the module's children.
  InitiatorEntry(NetworkSockets& sockets, InitiatorSide& side, std::string socket, std::string name)
      : WayIn(sockets, side), socket_(std::move(socket)), name_(std::move(name)) {}

  /// Leads back to the initiator.
  BackwardPort& back();
  /// What a socket of a module around the network binds its own export to.
  ForwardExport& forward();

  void connect() override;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return call_nb_transport(number_, p, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
    call_b_transport(number_, p, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return call_transport_dbg(p); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
    return call_get_direct_mem_ptr(p, dmi);
  }
  /// SystemC tells which ports call it.
  void register_port(sc_core::sc_port_base& caller, const char*) override {
    callers_.emplace_back(caller.name());
  }

 private:
  std::string socket_;
  std::string name_;
  std::optional<BackwardPort> back_;
  std::optional<ForwardExport> forward_;
  std::vector<std::string> callers_;
  unsigned number_ = 0;
};

/// Where the initiators of a node bind: all sockets of one bus width.
class InitiatorBinding {
 public:
  InitiatorBinding(NetworkSockets& sockets, InitiatorSide& side, unsigned bus_width)
      : sockets_(sockets), side_(side), bus_width_(bus_width) {}
  InitiatorBinding(const InitiatorBinding&) = delete;
  InitiatorBinding& operator=(const InitiatorBinding&) = delete;
  virtual ~InitiatorBinding() = default;

  unsigned bus_width() const { return bus_width_; }
  /// Connects those that are bound, in the order of their bindings. At the end of elaboration, once.
  virtual void connect() {
    for (const auto& way : ways_) way->connect();
  }

 protected:
  /// The entry for the next initiator or socket that binds to `socket`.
  template <class Way>
  Way& add(const sc_core::sc_object& socket) {
    const HierarchyScope scope(module());
    auto made = std::make_unique<Way>(sockets_, side_, socket.name(),
                                      socket.basename() + ("_" + std::to_string(ways_.size())));
    Way& way = *made;
    ways_.push_back(std::move(made));
    return way;
  }
  /// Reports that `other` must bind to `socket`, not `socket` to it.
  static void refuse_direction(const sc_core::sc_object& socket, const std::string& other);

 private:
  sc_core::sc_module& module();

  NetworkSockets& sockets_;
  InitiatorSide& side_;
  unsigned bus_width_;
  std::vector<std::unique_ptr<WayIn>> ways_;  ///< in the order of the bindings
};

/// The way in for a multi_passthrough_target_socket of a module around the network. That socket says which of
/// its initiators calls.
template <unsigned BUSWIDTH, unsigned N, sc_core::sc_port_policy POLICY>
class MultiSocketEntry final : public WayIn {
 public:
  tlm_utils::multi_passthrough_target_socket<MultiSocketEntry, BUSWIDTH, tlm::tlm_base_protocol_types, N,
                                             POLICY>
      socket;

  MultiSocketEntry(NetworkSockets& sockets, InitiatorSide& side, const std::string& of,
                   const std::string& name)
      : WayIn(sockets, side), socket(name.c_str()), of_(of) {
    socket.register_nb_transport_fw(this, &MultiSocketEntry::nb_transport_fw);
    socket.register_b_transport(this, &MultiSocketEntry::b_transport);
    socket.register_transport_dbg(this, &MultiSocketEntry::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &MultiSocketEntry::get_direct_mem_ptr);
  }
  void connect() override {
    first_ = next_number();
    auto& back = socket.get_base_port();
    if (back.size() != static_cast<int>(socket.size()))
      refuse(of_, formatted("%1% initiators come through a tlm_utils::multi_passthrough_target_socket of a "
                            "module, which knows %2% of them. A module around that module needs such a "
                            "socket too; bind all initiators to the outermost one, or to %3% itself",
                            back.size(), socket.size(), of_));
    for (int i = 0; i < back.size(); ++i) WayIn::connect(*back[i]);
  }

 private:
  // `binding`: number of the initiator at this socket.
  tlm::tlm_sync_enum nb_transport_fw(int binding, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    return call_nb_transport(first_ + static_cast<unsigned>(binding), p, phase, delay);
  }
  void b_transport(int binding, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    call_b_transport(first_ + static_cast<unsigned>(binding), p, delay);
  }
  unsigned transport_dbg(int, tlm::tlm_generic_payload& p) { return call_transport_dbg(p); }
  bool get_direct_mem_ptr(int, tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    return call_get_direct_mem_ptr(p, dmi);
  }

  std::string of_;
  unsigned first_ = 0;  ///< number of its first initiator among those of the node
};

/// A socket for any number of initiators; each that binds to it is an initiator of its own. They may bind
/// through sockets of modules around the network: a tlm_utils::multi_passthrough_target_socket passes on any
/// number of them, a tlm::tlm_target_socket one. Initiators that it cannot tell apart are refused at the end
/// of elaboration.
template <unsigned BUSWIDTH>
class SocketForInitiators final : public InitiatorBinding,
                                  public tlm::tlm_target_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 0,
                                                                sc_core::SC_ZERO_OR_MORE_BOUND>,
                                  public tlm_utils::multi_to_multi_bind_base<tlm::tlm_base_protocol_types> {
  using Base =
      tlm::tlm_target_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;
  using Forward = tlm::tlm_fw_transport_if<>;
  using Backward = tlm::tlm_bw_transport_if<>;

 public:
  SocketForInitiators(NetworkSockets& sockets, InitiatorSide& side, const char* name)
      : InitiatorBinding(sockets, side, BUSWIDTH),
        Base(name),
        without_way_back_(sockets, side, this->name(), std::string(name) + "_bare") {
    Base::export_type::bind(without_way_back_);
  }
  const char* kind() const override { return "flitmend_socket_for_initiators"; }

  using Base::bind;
  void bind(typename Base::base_initiator_socket_type& initiator) override {
    if (initiator.get_socket_category() == tlm::TLM_MULTI_INITIATOR_SOCKET)
      refuse_direction(*this, "a multi_passthrough_initiator_socket");
    Base::bind(initiator);
  }
  void bind(typename Base::base_type&) override {
    refuse_direction(*this, "a socket of a module around the network");
  }
  void connect() override {
    without_way_back_.connect();
    InitiatorBinding::connect();
  }

  int size() const = delete;  ///< its base class counts the bindings of one port; here each has its own

  /// For a multi_passthrough_target_socket of a module around the network, of any limit and policy: what it
  /// binds to.
  template <unsigned N, sc_core::sc_port_policy POLICY>
  operator tlm_utils::multi_target_base<BUSWIDTH, tlm::tlm_base_protocol_types, N, POLICY>&() {
    return add<MultiSocketEntry<BUSWIDTH, N, POLICY>>(*this).socket;
  }

  // For sockets that bind to it: each binding asks first for the interface (an initiator socket) or the
  // export (a target socket of a module around), then for the port.
  tlm::tlm_socket_category get_socket_category() const override { return tlm::TLM_MULTI_TARGET_SOCKET; }
  Forward& get_base_interface() override { return open(); }
  sc_core::sc_export<Forward>& get_base_export() override { return open().forward(); }
  sc_core::sc_port_b<Backward>& get_base_port() override { return (last_ ? *last_ : open()).back(); }
  Forward* get_last_binder(Backward*) override { return last_; }

 private:
  InitiatorEntry& open() { return *(last_ = &add<InitiatorEntry>(*this)); }

  InitiatorEntry without_way_back_;  ///< for ports that bind to its export as such
  InitiatorEntry* last_ = nullptr;
};

}  // namespace flitmend
