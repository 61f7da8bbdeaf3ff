// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/contract.h"

#include <boost/format.hpp>
#include <locale>

namespace flitmend {
namespace {

void add(Results& results, std::string what) {
  Violation v;
  v.what = std::move(what);
  ++results.contract.violations;
  results.contract.first.push_back(std::move(v));
}

boost::format text(const char* pattern) {
  return boost::format(pattern, std::locale::classic());
}

void check_sums(Results& r) {
  const MessageResults& m = r.messages;
  const std::uint64_t settled = m.delivered + m.lost + m.undeliverable + m.voided + m.in_flight;
  if (m.generated != settled)
    add(r, (text("%d messages generated, but %d accounted for") % m.generated % settled).str());
  const std::uint64_t flits = r.flits.consumed + r.flits.discarded + r.flits.in_network;
  if (r.flits.injected != flits)
    add(r,
        (text("%d flits injected, but %d consumed, discarded or in the network") % r.flits.injected % flits)
            .str());
  if (r.contract.credits_missing) add(r, (text("%d credits missing") % r.contract.credits_missing).str());
}

void check_empty(Results& r) {
  if (r.messages.in_flight)
    add(r, (text("%d messages in flight after the drain") % r.messages.in_flight).str());
  if (r.flits.in_network)
    add(r, (text("%d flits in the network after the drain") % r.flits.in_network).str());
  if (r.contract.virtual_channels_not_idle)
    add(r,
        (text("%d virtual channels not idle after the drain") % r.contract.virtual_channels_not_idle).str());
}

}  // namespace

void judge_contract(Results& results, bool drained) {
  check_sums(results);
  if (drained) check_empty(results);
  results.contract.holds = results.contract.violations == 0;
}

}  // namespace flitmend
