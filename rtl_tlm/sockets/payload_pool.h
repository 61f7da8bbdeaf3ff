// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Ignorable extension of a generic payload. With TLM_IGNORE_COMMAND it is a message of `length` flits
/// without data bytes, for traffic whose contents do not matter. Without it such a payload is a message of 2
/// flits, head and tail.
struct MessageExtension : tlm::tlm_extension<MessageExtension> {
  static constexpr std::uint32_t kDefaultLength = 2;

  std::uint32_t length = kDefaultLength;  ///< flits, 1 … 65535
  std::uint32_t tag = 0;
  std::uint8_t message_class = 0;  ///< of the request, with traffic.classes
  /// Cycle in which the initiator created the request, if it could not hand it over then; kNever: now.
  Cycle created = kNever;

  tlm::tlm_extension_base* clone() const override { return new MessageExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MessageExtension&>(other);
  }
};

/// Reusable generic payloads with memory management: no allocation in steady state. Each has its own data
/// buffer, which keeps its capacity, and a MessageExtension, which stays set.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;
  ~PayloadPool() override;

  /// A payload with one reference (release() returns it to the pool), reset to an incomplete response, with a
  /// buffer of `bytes` bytes (also data length and streaming width; 0: no buffer).
  tlm::tlm_generic_payload* acquire(tlm::tlm_command, sc_dt::uint64 address, std::size_t bytes);
  /// The same for a message of `length` flits without data.
  tlm::tlm_generic_payload* acquire_message(sc_dt::uint64 address, std::uint32_t length);
  /// Gives a payload of this pool byte enables, copied.
  void set_byte_enables(tlm::tlm_generic_payload&, const std::vector<unsigned char>&);
  /// Sets the extensions of another payload in one of this pool, by reference, until give_back_extensions().
  /// Its MessageExtension is copied, but for the cycle of creation.
  void borrow_extensions(tlm::tlm_generic_payload&, const tlm::tlm_generic_payload& from);
  /// Makes copies of them (tlm_extension_base::clone) the payload's own: the other payload may go. One that
  /// cannot be copied is no longer set.
  void own_extensions(tlm::tlm_generic_payload&);
  /// A payload with one reference that is like another one, and shares nothing with it: data, byte enables
  /// and extensions are copies.
  tlm::tlm_generic_payload* copy(const tlm::tlm_generic_payload&);
  /// Gives them back, and frees those that a target has set.
  void give_back_extensions(tlm::tlm_generic_payload&);
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  struct Entry : tlm::tlm_generic_payload {
    explicit Entry(tlm::tlm_mm_interface* mm) : tlm::tlm_generic_payload(mm) {}
    std::vector<unsigned char> bytes;
    std::vector<unsigned char> enables;
    MessageExtension extension;
    struct Borrowed {
      unsigned index;
      tlm::tlm_extension_base* extension;
    };
    std::vector<Borrowed> borrowed;
  };
  void free(tlm::tlm_generic_payload*) override;
  static void return_borrowed(Entry&);
  static void free_foreign_extensions(Entry&);
  Entry* take(tlm::tlm_command, sc_dt::uint64 address);

  std::vector<std::unique_ptr<Entry>> all_;
  std::vector<Entry*> free_;
};

}  // namespace flitmend
