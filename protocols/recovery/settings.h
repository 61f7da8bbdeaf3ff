// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `recovery.overhead`: the time that the software of a node needs.
struct OverheadSettings {
  std::int64_t compose = 13;
  std::int64_t receive = 19;
};

/// Section `recovery.backoff`: the longest random wait before a message is sent again.
struct BackoffSettings {
  std::int64_t kill = 32;
  std::int64_t timeout = 128;
};

/// Section `recovery`.
struct RecoverySettings {
  std::string protocol = "none";
  std::int64_t timeout = 0;
  std::int64_t retry_limit = 0;
  std::string handshake = "none";
  std::int64_t acknowledgement_delay = 0;
  OverheadSettings overhead;
  BackoffSettings backoff;
  std::int64_t fcr_capacity = 0;
  std::int64_t ask_timeout = 500;
  std::int64_t repeat_timeout = 600;
  std::int64_t backoff_limit = 4;
  std::int64_t guard_timeout = 4000;
  std::string guard_acknowledgement = "assumed";
  std::int64_t scouting = 0;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
