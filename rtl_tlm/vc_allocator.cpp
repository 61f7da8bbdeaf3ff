#include "rtl_tlm/vc_allocator.h"

#include <algorithm>

namespace flitmend {

VcAllocator::VcAllocator(sc_core::sc_module_name name, unsigned ids, unsigned vcs, unsigned iterations,
                         VcPointers* registers)
    : sc_module(name),
      ids_(ids),
      vcs_(vcs),
      iterations_(iterations),
      own_registers_(registers ? 0 : ids),
      registers_(registers ? registers : own_registers_.data()),
      grantee_(ids, kNoVc) {
  touched_.reserve(ids);
  reset();
}

void VcAllocator::reset() {
  const auto last = static_cast<std::uint16_t>(ids_ - 1);
  std::fill(registers_, registers_ + ids_, VcPointers{last, last});
}

void VcAllocator::grant_round(std::span<Request> requests, bool first) {
  touched_.clear();
  for (unsigned i = 0; i < requests.size(); ++i) {
    const Request& r = requests[i];
    if (r.granted != kNoVc) continue;
    for (VcMask rest = r.vcs; rest; rest &= rest - 1) {
      const unsigned output = r.port * vcs_ + static_cast<unsigned>(std::countr_zero(rest));
      std::uint16_t& grantee = grantee_[output];
      if (grantee == kNoVc) {
        touched_.push_back(static_cast<std::uint16_t>(output));
        grantee = static_cast<std::uint16_t>(i);
        continue;
      }
      const unsigned last = registers_[output].input;
      const auto distance = [&](unsigned input) { return input > last ? input - last : input + ids_ - last; };
      if (distance(r.input) < distance(requests[grantee].input)) grantee = static_cast<std::uint16_t>(i);
    }
  }
  for (unsigned i = 0; i < requests.size(); ++i) {
    Request& r = requests[i];
    if (r.granted != kNoVc) continue;
    VcMask grants = 0;
    for (VcMask rest = r.vcs; rest; rest &= rest - 1) {
      const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
      if (grantee_[r.port * vcs_ + vc] == i) grants |= VcMask{1} << vc;
    }
    if (!grants) continue;
    const unsigned output = accept(registers_, vcs_, r, grants);
    r.granted = static_cast<std::uint16_t>(output);
    if (first) settle(registers_, r.input, output);
  }
  for (const std::uint16_t output : touched_) grantee_[output] = kNoVc;
}

void VcAllocator::match(std::span<Request> requests) {
  for (Request& r : requests) r.granted = kNoVc;
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    if (iteration > 0)  // what the earlier iterations have given away is gone
      for (const Request& given : requests)
        if (given.granted != kNoVc)
          for (Request& r : requests)
            if (r.granted == kNoVc && r.port == given.port)
              r.vcs &= ~(VcMask{1} << (given.granted - r.port * vcs_));
    grant_round(requests, iteration == 0);
  }
}

}  // namespace flitmend
