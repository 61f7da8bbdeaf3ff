// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"

#include "base/errors.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// routing.request: all. A head requests every free virtual channel of every candidate; nothing is selected.
class EveryCandidate final : public SelectionFunction {
 public:
  bool requests_all() const override { return true; }
  unsigned select(const RouteRequest&, const RouteCandidate*, const VcMask*, unsigned,
                  const OutputStatus&) const override {
    return 0;
  }
};

}  // namespace

#define FLITMEND_SELECTION(x) SelectionEntry x##_selection();
#include "protocols/routing/selection/functions.def"
#undef FLITMEND_SELECTION

const Registry<SelectionEntry>& selections() {
  static const Registry<SelectionEntry> registry("selection function", [] {
    std::vector<SelectionEntry> all;
#define FLITMEND_SELECTION(x) all.push_back(x##_selection());
#include "protocols/routing/selection/functions.def"
#undef FLITMEND_SELECTION
    return all;
  }());
  return registry;
}

std::unique_ptr<SelectionFunction> make_selection(const Topology& topology, const RoutingSettings& settings) {
  if (settings.request == "all") {
    if (settings.selection != "auto")
      throw KeyError("routing.selection",
                     settings.selection +
                         ", but with routing.request all nothing is selected: a head requests all of its "
                         "candidates; remove the key, or set routing.request to preferred",
                     {"routing.request"});
    return std::make_unique<EveryCandidate>();
  }
  const std::string_view name = settings.selection == "auto"
                                    ? routing_algorithms().at(settings.algorithm).default_selection
                                    : std::string_view(settings.selection);
  return selections().at(name).make(topology);
}

}  // namespace flitmend
