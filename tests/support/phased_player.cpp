// SPDX-License-Identifier: Apache-2.0
#include "support/phased_player.h"

#include <algorithm>
#include <utility>

#include "support/memory_image.h"

namespace flitmend {

using sc_core::sc_time;

PhasedPlayer::PhasedPlayer(sc_core::sc_module_name name, PayloadPool& pool, PlayerForms forms,
                           std::vector<std::uint64_t> slices, std::size_t slice_bytes, unsigned transactions,
                           std::uint64_t seed, std::uint32_t index)
    : sc_module(name),
      pool_(pool),
      forms_(std::move(forms)),
      slices_(std::move(slices)),
      slice_bytes_(slice_bytes),
      transactions_(transactions),
      random_(seed, RandomPurpose::test, index),
      references_(slices_.size(), std::vector<unsigned char>(slice_bytes)),
      last_answered_(slices_.size()),
      at_target_(slices_.size()) {
  socket.register_nb_transport_bw(this, &PhasedPlayer::nb_transport_bw);
  SC_THREAD(play);
  SC_THREAD(end_responses);
}

sc_time PhasedPlayer::up_to(unsigned longest) {
  return sc_time(random_.below(longest + 1), sc_core::SC_NS);
}

void PhasedPlayer::play() {
  while (sent_ < transactions_) {
    const bool again = std::exchange(read_back_, false);
    if (!again) wait(up_to(forms_.longest_gap));
    const std::size_t target =
        again ? written_.target : random_.below(static_cast<std::uint32_t>(slices_.size()));
    const bool blocking = chance(forms_.blocking);
    // A blocking transaction is not ordered with those under way.
    while (requesting_ || open_.size() >= forms_.outstanding ||
           (at_target_[target] > 0 && (blocking || forms_.one_per_target)))
      wait(changed_);
    if (next_request_ > sc_core::sc_time_stamp()) wait(next_request_ - sc_core::sc_time_stamp());
    Payload& p = next(target, again);
    ++sent_;
    if (blocking)
      send_blocking(p);
    else
      send(p);
  }
}

tlm::tlm_generic_payload& PhasedPlayer::next(std::size_t target, bool again) {
  const unsigned longest = std::min<unsigned>(forms_.longest, static_cast<unsigned>(slice_bytes_));
  const unsigned length = again ? written_.length : 1 + random_.below(longest);
  const std::uint64_t address =
      again ? written_.address
            : slices_[target] + random_.below(static_cast<std::uint32_t>(slice_bytes_ - length + 1));
  const bool write = !again && chance(forms_.writes);
  Payload& p = *pool_.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, length);
  for (unsigned i = 0; i < length; ++i) p.get_data_ptr()[i] = static_cast<unsigned char>(random_.below(256));
  if (write) {
    written_ = {target, address, length};
    read_back_ = chance(forms_.read_back);
  }
  Open& open = open_[&p];
  open.target = target;
  open.number = sent_ + 1;
  if (chance(forms_.streaming)) p.set_streaming_width(1 + random_.below(length));
  if (chance(forms_.byte_enables)) {
    open.enables.resize(1 + random_.below(length));
    for (unsigned char& e : open.enables)
      e = static_cast<unsigned char>(random_.below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    p.set_byte_enable_ptr(open.enables.data());
    p.set_byte_enable_length(static_cast<unsigned>(open.enables.size()));
  }
  ++at_target_[target];
  return p;
}

void PhasedPlayer::send_blocking(Payload& p) {
  sc_time delay = up_to(forms_.longest_delay);
  socket->b_transport(p, delay);
  wait(delay);
  response(p);
  close(p);
}

void PhasedPlayer::send(Payload& p) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = up_to(forms_.longest_delay);
  requesting_ = true;
  switch (socket->nb_transport_fw(p, phase, delay)) {
    case tlm::TLM_ACCEPTED:
      break;
    case tlm::TLM_UPDATED:
      request_ended(delay);
      if (phase == tlm::BEGIN_RESP) {
        response(p);
        to_end_.notify(p, delay + up_to(forms_.longest_accept));
      }
      break;
    case tlm::TLM_COMPLETED:
      request_ended(delay);
      response(p);
      close(p);
      break;
  }
}

void PhasedPlayer::request_ended(const sc_time& delay) {
  requesting_ = false;
  next_request_ = std::max(next_request_, sc_core::sc_time_stamp() + delay);
  changed_.notify(sc_core::SC_ZERO_TIME);
}

tlm::tlm_sync_enum PhasedPlayer::nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::END_REQ) {
    request_ended(delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) SC_REPORT_FATAL("phased_player", "a phase that does not fit");
  // It implies END_REQ if this is the request that has not ended. Requests are numbered in their order.
  if (requesting_ && open_.at(&p).number == sent_) request_ended(delay);
  response(p);
  const ResponseEnd form =
      forms_.response_ends[random_.below(static_cast<std::uint32_t>(forms_.response_ends.size()))];
  if (form == ResponseEnd::end_resp_call) {
    to_end_.notify(p, delay + up_to(forms_.longest_accept));
    return tlm::TLM_ACCEPTED;
  }
  delay += up_to(forms_.longest_delay);
  close(p);
  if (form == ResponseEnd::completed) return tlm::TLM_COMPLETED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void PhasedPlayer::response(Payload& p) {
  const Open& open = open_.at(&p);
  ++answered_;
  if (open.number < last_answered_[open.target]) ++overtaken_;
  last_answered_[open.target] = std::max(last_answered_[open.target], open.number);
  if (p.get_response_status() != tlm::TLM_OK_RESPONSE) {
    ++failed_;
    return;
  }
  std::vector<unsigned char>& reference = references_[open.target];
  if (p.is_write())
    access_bytes(reference, slices_[open.target], p);
  else if (!read_matches(reference, slices_[open.target], p))
    ++wrong_reads_;
}

void PhasedPlayer::close(Payload& p) {
  const auto at = open_.find(&p);
  --at_target_[at->second.target];
  open_.erase(at);
  p.set_byte_enable_length(0);
  p.release();
  changed_.notify(sc_core::SC_ZERO_TIME);
}

void PhasedPlayer::end_responses() {
  while (true) {
    wait(to_end_.get_event());
    while (Payload* p = to_end_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_time delay = up_to(forms_.longest_delay);
      socket->nb_transport_fw(*p, phase, delay);
      close(*p);
    }
  }
}

}  // namespace flitmend
