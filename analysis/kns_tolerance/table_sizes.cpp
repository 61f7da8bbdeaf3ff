// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/table_sizes.h"

#include <string>
#include <vector>

#include "analysis/kns_tolerance/limits.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"
#include "protocols/routing/intermediate_nodes/masked_table.h"

namespace flitmend {

KnsTableSizes kns_table_sizes(const IntermediateChooser& chooser, unsigned jobs, SurveyListener* listener) {
  const std::uint32_t nodes = chooser.faults().shape().node_count();
  if (nodes > kMaxKnsTableRouters)
    throw ConfigurationError(
        formatted("the tables of all routers can be built for at most %1% routers; %2% has %3%; ask for the "
                  "table of one router instead",
                  kMaxKnsTableRouters, chooser.faults().shape().description(), nodes));
  std::vector<KnsTableSizes> sizes(nodes);
  SurveyProgress progress(listener, nodes);
  parallel_for(jobs, nodes, [&](std::size_t s) {
    const auto source = static_cast<std::uint32_t>(s);
    const LinearTable linear(chooser, source);
    for (std::uint32_t d = 0; d < nodes; ++d) sizes[s].unreachable += !linear.lookup(d).reachable;
    sizes[s].linear.add(linear.size());
    sizes[s].destination.add(DestinationTable(chooser, source).size());
    sizes[s].masked.add(MaskedTable(chooser, source).size());
    progress.add(1);
  });
  KnsTableSizes sum;
  for (const KnsTableSizes& one : sizes) {
    sum.linear.add(one.linear);
    sum.destination.add(one.destination);
    sum.masked.add(one.masked);
    sum.unreachable += one.unreachable;
  }
  return sum;
}

}  // namespace flitmend
