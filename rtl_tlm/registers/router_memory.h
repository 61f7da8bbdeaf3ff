// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// Memory for the registers of a network's routers: contiguous blocks, in large pages for large networks.
/// Blocks live as long as this object.
class RouterMemory {
 public:
  RouterMemory();
  ~RouterMemory();
  RouterMemory(const RouterMemory&) = delete;
  RouterMemory& operator=(const RouterMemory&) = delete;

  /// The layout shared by all routers with that many ports.
  RouterLayout& layout(NetworkContext&, unsigned ports, bool has_local_port);
  /// Uninitialised memory for a block.
  std::byte* block(const RouterLayout&);
  /// A ring of words that nobody reads, for announcements without a receiver; as long as the layout's rings.
  Word* nobody(const RouterLayout&);

 private:
  struct Free {
    void operator()(std::byte*) const;
  };
  std::map<std::pair<unsigned, bool>, std::unique_ptr<RouterLayout>> layouts_;
  std::vector<std::unique_ptr<std::byte, Free>> chunks_;
  std::size_t chunk_size_ = 0;  ///< of the last chunk
  std::size_t used_ = 0;        ///< bytes of the last chunk
  std::vector<Word> nobody_;
};

}  // namespace flitmend
