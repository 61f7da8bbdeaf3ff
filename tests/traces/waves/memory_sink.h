// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>

#include "traces/waves/byte_sink.h"

namespace flitmend {

/// What has been written to a MemorySink; outlives it.
struct MemoryFile {
  std::string text;
  std::size_t room = ~std::size_t{0};    ///< bytes that fit
  std::size_t scarce = ~std::size_t{0};  ///< size from which on the sink reports that it is filling
  bool removed = false;
  bool closed = false;
};

/// A sink in memory, like a disk of a given size.
class MemorySink final : public ByteSink {
 public:
  explicit MemorySink(MemoryFile& file) : file_(file) {}
  State write(const char* bytes, std::size_t count) override {
    const std::size_t fits = std::min(count, file_.room - file_.text.size());
    file_.text.append(bytes, fits);
    if (fits < count || file_.text.size() >= file_.scarce) error_ = "full";
    return fits < count ? State::failed : error_.empty() ? State::open : State::filling;
  }
  std::uint64_t size() const override { return file_.text.size(); }
  void cut(std::uint64_t size) override {
    file_.text.resize(size);
    file_.removed = size == 0;
  }
  bool close() override { return file_.closed = true; }
  void rescue(const char* bytes, std::size_t count) noexcept override { file_.text.append(bytes, count); }
  const std::string& error() const override { return error_; }

 private:
  MemoryFile& file_;
  std::string error_;
};

}  // namespace flitmend
