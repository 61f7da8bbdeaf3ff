// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/payload_pool.h"

#include <algorithm>

namespace flitmend {

PayloadPool::~PayloadPool() {
  // A payload deletes its extensions. These belong to others, or are members of the entry.
  for (auto& entry : all_) {
    return_borrowed(*entry);
    entry->clear_extension<MessageExtension>();
  }
}

PayloadPool::Entry* PayloadPool::take(tlm::tlm_command command, sc_dt::uint64 address) {
  if (free_.empty()) {
    // Doubles, so allocations are rare.
    for (std::size_t more = std::max<std::size_t>(all_.size(), 16); more > 0; --more) {
      all_.push_back(std::make_unique<Entry>(this));
      all_.back()->set_extension(&all_.back()->extension);
      free_.push_back(all_.back().get());
    }
    free_.reserve(all_.size());
  }
  Entry* entry = free_.back();
  free_.pop_back();
  entry->acquire();
  entry->set_command(command);
  entry->set_address(address);
  entry->set_byte_enable_ptr(nullptr);
  entry->set_dmi_allowed(false);
  entry->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  entry->extension.length = MessageExtension::kDefaultLength;
  entry->extension.tag = 0;
  entry->extension.message_class = 0;
  entry->extension.created = kNever;
  return entry;
}

tlm::tlm_generic_payload* PayloadPool::acquire(tlm::tlm_command command, sc_dt::uint64 address,
                                               std::size_t bytes) {
  Entry* entry = take(command, address);
  entry->bytes.resize(bytes);
  entry->set_data_ptr(bytes ? entry->bytes.data() : nullptr);
  entry->set_data_length(static_cast<unsigned>(bytes));
  entry->set_streaming_width(static_cast<unsigned>(bytes));
  return entry;
}

tlm::tlm_generic_payload* PayloadPool::acquire_message(sc_dt::uint64 address, std::uint32_t length) {
  Entry* entry = take(tlm::TLM_IGNORE_COMMAND, address);
  entry->set_data_ptr(nullptr);
  entry->set_data_length(0);
  entry->set_streaming_width(1);
  entry->extension.length = length;
  return entry;
}

void PayloadPool::set_byte_enables(tlm::tlm_generic_payload& payload,
                                   const std::vector<unsigned char>& enables) {
  Entry& entry = static_cast<Entry&>(payload);
  entry.enables = enables;
  entry.set_byte_enable_ptr(entry.enables.data());
  entry.set_byte_enable_length(static_cast<unsigned>(enables.size()));
}

void PayloadPool::borrow_extensions(tlm::tlm_generic_payload& payload, const tlm::tlm_generic_payload& from) {
  Entry& entry = static_cast<Entry&>(payload);
  for (unsigned i = 0, all = tlm::max_num_extensions(); i < all; ++i) {
    tlm::tlm_extension_base* const extension = from.get_extension(i);
    if (!extension) continue;
    if (i == MessageExtension::ID) {
      entry.extension.copy_from(*extension);
      entry.extension.created = kNever;  // a cycle of this network; the payload may go on to another one
    } else {
      entry.set_extension(i, extension);
      entry.borrowed.push_back({i, extension});
    }
  }
}

void PayloadPool::own_extensions(tlm::tlm_generic_payload& payload) {
  Entry& entry = static_cast<Entry&>(payload);
  for (const Entry::Borrowed& b : entry.borrowed)
    if (entry.get_extension(b.index) == b.extension) entry.set_extension(b.index, b.extension->clone());
  entry.borrowed.clear();
}

tlm::tlm_generic_payload* PayloadPool::copy(const tlm::tlm_generic_payload& from) {
  const bool data = from.get_data_ptr() != nullptr;
  tlm::tlm_generic_payload* const made =
      acquire(from.get_command(), from.get_address(), data ? from.get_data_length() : 0);
  if (data) std::copy_n(from.get_data_ptr(), from.get_data_length(), made->get_data_ptr());
  made->set_data_length(from.get_data_length());
  made->set_streaming_width(from.get_streaming_width());
  if (const unsigned char* const enables = from.get_byte_enable_ptr())
    set_byte_enables(*made, {enables, enables + from.get_byte_enable_length()});
  borrow_extensions(*made, from);
  own_extensions(*made);
  return made;
}

void PayloadPool::return_borrowed(Entry& entry) {
  for (const Entry::Borrowed& b : entry.borrowed)
    if (entry.get_extension(b.index) == b.extension) entry.set_extension(b.index, nullptr);
  entry.borrowed.clear();
}

void PayloadPool::give_back_extensions(tlm::tlm_generic_payload& payload) {
  Entry& entry = static_cast<Entry&>(payload);
  return_borrowed(entry);
  for (unsigned i = 0, all = tlm::max_num_extensions(); i < all; ++i)
    if (entry.get_extension(i) != (i == MessageExtension::ID ? &entry.extension : nullptr)) {
      free_foreign_extensions(entry);
      return;
    }
}

void PayloadPool::free_foreign_extensions(Entry& entry) {
  if (entry.get_extension<MessageExtension>() == &entry.extension) entry.clear_extension<MessageExtension>();
  entry.free_all_extensions();
  entry.set_extension(&entry.extension);
}

// Sticky extensions are cleared by the module that set them (IEEE 1666), automatic ones by reset().
void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  Entry* entry = static_cast<Entry*>(payload);
  entry->reset();
  if (entry->get_extension<MessageExtension>() != &entry->extension) entry->set_extension(&entry->extension);
  free_.push_back(entry);
}

}  // namespace flitmend
