// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <ostream>
#include <string>

#include "program/terminal/busy_line.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"
#include "protocols/deadlock/proof_listener.h"

namespace flitmend {

/// Shows the progress of a deadlock check if standard error is a terminal, and lets a signal to the guard
/// stop it:
/// "deadlock check, channel dependencies: 42 %, 0:12 left". The time is that of the step.
class TerminalProof : public ProofListener {
 public:
  /// The guard must outlive this.
  TerminalProof(std::ostream& err, bool quiet, const InterruptGuard&);
  void begin_step(std::string_view step) override;
  void update(std::uint64_t done, std::uint64_t all) override;
  bool stop() const override { return interrupt_.stop(); }

 private:
  const InterruptGuard& interrupt_;
  std::optional<BusyLine> preparing_;  ///< until the first update
  std::optional<TerminalLine> line_;
  std::string step_;
  std::chrono::steady_clock::time_point step_began_;
};

}  // namespace flitmend
