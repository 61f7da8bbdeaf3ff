// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/options.h"

namespace flitmend {

/// Section `recovery`: the keys of several protocols. Keys of a single one are options, in its own folder.
struct RecoverySettings {
  std::string protocol = "none";
  std::int64_t timeout = 0;
  std::int64_t retry_limit = 0;
  OptionValues options = {};
  std::int64_t backoff_limit = 4;
  std::int64_t guard_timeout = 4000;
  std::string guard_acknowledgement = "assumed";

  void visit(SettingsVisitor&);
};

// Section `recovery.backoff` of protocols that send a message again after a random wait.
extern const OptionSection kBackoffSection;
extern const OptionKey kKillBackoff;

}  // namespace flitmend
