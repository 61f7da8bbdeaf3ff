// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

namespace flitmend {

/// Stands before a target that has no nb_transport_fw, and calls its b_transport from a thread. It takes one
/// request at a time, and accepts each with its response.
class BlockingTarget final : public tlm::tlm_fw_transport_if<> {
 public:
  /// Gets the response (BEGIN_RESP), with the delay that the target has annotated.
  using Respond = std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time& delay)>;

  /// While the simulation runs. `refusal`: the error that its nb_transport_fw has reported. If its first
  /// b_transport reports one too, the refusal was not about a missing function. Both are then reported, in an
  /// error of the first one's type. `name`: of the target, for that error.
  BlockingTarget(tlm::tlm_fw_transport_if<>& target, const sc_core::sc_report& refusal, std::string name,
                 Respond respond);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
    target_.b_transport(p, delay);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
    return target_.get_direct_mem_ptr(p, dmi);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return target_.transport_dbg(p); }

 private:
  void serve();
  void call(tlm::tlm_generic_payload&, sc_core::sc_time& delay);

  tlm::tlm_fw_transport_if<>& target_;
  std::optional<sc_core::sc_report> refusal_;  ///< until a b_transport has returned
  std::string name_;
  Respond respond_;
  tlm::tlm_generic_payload* request_ = nullptr;  ///< for the thread
  sc_core::sc_event asked_;
};

}  // namespace flitmend
