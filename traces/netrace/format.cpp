// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/format.h"

namespace flitmend {
namespace {
constexpr std::uint32_t kControl = 8;  // bytes of a message without a cache line
constexpr std::uint32_t kLine = 72;    // bytes of a message with a cache line

constexpr NetraceType kTypes[] = {
    {1, "ReadReq", kControl},
    {2, "ReadResp", kLine},
    {3, "ReadRespWithInvalidate", kLine},
    {4, "WriteReq", kLine},
    {5, "WriteResp", kControl},
    {6, "Writeback", kLine},
    {13, "UpgradeReq", kControl},
    {14, "UpgradeResp", kControl},
    {15, "ReadExReq", kControl},
    {16, "ReadExResp", kLine},
    {25, "BadAddressError", kControl},
    {27, "InvalidateReq", kControl},
    {28, "InvalidateResp", kControl},
    {29, "DowngradeReq", kControl},
    {30, "DowngradeResp", kLine},
};
}  // namespace

std::span<const NetraceType> netrace_types() {
  return kTypes;
}

const NetraceType* netrace_type(std::uint8_t number) {
  for (const NetraceType& type : kTypes)
    if (type.number == number) return &type;
  return nullptr;
}

}  // namespace flitmend
