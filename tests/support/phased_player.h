// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <unordered_map>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/tlm/payload_pool.h"

namespace flitmend {

/// The ways in which an initiator may end a response.
enum class ResponseEnd {
  completed,      ///< TLM_COMPLETED
  updated,        ///< TLM_UPDATED with END_RESP
  end_resp_call,  ///< TLM_ACCEPTED, END_RESP later
};

struct PlayerForms {
  std::vector<ResponseEnd> response_ends = {ResponseEnd::completed, ResponseEnd::updated,
                                            ResponseEnd::end_resp_call};
  double blocking = 0.1;         ///< share of transactions through b_transport
  double writes = 0.5;           ///< share of writes; the others are reads
  double read_back = 0;          ///< share of writes that a read of the same bytes follows at once
  double byte_enables = 0;       ///< share of transactions with byte enables
  double streaming = 0;          ///< share of transactions with a streaming width below their length
  unsigned longest = 64;         ///< bytes of a transaction
  unsigned outstanding = 4;      ///< non-blocking transactions under way, at most
  bool one_per_target = false;   ///< only one of them to each target
  unsigned longest_delay = 0;    ///< ns, annotated to BEGIN_REQ, END_RESP and returns
  unsigned longest_accept = 10;  ///< ns from BEGIN_RESP to END_RESP
  unsigned longest_gap = 20;     ///< ns between requests
};

/// An initiator with random reads and writes. It has a slice of its own in each target, and executes every
/// transaction on a reference memory when its response arrives: a read must bring what the reference holds.
class PhasedPlayer : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<PhasedPlayer> socket{"socket"};

  /// `slices`: the address of its slice in each target.
  SC_HAS_PROCESS(PhasedPlayer);
  PhasedPlayer(sc_core::sc_module_name, PayloadPool&, PlayerForms, std::vector<std::uint64_t> slices,
               std::size_t slice_bytes, unsigned transactions, std::uint64_t seed, std::uint32_t index);

  bool done() const { return sent_ == transactions_ && answered_ == sent_ && open_.empty(); }
  std::uint64_t answered() const { return answered_; }
  /// Responses other than TLM_OK_RESPONSE.
  std::uint64_t failed() const { return failed_; }
  /// Reads that brought other bytes than the reference has.
  std::uint64_t wrong_reads() const { return wrong_reads_; }
  /// Responses of a target that came after the response of a later request to it.
  std::uint64_t overtaken() const { return overtaken_; }
  /// What the slice in that target must hold at the end.
  const std::vector<unsigned char>& reference(std::size_t target) const { return references_.at(target); }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Open {
    std::size_t target;
    std::uint64_t number;  ///< in the order of requests
    std::vector<unsigned char> enables;
  };
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void play();
  void end_responses();
  /// The next transaction, filled in.
  Payload& next(std::size_t target, bool again);
  void send(Payload&);
  void send_blocking(Payload&);
  void request_ended(const sc_core::sc_time& delay);
  void response(Payload&);
  void close(Payload&);
  bool chance(double share) { return random_.uniform() < share; }
  sc_core::sc_time up_to(unsigned longest);

  PayloadPool& pool_;
  PlayerForms forms_;
  std::vector<std::uint64_t> slices_;
  std::size_t slice_bytes_;
  unsigned transactions_, sent_ = 0;
  struct {
    std::size_t target;
    std::uint64_t address;
    unsigned length;
  } written_{};             ///< the last write
  bool read_back_ = false;  ///< it is to be read next
  RandomStream random_;
  std::vector<std::vector<unsigned char>> references_;
  std::vector<std::uint64_t> last_answered_;  ///< number, by target
  std::vector<unsigned> at_target_;           ///< under way, by target
  std::unordered_map<Payload*, Open> open_;
  bool requesting_ = false;
  sc_core::sc_time next_request_;  ///< local time of the end of the last request
  sc_core::sc_event changed_;
  tlm_utils::peq_with_get<Payload> to_end_{"to_end"};
  std::uint64_t answered_ = 0, failed_ = 0, wrong_reads_ = 0, overtaken_ = 0;
};

}  // namespace flitmend
