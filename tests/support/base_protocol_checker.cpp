// SPDX-License-Identifier: Apache-2.0
#include "support/base_protocol_checker.h"

#include <algorithm>
#include <sstream>

namespace flitmend {
namespace {

using tlm::tlm_phase;

constexpr const char* kRuleNames[] = {"phase_sequence",
                                      "phase_direction",
                                      "return_value",
                                      "accepted_as_is",
                                      "request_exclusion",
                                      "response_exclusion",
                                      "time_order",
                                      "no_wait",
                                      "no_reentry",
                                      "attributes",
                                      "data",
                                      "address",
                                      "initial_values",
                                      "initial_dmi_hint",
                                      "initial_status",
                                      "early_status",
                                      "response_status",
                                      "memory_management",
                                      "mixed_interfaces",
                                      "blocking_caller",
                                      "debug",
                                      "dmi"};
static_assert(std::size(kRuleNames) == kProtocolRules);

std::string name(const tlm_phase& phase) {
  std::ostringstream out;
  out << phase;
  return out.str();
}

/// A phase of the base protocol, or none: other phases may be ignored.
bool is_base(const tlm_phase& phase) {
  return phase == tlm::BEGIN_REQ || phase == tlm::END_REQ || phase == tlm::BEGIN_RESP ||
         phase == tlm::END_RESP || phase == tlm::UNINITIALIZED_PHASE;
}

std::vector<unsigned char> copy(const unsigned char* bytes, std::size_t count) {
  return bytes ? std::vector<unsigned char>(bytes, bytes + count) : std::vector<unsigned char>();
}

std::vector<const tlm::tlm_extension_base*> extensions_of(const tlm::tlm_generic_payload& payload) {
  std::vector<const tlm::tlm_extension_base*> all;
  for (unsigned i = 0; i < tlm::max_num_extensions(); ++i) all.push_back(payload.get_extension(i));
  return all;
}

/// The first attribute that differs and only the initiator may set; null if there is none.
template <typename Attributes>
const char* changed(const Attributes& was, const tlm::tlm_generic_payload& is) {
  if (was.command != is.get_command()) return "command";
  if (was.data != is.get_data_ptr()) return "data pointer";
  if (was.length != is.get_data_length()) return "data length";
  if (was.enables != is.get_byte_enable_ptr()) return "byte enable pointer";
  if (was.enables_length != is.get_byte_enable_length()) return "byte enable length";
  if (was.streaming_width != is.get_streaming_width()) return "streaming width";
  if (was.option != is.get_gp_option()) return "payload option";
  return nullptr;
}

}  // namespace

const char* to_string(ProtocolRule rule) {
  return kRuleNames[static_cast<std::size_t>(rule)];
}

BaseProtocolRules::Attributes::Attributes(const Payload& p)
    : command(p.get_command()),
      address(p.get_address()),
      data(p.get_data_ptr()),
      length(p.get_data_length()),
      enables(p.get_byte_enable_ptr()),
      enables_length(p.get_byte_enable_length()),
      streaming_width(p.get_streaming_width()),
      option(p.get_gp_option()) {
  if (p.is_write()) bytes = copy(data, length);
  enable_bytes = copy(enables, enables_length);
}

BaseProtocolRules::BaseProtocolRules(std::string target_socket, std::string initiator_socket, Options options)
    : target_socket_(std::move(target_socket)),
      initiator_socket_(std::move(initiator_socket)),
      options_(options) {}

std::string BaseProtocolRules::text() const {
  std::ostringstream out;
  for (const ProtocolViolation& v : violations_)
    out << to_string(v.rule) << " at " << v.at << ", " << v.socket << ": " << v.text << '\n';
  if (count() > violations_.size()) out << "and " << count() - violations_.size() << " more\n";
  return out.str();
}

void BaseProtocolRules::violate(ProtocolRule rule, Side side, std::string text) {
  ++counts_[static_cast<std::size_t>(rule)];
  ++side_counts_[static_cast<std::size_t>(side)];
  const std::string& socket = side == Side::initiator ? target_socket_ : initiator_socket_;
  if (violations_.size() < kKept)
    violations_.push_back({rule, side, sc_core::sc_time_stamp(), socket, std::move(text)});
}

BaseProtocolRules::Call BaseProtocolRules::call(Payload& payload, const tlm_phase& phase,
                                                const sc_core::sc_time& delay) const {
  Call c;
  c.phase = phase;
  c.delay = delay;
  c.at = sc_core::sc_time_stamp();
  c.deltas = sc_core::sc_delta_count();
  c.hint = payload.is_dmi_allowed();
  c.status = payload.get_response_status();
  return c;
}

BaseProtocolRules::Transaction* BaseProtocolRules::find(const Payload& payload) {
  const auto at = underway_.find(&payload);
  return at == underway_.end() ? nullptr : &at->second;
}

BaseProtocolRules::Transaction& BaseProtocolRules::open(Payload& payload, Stage stage,
                                                        const sc_core::sc_time& delay) {
  Transaction t{Attributes(payload), stage, sc_core::sc_time_stamp() + delay, payload.get_response_status(),
                payload.has_mm(),    {}};
  if (!t.managed) t.extensions = extensions_of(payload);
  return underway_.insert_or_assign(&payload, std::move(t)).first->second;
}

void BaseProtocolRules::end(const Payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  ended_ += underway_.erase(&payload);
  last_end_ = sc_core::sc_time_stamp();
}

void BaseProtocolRules::check_references(const Payload& payload, Side side) {
  if (!payload.has_mm())
    violate(ProtocolRule::memory_management, side, "nb_transport with a payload without memory manager");
  else if (payload.get_ref_count() == 0)
    violate(ProtocolRule::memory_management, side, "nb_transport with a payload without reference");
}

void BaseProtocolRules::check_request(const Payload& p) {
  const auto wrong = [&](const char* what) { violate(ProtocolRule::initial_values, Side::initiator, what); };
  if (p.get_command() != tlm::TLM_IGNORE_COMMAND) {
    if (!p.is_read() && !p.is_write()) wrong("the command is none");
    if (!p.get_data_ptr()) wrong("the data pointer is null");
    if (p.get_data_length() == 0) wrong("the data length is 0");
  }
  if (p.get_byte_enable_ptr() && p.get_byte_enable_length() == 0) wrong("the byte enable length is 0");
  if (p.get_streaming_width() == 0) wrong("the streaming width is 0");
  if (p.get_gp_option() != tlm::TLM_MIN_PAYLOAD) wrong("the payload option is not TLM_MIN_PAYLOAD");
  if (p.is_dmi_allowed())
    violate(ProtocolRule::initial_dmi_hint, Side::initiator, "a request with the DMI hint set");
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violate(ProtocolRule::initial_status, Side::initiator, "a request with " + p.get_response_string());
}

void BaseProtocolRules::check_kept(Transaction& t, const Payload& p, Side side) {
  const Attributes& was = t.attributes;
  const std::uint64_t before = count();
  if (const char* what = changed(was, p)) {
    violate(ProtocolRule::attributes, side, std::string("the ") + what + " has changed");
  } else {  // the pointers are the same
    if (!std::equal(was.bytes.begin(), was.bytes.end(), was.data))
      violate(ProtocolRule::data, side, "the bytes of a write have changed");
    if (!std::equal(was.enable_bytes.begin(), was.enable_bytes.end(), was.enables))
      violate(ProtocolRule::data, side, "the byte enables have changed");
  }
  if (options_.address_kept && p.get_address() != was.address)
    violate(ProtocolRule::address, side,
            "address " + std::to_string(was.address) + " has become " + std::to_string(p.get_address()));
  if (count() != before) t.attributes = Attributes(p);  // a change is reported once
}

void BaseProtocolRules::check_time(Transaction& t, const sc_core::sc_time& delay, Side side,
                                   const std::string& event) {
  const sc_core::sc_time local = sc_core::sc_time_stamp() + delay;
  if (local < t.time)
    violate(ProtocolRule::time_order, side,
            event + " at local time " + local.to_string() + ", after " + t.time.to_string());
  t.time = std::max(t.time, local);
}

void BaseProtocolRules::check_no_wait(const Call& c, Side side, const char* function) {
  if (c.at != sc_core::sc_time_stamp() || c.deltas != sc_core::sc_delta_count())
    violate(ProtocolRule::no_wait, side, std::string(function) + " has waited");
}

void BaseProtocolRules::check_accepted(const Call& c, const Payload& p, const tlm_phase& phase,
                                       const sc_core::sc_time& delay, Side side) {
  const auto wrong = [&](const char* what) {
    violate(ProtocolRule::accepted_as_is, side,
            name(c.phase) + " answered with TLM_ACCEPTED, but " + what + " has changed");
  };
  if (phase != c.phase) wrong("the phase");
  if (delay != c.delay) wrong("the delay");
  if (!find(p)) return;
  if (p.get_response_status() != c.status) wrong("the response status");
  if (p.is_dmi_allowed() != c.hint) wrong("the DMI hint");
}

void BaseProtocolRules::check_response(const Payload& p) {
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    violate(ProtocolRule::response_status, Side::target, "a response with TLM_INCOMPLETE_RESPONSE");
}

// ---- nb_transport_fw

BaseProtocolRules::Call BaseProtocolRules::forward(Payload& p, const tlm_phase& phase,
                                                   const sc_core::sc_time& delay) {
  if (in_backward_ > 0)
    violate(ProtocolRule::no_reentry, Side::initiator,
            "nb_transport_fw with " + name(phase) + " inside nb_transport_bw");
  ++in_forward_;
  check_references(p, Side::initiator);
  if (phase == tlm::BEGIN_REQ) {
    begin_request(p, delay);
  } else if (phase == tlm::END_RESP) {
    end_response(p, delay);
  } else if (is_base(phase)) {
    violate(ProtocolRule::phase_direction, Side::initiator, name(phase) + " in nb_transport_fw");
  } else if (Transaction* t = find(p)) {
    check_kept(*t, p, Side::initiator);
    check_time(*t, delay, Side::initiator, name(phase));
  } else {
    violate(ProtocolRule::phase_sequence, Side::initiator,
            name(phase) + " of a transaction that is not under way");
  }
  return call(p, phase, delay);
}

void BaseProtocolRules::begin_request(Payload& p, const sc_core::sc_time& delay) {
  if (const Transaction* t = find(p)) {
    if (t->stage == Stage::blocking)
      violate(ProtocolRule::mixed_interfaces, Side::initiator,
              "BEGIN_REQ of a transaction that is in b_transport");
    else
      violate(ProtocolRule::phase_sequence, Side::initiator, "BEGIN_REQ of a transaction that is under way");
    if (responding_ == &p) responding_ = nullptr;
  } else if (requesting_) {
    violate(ProtocolRule::request_exclusion, Side::initiator,
            "BEGIN_REQ before the request of another transaction has ended");
  }
  check_request(p);
  open(p, Stage::request, delay);
  requesting_ = &p;
}

void BaseProtocolRules::end_response(const Payload& p, const sc_core::sc_time& delay) {
  Transaction* t = find(p);
  if (!t || t->stage != Stage::response) {
    violate(ProtocolRule::phase_sequence, Side::initiator, "END_RESP without BEGIN_RESP");
    return;
  }
  check_kept(*t, p, Side::initiator);
  check_time(*t, delay, Side::initiator, "END_RESP");
  if (p.get_response_status() != t->status)
    violate(ProtocolRule::response_status, Side::initiator,
            "the response status has changed after the response");
  end(p);
}

void BaseProtocolRules::forward_returns(const Call& c, Payload& p, const tlm_phase& phase,
                                        const sc_core::sc_time& delay, tlm::tlm_sync_enum answered) {
  --in_forward_;
  check_no_wait(c, Side::target, "nb_transport_fw");
  if (is_base(c.phase) && c.phase != tlm::BEGIN_REQ && c.phase != tlm::END_RESP) return;  // reported
  switch (answered) {
    case tlm::TLM_ACCEPTED:
      check_accepted(c, p, phase, delay, Side::target);
      break;
    case tlm::TLM_UPDATED:
      if (c.phase == tlm::END_RESP)
        violate(ProtocolRule::return_value, Side::target, "END_RESP answered with TLM_UPDATED");
      else
        answer(p, phase, delay, true);
      break;
    case tlm::TLM_COMPLETED:
      if (Transaction* t = find(p); t && c.phase != tlm::END_RESP) {
        check_kept(*t, p, Side::target);
        check_time(*t, delay, Side::target, "TLM_COMPLETED");
        check_response(p);
        end(p);
      } else if (delay < c.delay) {
        violate(ProtocolRule::time_order, Side::target, name(c.phase) + " returned with a shorter delay");
      }
      break;
    default:
      violate(ProtocolRule::return_value, Side::target, "a return value that is none");
  }
}

// ---- nb_transport_bw

BaseProtocolRules::Call BaseProtocolRules::backward(Payload& p, const tlm_phase& phase,
                                                    const sc_core::sc_time& delay) {
  if (in_forward_ > 0)
    violate(ProtocolRule::no_reentry, Side::target,
            "nb_transport_bw with " + name(phase) + " inside nb_transport_fw");
  ++in_backward_;
  check_references(p, Side::target);
  answer(p, phase, delay, false);
  return call(p, phase, delay);
}

void BaseProtocolRules::answer(Payload& p, const tlm_phase& phase, const sc_core::sc_time& delay,
                               bool returned) {
  if (is_base(phase) && phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    violate(returned ? ProtocolRule::return_value : ProtocolRule::phase_direction, Side::target,
            name(phase) + (returned ? " with TLM_UPDATED" : " in nb_transport_bw"));
    return;
  }
  Transaction* t = find(p);
  if (!t) {
    violate(ProtocolRule::phase_sequence, Side::target,
            name(phase) + " of a transaction that is not under way");
    return;
  }
  if (t->stage == Stage::blocking) {
    violate(ProtocolRule::mixed_interfaces, Side::target,
            name(phase) + " of a transaction that is in b_transport");
    return;
  }
  check_kept(*t, p, Side::target);
  check_time(*t, delay, Side::target, name(phase));
  if (phase == tlm::END_REQ) {
    if (t->stage != Stage::request) {
      violate(ProtocolRule::phase_sequence, Side::target, "END_REQ of a request that has ended");
      return;
    }
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      violate(ProtocolRule::early_status, Side::target, "END_REQ with " + p.get_response_string());
    t->stage = Stage::accepted;
    if (requesting_ == &p) requesting_ = nullptr;
  } else if (phase == tlm::BEGIN_RESP) {
    if (t->stage == Stage::response) {
      violate(ProtocolRule::phase_sequence, Side::target, "a second BEGIN_RESP");
      return;
    }
    if (responding_)
      violate(ProtocolRule::response_exclusion, Side::target,
              "BEGIN_RESP before the response of another transaction has ended");
    check_response(p);
    t->status = p.get_response_status();
    t->stage = Stage::response;
    if (requesting_ == &p) requesting_ = nullptr;
    responding_ = &p;
  }
}

void BaseProtocolRules::backward_returns(const Call& c, Payload& p, const tlm_phase& phase,
                                         const sc_core::sc_time& delay, tlm::tlm_sync_enum answered) {
  --in_backward_;
  check_no_wait(c, Side::initiator, "nb_transport_bw");
  if (is_base(c.phase) && c.phase != tlm::END_REQ && c.phase != tlm::BEGIN_RESP) return;  // reported
  Transaction* t = find(p);  // null: it has ended during the call, and its payload may be in use again
  const bool response = t && c.phase == tlm::BEGIN_RESP;
  if (answered != tlm::TLM_ACCEPTED && delay < c.delay)
    violate(ProtocolRule::time_order, Side::initiator, name(c.phase) + " returned with a shorter delay");
  switch (answered) {
    case tlm::TLM_ACCEPTED:
      check_accepted(c, p, phase, delay, Side::initiator);
      break;
    case tlm::TLM_UPDATED:
      if (!is_base(phase)) break;
      if (phase != tlm::END_RESP || c.phase == tlm::END_REQ)
        violate(ProtocolRule::return_value, Side::initiator,
                name(c.phase) + " answered with TLM_UPDATED and " + name(phase));
      else if (response)
        end(p);
      break;
    case tlm::TLM_COMPLETED:
      if (c.phase != tlm::BEGIN_RESP)
        violate(ProtocolRule::return_value, Side::initiator, name(c.phase) + " answered with TLM_COMPLETED");
      else if (response)
        end(p);
      break;
    default:
      violate(ProtocolRule::return_value, Side::initiator, "a return value that is none");
  }
}

// ---- b_transport, transport_dbg, DMI

BaseProtocolRules::Call BaseProtocolRules::blocking(Payload& p, const sc_core::sc_time& delay) {
  if (in_forward_ > 0 || in_backward_ > 0)
    violate(ProtocolRule::blocking_caller, Side::initiator, "b_transport inside nb_transport");
  else if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    violate(ProtocolRule::blocking_caller, Side::initiator, "b_transport called by a method process");
  if (p.has_mm() && p.get_ref_count() == 0)
    violate(ProtocolRule::memory_management, Side::initiator, "b_transport with a payload without reference");
  if (find(p)) {
    violate(ProtocolRule::mixed_interfaces, Side::initiator,
            "b_transport of a transaction that is under way");
    end(p);
  }
  check_request(p);
  open(p, Stage::blocking, delay);
  return call(p, tlm::UNINITIALIZED_PHASE, delay);
}

void BaseProtocolRules::blocking_returns(const Call&, Payload& p, const sc_core::sc_time& delay) {
  Transaction* t = find(p);
  if (!t || t->stage != Stage::blocking) return;  // reported
  check_kept(*t, p, Side::target);
  check_time(*t, delay, Side::target, "b_transport");
  check_response(p);
  if (p.has_mm() != t->managed)
    violate(ProtocolRule::memory_management, Side::target, "b_transport has changed the memory manager");
  else if (!t->managed && extensions_of(p) != t->extensions)
    violate(ProtocolRule::memory_management, Side::target,
            "b_transport has changed the extensions of a payload without memory manager");
  end(p);
}

BaseProtocolRules::Call BaseProtocolRules::debug(Payload& p) {
  if (p.get_data_length() > 0 && !p.get_data_ptr())
    violate(ProtocolRule::debug, Side::initiator, "the data pointer is null");
  Call c = call(p, tlm::UNINITIALIZED_PHASE, sc_core::SC_ZERO_TIME);
  c.attributes.emplace(p);
  return c;
}

void BaseProtocolRules::debug_returns(const Call& c, Payload& p, unsigned bytes) {
  check_no_wait(c, Side::target, "transport_dbg");
  const Attributes& was = *c.attributes;
  if (bytes > was.length)
    violate(ProtocolRule::debug, Side::target,
            std::to_string(bytes) + " bytes answered, " + std::to_string(was.length) + " asked for");
  if (const char* what = changed(was, p))
    violate(ProtocolRule::debug, Side::target, std::string("the ") + what + " has changed");
  else if (!std::equal(was.bytes.begin(), was.bytes.end(), was.data))
    violate(ProtocolRule::debug, Side::target, "the bytes of a write have changed");
  if (options_.address_kept && p.get_address() != was.address)
    violate(ProtocolRule::address, Side::target, "transport_dbg has changed the address");
}

BaseProtocolRules::Call BaseProtocolRules::dmi(Payload& p, const tlm::tlm_dmi& region) {
  if (invalidating_ > 0)
    violate(ProtocolRule::dmi, Side::initiator, "get_direct_mem_ptr inside invalidate_direct_mem_ptr");
  const tlm::tlm_dmi fresh;
  if (region.get_dmi_ptr() || region.get_granted_access() != tlm::tlm_dmi::DMI_ACCESS_NONE ||
      region.get_start_address() != fresh.get_start_address() ||
      region.get_end_address() != fresh.get_end_address() ||
      region.get_read_latency() != sc_core::SC_ZERO_TIME ||
      region.get_write_latency() != sc_core::SC_ZERO_TIME)
    violate(ProtocolRule::dmi, Side::initiator, "the DMI descriptor has been used before");
  Call c = call(p, tlm::UNINITIALIZED_PHASE, sc_core::SC_ZERO_TIME);
  c.attributes.emplace(p);
  return c;
}

void BaseProtocolRules::dmi_returns(const Call& c, Payload& p, const tlm::tlm_dmi& region, bool granted) {
  check_no_wait(c, Side::target, "get_direct_mem_ptr");
  const Attributes& was = *c.attributes;
  const auto wrong = [&](const char* what) { violate(ProtocolRule::dmi, Side::target, what); };
  if (p.get_command() != was.command) wrong("the command has changed");
  if (region.get_start_address() > region.get_end_address()) wrong("the region ends before it starts");
  if (was.address < region.get_start_address() || was.address > region.get_end_address())
    wrong("the region does not contain the address");
  if (!granted) return;
  if (!region.get_dmi_ptr()) wrong("granted without a pointer");
  if (was.command == tlm::TLM_READ_COMMAND && !region.is_read_allowed())
    wrong("granted without permission to read");
  if (was.command == tlm::TLM_WRITE_COMMAND && !region.is_write_allowed())
    wrong("granted without permission to write");
}

void BaseProtocolRules::invalidate(sc_dt::uint64 start, sc_dt::uint64 end) {
  ++invalidating_;
  if (start > end) violate(ProtocolRule::dmi, Side::target, "an invalidated range ends before it starts");
}

}  // namespace flitmend
