// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <tlm>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Ignorable extension of a generic payload. With TLM_IGNORE_COMMAND it is a message of `length` flits
/// without data bytes, for traffic whose contents do not matter. Without it such a payload is a message of 2
/// flits, head and tail.
struct MessageExtension : tlm::tlm_extension<MessageExtension> {
  static constexpr std::uint32_t kDefaultLength = 2;

  std::uint32_t length = kDefaultLength;  ///< flits, 1 … 65535
  std::uint32_t tag = 0;
  /// Cycle in which the initiator created the request, if it could not hand it over then; kNever: now.
  Cycle created = kNever;

  tlm::tlm_extension_base* clone() const override { return new MessageExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MessageExtension&>(other);
  }
};

}  // namespace flitmend
