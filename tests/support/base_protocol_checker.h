// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace flitmend {

/// What TLM-2.0's base protocol demands of the two ends of a binding. The numbers are clauses of IEEE
/// 1666-2011.
enum class ProtocolRule {
  phase_sequence,      ///< BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP in this order; END_REQ may be implied
                       ///< (15.2.4)
  phase_direction,     ///< each phase on its own path only (15.2.3)
  return_value,        ///< a return value, and with TLM_UPDATED a phase, that the phase allows (15.2.4)
  accepted_as_is,      ///< nothing has changed if nb_transport returns TLM_ACCEPTED (11.1.2.7)
  request_exclusion,   ///< one request at a time (15.2.6)
  response_exclusion,  ///< one response at a time (15.2.6)
  time_order,          ///< the local time of a transaction never decreases (15.2.7)
  no_wait,             ///< nb_transport, transport_dbg and DMI calls take no time (11.1.2.4, 11.2, 11.3)
  no_reentry,          ///< neither nb_transport calls the other one (11.1.2.4)
  attributes,          ///< what only the initiator may set does not change (14.7)
  data,                ///< neither do the bytes of a write, nor byte enables (14.11, 14.13)
  address,             ///< nor the address, where nobody may translate it (Options::address_kept)
  initial_values,      ///< a request has data, lengths and a streaming width (14.11 to 14.15)
  initial_dmi_hint,    ///< false (14.16)
  initial_status,      ///< TLM_INCOMPLETE_RESPONSE (14.17)
  early_status,        ///< the status is set with the response, not before (14.17)
  response_status,     ///< the response has a status, which stays (14.17)
  memory_management,   ///< nb_transport: a memory manager, a reference; without manager no extension stays
                       ///< (14.5)
  mixed_interfaces,    ///< a transaction uses one of the two transport interfaces, once at a time (15.2.10)
  blocking_caller,     ///< b_transport is called by threads only, and not inside nb_transport (11.1.1.4)
  debug,               ///< transport_dbg: no more bytes than were asked for, nothing changed (11.3)
  dmi,                 ///< get_direct_mem_ptr, invalidate_direct_mem_ptr (11.2)
};
constexpr std::size_t kProtocolRules = static_cast<std::size_t>(ProtocolRule::dmi) + 1;
const char* to_string(ProtocolRule);

/// Where the module is that broke a rule, seen from the checker.
enum class ProtocolSide { initiator, target };

struct ProtocolViolation {
  ProtocolRule rule{};
  ProtocolSide side{};
  sc_core::sc_time at;
  std::string socket;  ///< of the checker, on that side
  std::string text;
};

struct ProtocolCheckerOptions {
  /// The address comes back as it was sent. The base protocol lets an interconnect translate it in place.
  bool address_kept = false;
};

/// The rules for one binding, in terms of the calls that pass through it. Each call is told before it is
/// passed on and after it has returned. A transaction that has ended is not touched: its payload may be in
/// use again.
class BaseProtocolRules {
 public:
  using Options = ProtocolCheckerOptions;
  using Payload = tlm::tlm_generic_payload;

  BaseProtocolRules(std::string target_socket, std::string initiator_socket, Options);

  /// The first violations, kKept at most.
  const std::vector<ProtocolViolation>& violations() const { return violations_; }
  std::uint64_t count(ProtocolRule rule) const { return counts_[static_cast<std::size_t>(rule)]; }
  std::uint64_t count(ProtocolSide side) const { return side_counts_[static_cast<std::size_t>(side)]; }
  /// Violations of all rules.
  std::uint64_t count() const { return side_counts_[0] + side_counts_[1]; }
  /// violations(), one per line; empty if there is none.
  std::string text() const;
  /// Transactions that have begun and not ended.
  std::size_t underway() const { return underway_.size(); }
  /// Transactions that have ended.
  std::uint64_t ended() const { return ended_; }
  /// When the last of them did.
  sc_core::sc_time last_end() const { return last_end_; }

  /// What must not change while a transaction is under way.
  struct Attributes {
    explicit Attributes(const Payload&);
    tlm::tlm_command command;
    sc_dt::uint64 address;
    unsigned char* data;
    unsigned length;
    unsigned char* enables;
    unsigned enables_length;
    unsigned streaming_width;
    tlm::tlm_gp_option option;
    std::vector<unsigned char> bytes;         ///< of a write
    std::vector<unsigned char> enable_bytes;  ///< the byte enables
  };
  /// What has passed through, before it is passed on.
  struct Call {
    tlm::tlm_phase phase;
    sc_core::sc_time delay, at;
    sc_dt::uint64 deltas = 0;
    bool hint = false;
    tlm::tlm_response_status status{};
    std::optional<Attributes> attributes{};  ///< of a debug or DMI transaction
  };
  Call forward(Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay);
  void forward_returns(const Call&, Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay,
                       tlm::tlm_sync_enum);
  Call backward(Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay);
  void backward_returns(const Call&, Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay,
                        tlm::tlm_sync_enum);
  Call blocking(Payload&, const sc_core::sc_time& delay);
  void blocking_returns(const Call&, Payload&, const sc_core::sc_time& delay);
  /// An exception has ended the call, because its process is killed or reset, for example.
  void blocking_abandoned(const Payload& p) { underway_.erase(&p); }
  Call debug(Payload&);
  void debug_returns(const Call&, Payload&, unsigned bytes);
  Call dmi(Payload&, const tlm::tlm_dmi&);
  void dmi_returns(const Call&, Payload&, const tlm::tlm_dmi&, bool granted);
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end);
  void invalidate_returns() { --invalidating_; }

 private:
  static constexpr std::size_t kKept = 100;
  using Side = ProtocolSide;
  enum class Stage { request, accepted, response, blocking };

  struct Transaction {
    Attributes attributes;
    Stage stage;
    sc_core::sc_time time;  ///< local time of its last phase
    tlm::tlm_response_status status;
    bool managed;                                            ///< has a memory manager
    std::vector<const tlm::tlm_extension_base*> extensions;  ///< without a memory manager
  };

  void violate(ProtocolRule, Side, std::string text);
  Call call(Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay) const;
  Transaction* find(const Payload&);
  Transaction& open(Payload&, Stage, const sc_core::sc_time& delay);
  void end(const Payload&);
  void check_references(const Payload&, Side);
  void check_request(const Payload&);
  void check_kept(Transaction&, const Payload&, Side);
  void check_time(Transaction&, const sc_core::sc_time& delay, Side, const std::string& event);
  void check_no_wait(const Call&, Side, const char* function);
  void check_accepted(const Call&, const Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay,
                      Side);
  void check_response(const Payload&);
  void begin_request(Payload&, const sc_core::sc_time& delay);
  void end_response(const Payload&, const sc_core::sc_time& delay);
  /// A phase from the target: a call on the backward path, or the return of one on the forward path.
  void answer(Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay, bool returned);

  std::string target_socket_, initiator_socket_;
  Options options_;
  std::unordered_map<const Payload*, Transaction> underway_;
  const Payload* requesting_ = nullptr;  ///< its request has not ended
  const Payload* responding_ = nullptr;  ///< its response has not ended
  unsigned in_forward_ = 0, in_backward_ = 0, invalidating_ = 0;
  std::uint64_t ended_ = 0;
  sc_core::sc_time last_end_;
  std::vector<ProtocolViolation> violations_;
  std::array<std::uint64_t, kProtocolRules> counts_{};
  std::array<std::uint64_t, 2> side_counts_{};
};

/// Stands between an initiator socket and a target socket, passes every call on unchanged, and checks what
/// both sides do (BaseProtocolRules).
template <unsigned BUSWIDTH = 32>
class BaseProtocolChecker : public sc_core::sc_module,
                            private tlm::tlm_fw_transport_if<>,
                            private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<BUSWIDTH> target_socket{"target_socket"};           ///< faces the initiator
  tlm::tlm_initiator_socket<BUSWIDTH> initiator_socket{"initiator_socket"};  ///< faces the target

  explicit BaseProtocolChecker(sc_core::sc_module_name name, ProtocolCheckerOptions options = {})
      : sc_module(name), rules_(target_socket.name(), initiator_socket.name(), options) {
    target_socket.bind(*this);
    initiator_socket.bind(*this);
  }
  const BaseProtocolRules& rules() const { return rules_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const auto call = rules_.forward(payload, phase, delay);
    const auto answer = initiator_socket->nb_transport_fw(payload, phase, delay);
    rules_.forward_returns(call, payload, phase, delay, answer);
    return answer;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const auto call = rules_.backward(payload, phase, delay);
    const auto answer = target_socket->nb_transport_bw(payload, phase, delay);
    rules_.backward_returns(call, payload, phase, delay, answer);
    return answer;
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    const auto call = rules_.blocking(payload, delay);
    try {
      initiator_socket->b_transport(payload, delay);
    } catch (...) {
      rules_.blocking_abandoned(payload);
      throw;
    }
    rules_.blocking_returns(call, payload, delay);
  }
  unsigned transport_dbg(Payload& payload) override {
    const auto call = rules_.debug(payload);
    const unsigned bytes = initiator_socket->transport_dbg(payload);
    rules_.debug_returns(call, payload, bytes);
    return bytes;
  }
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& region) override {
    const auto call = rules_.dmi(payload, region);
    const bool granted = initiator_socket->get_direct_mem_ptr(payload, region);
    rules_.dmi_returns(call, payload, region, granted);
    return granted;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    rules_.invalidate(start, end);
    target_socket->invalidate_direct_mem_ptr(start, end);
    rules_.invalidate_returns();
  }

  BaseProtocolRules rules_;
};

}  // namespace flitmend
