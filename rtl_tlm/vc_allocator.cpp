// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/vc_allocator.h"

#include <algorithm>

namespace flitmend {

VcAllocator::VcAllocator(sc_core::sc_module_name name, unsigned ids, unsigned vcs, unsigned iterations,
                         VcPointers* registers, VcScratch* scratch)
    : sc_module(name),
      shape_{ids, vcs, iterations},
      own_registers_(registers ? 0 : ids),
      registers_(registers ? registers : own_registers_.data()),
      own_scratch_(scratch ? 0 : ids),
      scratch_(scratch ? scratch : &own_scratch_) {
  reset();
}

void VcAllocator::reset() {
  std::fill(registers_, registers_ + shape_.ids, VcPointers::power_up(shape_.ids));
}

void VcAllocator::grant_round(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                              std::span<Request> requests, bool first) {
  scratch.touched.clear();
  for (unsigned i = 0; i < requests.size(); ++i) {
    const Request& r = requests[i];
    if (r.granted != kNoVc) continue;
    for (VcMask rest = r.vcs; rest; rest &= rest - 1) {
      const unsigned output = r.port * shape.vcs + static_cast<unsigned>(std::countr_zero(rest));
      std::uint16_t& grantee = scratch.grantee[output];
      if (grantee == kNoVc) {
        scratch.touched.push_back(static_cast<std::uint16_t>(output));
        grantee = static_cast<std::uint16_t>(i);
        continue;
      }
      const unsigned last = registers[output].input;
      const auto distance = [&](unsigned input) {
        return input > last ? input - last : input + shape.ids - last;
      };
      if (distance(r.input) < distance(requests[grantee].input)) grantee = static_cast<std::uint16_t>(i);
    }
  }
  for (unsigned i = 0; i < requests.size(); ++i) {
    Request& r = requests[i];
    if (r.granted != kNoVc) continue;
    VcMask grants = 0;
    for (VcMask rest = r.vcs; rest; rest &= rest - 1) {
      const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
      if (scratch.grantee[r.port * shape.vcs + vc] == i) grants |= VcMask{1} << vc;
    }
    if (!grants) continue;
    const unsigned output = accept(registers, shape.vcs, r, grants);
    r.granted = static_cast<std::uint16_t>(output);
    if (first) update_pointers(registers, r.input, output);
  }
  for (const std::uint16_t output : scratch.touched) scratch.grantee[output] = kNoVc;
}

void VcAllocator::match(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                        std::span<Request> requests) {
  for (Request& r : requests) r.granted = kNoVc;
  for (unsigned iteration = 0; iteration < shape.iterations; ++iteration) {
    if (iteration > 0)  // what the earlier iterations have given away is gone
      for (const Request& given : requests)
        if (given.granted != kNoVc)
          for (Request& r : requests)
            if (r.granted == kNoVc && r.port == given.port)
              r.vcs &= ~(VcMask{1} << (given.granted - r.port * shape.vcs));
    grant_round(shape, registers, scratch, requests, iteration == 0);
  }
}

}  // namespace flitmend
