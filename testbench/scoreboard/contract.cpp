// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/contract.h"

#include "base/text.h"

namespace flitmend {
namespace {

void add(Results& results, std::string what) {
  Violation v;
  v.what = std::move(what);
  ++results.contract.violations;
  results.contract.first.push_back(std::move(v));
}

void check_sums(Results& r) {
  const MessageResults& m = r.messages;
  const std::uint64_t settled = m.delivered + m.lost + m.undeliverable + m.voided + m.in_flight;
  if (m.generated != settled)
    add(r, formatted("%1% messages generated, but %2% accounted for", m.generated, settled));
  const std::uint64_t flits = r.flits.consumed + r.flits.discarded + r.flits.in_network;
  if (r.flits.injected != flits)
    add(r, formatted("%1% flits injected, but %2% consumed, discarded or in the network", r.flits.injected,
                     flits));
  if (r.contract.credits_missing) add(r, formatted("%1% credits missing", r.contract.credits_missing));
}

void check_empty(Results& r) {
  if (r.messages.in_flight) add(r, formatted("%1% messages in flight after the drain", r.messages.in_flight));
  if (r.flits.in_network) add(r, formatted("%1% flits in the network after the drain", r.flits.in_network));
  if (r.contract.virtual_channels_not_idle)
    add(r, formatted("%1% virtual channels not idle after the drain", r.contract.virtual_channels_not_idle));
}

}  // namespace

void judge_contract(Results& results, bool drained) {
  check_sums(results);
  if (drained) check_empty(results);
  results.contract.holds = results.contract.violations == 0;
}

}  // namespace flitmend
