// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "base/survey_progress.h"

namespace flitmend {

/// Receives the progress of a deadlock check. Each of its steps counts from 0 to its own total.
class ProofListener : public SurveyListener {
 public:
  /// The next calls of update() are about this step.
  virtual void begin_step(std::string_view step) = 0;
  /// The next step takes about this many bytes. May throw, which ends the check.
  virtual void needs_memory(std::string_view /*step*/, std::uint64_t /*bytes*/) {}
};

}  // namespace flitmend
