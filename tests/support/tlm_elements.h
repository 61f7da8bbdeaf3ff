// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/signals/ring_queue.h"
#include "rtl_tlm/sockets/payload_pool.h"
#include "support/memory_image.h"

namespace flitmend {

inline sc_core::sc_time nanoseconds(double ns) {
  return sc_core::sc_time(ns, sc_core::SC_NS);
}

inline constexpr std::uint64_t kNodeBytes = 4096;  ///< address range of a node in tests

/// The legal ways for a target to answer BEGIN_REQ.
enum class TargetForm : unsigned {
  completed,          ///< TLM_COMPLETED
  response_returned,  ///< TLM_UPDATED with BEGIN_RESP
  request_ended,      ///< TLM_UPDATED with END_REQ, then BEGIN_RESP
  four_phases,        ///< TLM_ACCEPTED, then END_REQ, then BEGIN_RESP
  implied_end,        ///< TLM_ACCEPTED, then BEGIN_RESP
};
inline constexpr unsigned kTargetForms = 5;

/// The legal ways for an initiator to take BEGIN_RESP.
enum class InitiatorForm : unsigned {
  completed,       ///< TLM_COMPLETED
  response_ended,  ///< TLM_UPDATED with END_RESP
  later,           ///< TLM_ACCEPTED, then END_RESP
  never,           ///< TLM_ACCEPTED, and nothing after it
};
inline constexpr unsigned kInitiatorForms = 3;  ///< without `never`

/// Reads and writes as a memory does, byte enables and streaming width included.
inline void access_bytes(tlm::tlm_generic_payload& p, std::vector<unsigned char>& memory) {
  if (p.get_address() + std::min(p.get_streaming_width(), p.get_data_length()) > memory.size()) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  access_bytes(memory, 0, p);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// The form of a target's next answer, its accept delay, its latency, and its status: with an error the
/// request is not executed.
struct TargetChoice {
  TargetForm form = TargetForm::completed;
  sc_core::sc_time accept{}, latency{};
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

/// A memory that answers requests in any legal form, with delays. It executes them in the order in which they
/// come.
template <unsigned BUSWIDTH>
class FormedTargetOf : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<FormedTargetOf, BUSWIDTH> socket{"socket"};
  std::vector<unsigned char> bytes;
  using Choice = TargetChoice;
  std::function<Choice()> choose = [] { return Choice{}; };
  unsigned requests = 0;
  unsigned errors = 0;   ///< requests that choose() has answered with an error
  bool refuses = false;  ///< does not accept the next request
  bool silent = false;   ///< accepts requests and answers none

  explicit FormedTargetOf(sc_core::sc_module_name name, std::size_t size = 4096)
      : sc_module(name), bytes(size) {
    socket.register_nb_transport_fw(this, &FormedTargetOf::nb_transport_fw);
    socket.register_transport_dbg(this, &FormedTargetOf::transport_dbg);
  }

  /// Accepts the request that it has refused, and from now on all of them.
  void accept() {
    refuses = false;
    access_bytes(*refused_, bytes);
    statuses_.emplace_back(refused_, refused_->get_response_status());
    refused_->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    queue_.notify(*refused_, tlm::END_REQ, nanoseconds(1));
    queue_.notify(*refused_, tlm::BEGIN_RESP, nanoseconds(2));
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      responding_ = nullptr;
      queue_.notify(p, tlm::END_RESP, delay);
      return tlm::TLM_COMPLETED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    ++requests;
    if (refuses) {
      p.acquire();
      refused_ = &p;
      return tlm::TLM_ACCEPTED;
    }
    if (silent) {
      p.acquire();
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    Choice choice = choose();
    if (choice.status == tlm::TLM_OK_RESPONSE) {
      access_bytes(p, bytes);
    } else {
      p.set_response_status(choice.status);
      ++errors;
    }
    const tlm::tlm_response_status status = p.get_response_status();
    const bool busy = responding_ || !ready_.empty();
    if (busy && choice.form <= TargetForm::response_returned) choice.form = TargetForm::four_phases;
    if (choice.form > TargetForm::response_returned) {
      p.acquire();
      p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      statuses_.emplace_back(&p, status);
    }
    switch (choice.form) {
      case TargetForm::completed:
        delay += choice.latency;
        return tlm::TLM_COMPLETED;
      case TargetForm::response_returned:
        responding_ = &p;
        phase = tlm::BEGIN_RESP;
        delay += choice.latency;
        return tlm::TLM_UPDATED;
      case TargetForm::request_ended:
        phase = tlm::END_REQ;
        delay += choice.accept;
        queue_.notify(p, tlm::BEGIN_RESP, delay + choice.latency);
        return tlm::TLM_UPDATED;
      case TargetForm::four_phases:
        queue_.notify(p, tlm::END_REQ, delay + choice.accept);
        queue_.notify(p, tlm::BEGIN_RESP, delay + choice.accept + nanoseconds(0.5) + choice.latency);
        return tlm::TLM_ACCEPTED;
      case TargetForm::implied_end:
        queue_.notify(p, tlm::BEGIN_RESP, delay + choice.latency);
        return tlm::TLM_ACCEPTED;
    }
    return tlm::TLM_COMPLETED;
  }
  void due(tlm::tlm_generic_payload& p, const tlm::tlm_phase& at) {
    if (at == tlm::END_REQ) {
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      EXPECT_EQ(socket->nb_transport_bw(p, phase, delay), tlm::TLM_ACCEPTED);
      return;
    }
    if (at == tlm::BEGIN_RESP) ready_.push(&p);
    while (!responding_ && !ready_.empty()) respond();
  }
  void respond() {
    tlm::tlm_generic_payload& p = *ready_.front();
    ready_.pop();
    const auto status = std::ranges::find(statuses_, &p, &Status::first);
    p.set_response_status(status->second);
    statuses_.erase(status);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = (++responses_ % 3 == 0) ? nanoseconds(1.7) : sc_core::SC_ZERO_TIME;
    responding_ = &p;
    const auto answer = socket->nb_transport_bw(p, phase, delay);
    if (answer == tlm::TLM_COMPLETED || answer == tlm::TLM_UPDATED) responding_ = nullptr;
    p.release();
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    access_bytes(p, bytes);
    return p.get_data_length();
  }

  using Status = std::pair<const tlm::tlm_generic_payload*, tlm::tlm_response_status>;
  tlm_utils::peq_with_cb_and_phase<FormedTargetOf> queue_{this, &FormedTargetOf::due};
  RingQueue<tlm::tlm_generic_payload*> ready_;
  std::vector<Status> statuses_;  ///< with which those under way will be answered
  tlm::tlm_generic_payload* responding_ = nullptr;
  tlm::tlm_generic_payload* refused_ = nullptr;
  unsigned responses_ = 0;
};

using FormedTarget = FormedTargetOf<32>;

/// An initiator that issues the payloads it is given as fast as END_REQ allows, and takes responses in any
/// legal form.
template <unsigned BUSWIDTH>
class FormedInitiatorOf : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<FormedInitiatorOf, BUSWIDTH> socket{"socket"};
  /// The next payload, with one reference; null: no more. And its annotated delay.
  std::function<tlm::tlm_generic_payload*(sc_core::sc_time& delay)> next;
  /// A response has arrived.
  std::function<void(tlm::tlm_generic_payload&)> answered = [](auto&) {};
  std::function<InitiatorForm()> choose = [] { return InitiatorForm::completed; };
  /// Whether the next payload goes through b_transport, after all before it have been answered.
  std::function<bool()> blocks = [] { return false; };
  unsigned sent = 0;
  unsigned responses = 0;
  std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> invalidated;

  explicit FormedInitiatorOf(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &FormedInitiatorOf::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &FormedInitiatorOf::invalidate_direct_mem_ptr);
    sc_core::sc_spawn([this] { send_blocking(); }, sc_core::sc_gen_unique_name("send_blocking"));
  }
  /// Sends until a request is not accepted at once, or there are no more.
  void send() {
    while (!waiting_) {
      sc_core::sc_time delay;
      tlm::tlm_generic_payload* const p = next ? next(delay) : nullptr;
      if (!p) return;
      ++sent;
      if (blocks()) {
        waiting_ = true;
        blocking_ = p;
        blocking_delay_ = delay;
        answered_.notify(sc_core::SC_ZERO_TIME);
        return;
      }
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      switch (socket->nb_transport_fw(*p, phase, delay)) {
        case tlm::TLM_ACCEPTED:
          waiting_ = true;
          requesting_ = p;
          break;
        case tlm::TLM_UPDATED:
          if (phase == tlm::BEGIN_RESP) {
            end_later(*p, delay + nanoseconds(3));
          } else {
            EXPECT_EQ(phase, tlm::END_REQ);
          }
          if (delay == sc_core::SC_ZERO_TIME) break;
          waiting_ = true;  // until the local time of that phase
          wake_.notify(*p, tlm::END_REQ, delay);
          break;
        case tlm::TLM_COMPLETED:
          take(*p);
          break;
      }
    }
  }

 private:
  void take(tlm::tlm_generic_payload& p) {
    ++responses;
    answered(p);
    p.release();
    if (blocking_) answered_.notify(sc_core::SC_ZERO_TIME);
  }
  void send_blocking() {
    for (;;) {
      while (!blocking_ || responses + 1 < sent) sc_core::wait(answered_);
      tlm::tlm_generic_payload& p = *std::exchange(blocking_, nullptr);
      socket->b_transport(p, blocking_delay_);
      sc_core::wait(blocking_delay_);
      waiting_ = false;
      take(p);
      send();
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) {
      requesting_ = nullptr;
      wake_.notify(p, tlm::END_REQ, delay);
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    if (requesting_ == &p) {  // this implies END_REQ
      requesting_ = nullptr;
      wake_.notify(p, tlm::END_REQ, delay);
    }
    switch (choose()) {
      case InitiatorForm::completed:
        take(p);
        return tlm::TLM_COMPLETED;
      case InitiatorForm::response_ended:
        delay += nanoseconds(2.5);
        phase = tlm::END_RESP;
        take(p);
        return tlm::TLM_UPDATED;
      case InitiatorForm::later:
        end_later(p, delay + nanoseconds(3));
        return tlm::TLM_ACCEPTED;
      case InitiatorForm::never:
        return tlm::TLM_ACCEPTED;
    }
    return tlm::TLM_COMPLETED;
  }
  /// Sends END_RESP after that time.
  void end_later(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
    p.acquire();
    wake_.notify(p, tlm::END_RESP, delay);
  }
  void due(tlm::tlm_generic_payload& p, const tlm::tlm_phase& at) {
    if (at == tlm::END_REQ) {
      waiting_ = false;
      send();
      return;
    }
    take(p);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_fw(p, phase, delay);
    p.release();
  }

  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    invalidated.emplace_back(first, last);
  }

  bool waiting_ = false;                            ///< the next request may not be made yet
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< its END_REQ has to come
  tlm::tlm_generic_payload* blocking_ = nullptr;    ///< for the thread
  sc_core::sc_time blocking_delay_;
  sc_core::sc_event answered_;  ///< the thread has something to look at
  tlm_utils::peq_with_cb_and_phase<FormedInitiatorOf> wake_{this, &FormedInitiatorOf::due};
};

using FormedInitiator = FormedInitiatorOf<32>;

}  // namespace flitmend
