// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <tlm>
#include <vector>

namespace flitmend {

/// Where byte i of the data of a transaction is in memory.
inline sc_dt::uint64 byte_address(const tlm::tlm_generic_payload& p, unsigned i) {
  return p.get_address() + (p.get_streaming_width() > 0 ? i % p.get_streaming_width() : i);
}

/// Whether byte i of the data takes part.
inline bool byte_enabled(const tlm::tlm_generic_payload& p, unsigned i) {
  const unsigned char* enables = p.get_byte_enable_ptr();
  return !enables || enables[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Does a read or write of bytes that start at address `base`, with byte enables and streaming width.
inline void access_bytes(std::vector<unsigned char>& bytes, sc_dt::uint64 base, tlm::tlm_generic_payload& p) {
  for (unsigned i = 0; i < p.get_data_length(); ++i) {
    if (!byte_enabled(p, i)) continue;
    unsigned char& at = bytes.at(byte_address(p, i) - base);
    unsigned char& data = p.get_data_ptr()[i];
    if (p.is_write()) at = data;
    if (p.is_read()) data = at;
  }
}

/// Whether a read has brought what those bytes hold.
inline bool read_matches(const std::vector<unsigned char>& bytes, sc_dt::uint64 base,
                         const tlm::tlm_generic_payload& p) {
  for (unsigned i = 0; i < p.get_data_length(); ++i)
    if (byte_enabled(p, i) && p.get_data_ptr()[i] != bytes.at(byte_address(p, i) - base)) return false;
  return true;
}

}  // namespace flitmend
