// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/format.h"

#include <algorithm>

#include "base/text.h"

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

bool IdSet::add(std::uint32_t id) {
  const std::uint32_t number = id >> kPageBits;
  if (full_[number]) return false;
  Page& page = partial_[number];
  const std::size_t bit = id & (kPageIds - 1);
  if (page.ids[bit]) return false;
  page.ids[bit] = true;
  if (++page.count == kPageIds) {
    partial_.erase(number);
    full_[number] = true;
  }
  return true;
}

bool IdSet::contains(std::uint32_t id) const {
  const std::uint32_t number = id >> kPageBits;
  if (full_[number]) return true;
  const auto page = partial_.find(number);
  return page != partial_.end() && page->second.ids[id & (kPageIds - 1)];
}

std::string NetracePacketOrder::add(const NetracePacket& p) {
  if (!netrace_type(p.type)) {
    std::string text = formatted("has the unknown type %1%; known:", p.type);
    for (const NetraceType& type : netrace_types()) text += formatted(" %1% %2%,", type.number, type.name);
    text.pop_back();
    return text;
  }
  for (const auto& [node, role] : {std::pair{p.source, "source"}, std::pair{p.destination, "destination"}})
    if (node >= nodes_)
      return formatted("has the %1% %2%, but the trace has only the nodes 0 to %3%", role, node, nodes_ - 1);
  if (p.cycle < cycle_)
    return formatted("is out of order: the packet before it has the later cycle %1%", cycle_);
  if (!seen_.add(p.id)) return "has an id that an earlier packet has already";
  announced_.erase(p.id);
  for (std::uint32_t id : p.dependants) {
    if (id == p.id) return "lists itself among the packets that wait for it";
    if (seen_.contains(id))
      return formatted(
          "lists packet id %1% as waiting for it, but that packet came earlier; only later packets can wait",
          id);
    announced_.insert(id);
  }
  cycle_ = p.cycle;
  ++packets_;
  return {};
}

std::string NetracePacketOrder::end() const {
  if (announced_.empty()) return {};
  const std::uint32_t first = *std::min_element(announced_.begin(), announced_.end());
  return formatted("lists %1% packet id(s) as waiting that never come; the lowest is %2%", announced_.size(),
                   first);
}

}  // namespace flitmend
