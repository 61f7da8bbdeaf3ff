// SPDX-License-Identifier: Apache-2.0
#include "base/memory_reserve.h"

#include <utility>

namespace flitmend {
namespace {

MemoryReserve* current_reserve = nullptr;

}  // namespace

MemoryReserve::MemoryReserve(std::size_t bytes, std::function<void()> on_use)
    : on_use_(std::move(on_use)), memory_(::operator new(bytes, std::nothrow)) {
  current_reserve = this;
  before_ = std::set_new_handler(&release);
}

MemoryReserve::~MemoryReserve() {
  std::set_new_handler(before_);
  current_reserve = nullptr;
  ::operator delete(memory_.exchange(nullptr));
}

void MemoryReserve::release() {
  void* const memory = current_reserve->memory_.exchange(nullptr);
  if (!memory) throw std::bad_alloc();
  ::operator delete(memory);
  current_reserve->used_ = true;
  current_reserve->on_use_();
}

}  // namespace flitmend
