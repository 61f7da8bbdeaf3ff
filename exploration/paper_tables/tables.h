// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "exploration/paper_tables/paper_table.h"

namespace flitmend {

// The functions behind the registry, one per published table or figure. A figure is a picture without
// numbers; what is judged are the statements that the text makes about it.
PaperTable fault_rings_table_2(const PaperTableOptions&);
PaperTable probability_vectors_table_1(const PaperTableOptions&);
PaperTable probability_vectors_table_2(const PaperTableOptions&);
PaperTable probability_vectors_table_3(const PaperTableOptions&);
PaperTable probability_vectors_figure_2(const PaperTableOptions&);
PaperTable probability_vectors_figure_3(const PaperTableOptions&);
PaperTable probability_vectors_figure_4(const PaperTableOptions&);
PaperTable kns_table_1a(const PaperTableOptions&);
PaperTable kns_table_1b(const PaperTableOptions&);
PaperTable kns_figure_5(const PaperTableOptions&);
PaperTable kns_figure_6(const PaperTableOptions&);
PaperTable kns_lemmas(const PaperTableOptions&);
PaperTable kary_ncube_model_figure_3(const PaperTableOptions&);

/// The deviation from Lee distances, in percent, that the measured column of [AlSadi03 Table 3] implies as it
/// is printed (a fifth of the nodes faulty): the mean of (distance − l) / l over all nodes but one. None for
/// a k that is not in the table.
std::optional<double> printed_deviation_percent(std::uint32_t k);
/// The same for Theorem 2 and any number of faulty nodes.
double theorem2_deviation_percent(std::uint32_t k, std::uint32_t faults);

/// What a routing that knows every fault would do: a witness that shares nothing with a routing algorithm but
/// the network and its faults.
struct ShortestPaths {
  double deviation_percent = 0;     ///< mean of (length − Lee distance) / Lee distance over connected pairs
  double disconnected_percent = 0;  ///< of all ordered pairs of healthy nodes
};

/// Breadth-first search from every healthy node of the k-ary 3-cube, over the first fault sets that
/// probability_routing_statistics() draws for the same seed: as many as fit into some 10^7 pairs, at most
/// 1,000. NaN if no pair is connected.
ShortestPaths shortest_paths(std::uint32_t k, std::uint32_t faults, const PaperTableOptions& options);

}  // namespace flitmend
