#include "rtl_tlm/vc_allocator.h"

#include <algorithm>

namespace flitmend {

VcAllocator::VcAllocator(sc_core::sc_module_name name, unsigned ids, unsigned vcs, unsigned iterations)
    : sc_module(name),
      ids_(ids),
      vcs_(vcs),
      iterations_(iterations),
      grant_pointer_(ids),
      accept_pointer_(ids),
      grantee_(ids, kNoVc) {
  touched_.reserve(ids);
}

void VcAllocator::reset() {
  std::fill(grant_pointer_.begin(), grant_pointer_.end(), std::uint16_t{0});
  std::fill(accept_pointer_.begin(), accept_pointer_.end(), std::uint16_t{0});
}

unsigned VcAllocator::accept(const Request& r, VcMask grants) const {
  const unsigned base = r.port * vcs_;
  const unsigned pointer = accept_pointer_[r.input];
  const unsigned from = pointer > base && pointer < base + vcs_ ? pointer - base : 0;
  return base + round_robin(grants, from);
}

void VcAllocator::grant_round(std::vector<Request>& requests, bool first) {
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
      const unsigned pointer = grant_pointer_[output];
      const auto distance = [&](unsigned input) {
        return input >= pointer ? input - pointer : input + ids_ - pointer;
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
      if (grantee_[r.port * vcs_ + vc] == i) grants |= VcMask{1} << vc;
    }
    if (!grants) continue;
    const unsigned output = accept(r, grants);
    r.granted = static_cast<std::uint16_t>(output);
    if (first) {
      grant_pointer_[output] = static_cast<std::uint16_t>(r.input + 1u == ids_ ? 0 : r.input + 1u);
      accept_pointer_[r.input] = static_cast<std::uint16_t>(output + 1u == ids_ ? 0 : output + 1u);
    }
  }
  for (const std::uint16_t output : touched_) grantee_[output] = kNoVc;
}

void VcAllocator::allocate(std::vector<Request>& requests) {
  for (Request& r : requests) r.granted = kNoVc;
  if (requests.size() == 1) {  // nobody to share with: every requested virtual channel is granted
    Request& r = requests.front();
    const unsigned output = accept(r, r.vcs);
    r.granted = static_cast<std::uint16_t>(output);
    grant_pointer_[output] = static_cast<std::uint16_t>(r.input + 1u == ids_ ? 0 : r.input + 1u);
    accept_pointer_[r.input] = static_cast<std::uint16_t>(output + 1u == ids_ ? 0 : output + 1u);
    return;
  }
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
