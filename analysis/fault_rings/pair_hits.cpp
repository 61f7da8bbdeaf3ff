// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/pair_hits.h"

#include <algorithm>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
constexpr double kMaxPairSteps = 1e12;  // about an hour on one core

/// All nodes so that those nearer to the source on a minimal path come first: dimension by dimension, away
/// from the source.
std::vector<Node> outwards(const MeshShape& mesh, Node source) {
  std::vector<Node> order = {source};
  order.reserve(mesh.node_count());
  for (unsigned i = 0; i < mesh.dimensions(); ++i) {
    const std::size_t before = order.size();
    const std::uint32_t x = mesh.coordinate(source, i);
    const Node stride = mesh.stride(i);
    for (std::uint32_t up = 1; x + up < mesh.radix(i); ++up)
      for (std::size_t at = 0; at < before; ++at) order.push_back(order[at] + up * stride);
    for (std::uint32_t down = 1; down <= x; ++down)
      for (std::size_t at = 0; at < before; ++at) order.push_back(order[at] - down * stride);
  }
  return order;
}

PairHits survey_source(const FaultPattern& pattern, FaultRegion region, Node source) {
  PairHits found;
  const std::vector<double> hits = pair_hits_from(pattern, region, source);
  for (Node to = 0; to < hits.size(); ++to) {
    if (to == source || pattern.faulty(to)) continue;
    const double p = hits[to];
    ++found.pairs;
    found.sum += p;
    if (p == 0)
      ++found.never;
    else if (p == 1)
      ++found.always;
    else
      ++found.between[std::min(PairHits::kTenths - 1, static_cast<unsigned>(p * PairHits::kTenths))];
  }
  return found;
}

}  // namespace

PairHits& PairHits::operator+=(const PairHits& o) {
  pairs += o.pairs;
  never += o.never;
  always += o.always;
  sum += o.sum;
  for (unsigned i = 0; i < kTenths; ++i) between[i] += o.between[i];
  return *this;
}

std::vector<double> pair_hits_from(const FaultPattern& pattern, FaultRegion region, Node source) {
  const MeshShape& mesh = pattern.mesh();
  std::vector<double> hits(mesh.node_count());
  for (const Node node : outwards(mesh, source)) {
    if (pattern.in_region(node, region)) {
      hits[node] = 1;
      continue;
    }
    // Of the paths to a node, a share Δ_i / Σ Δ comes through its neighbour in dimension i. Whole numbers are
    // summed first, so that a node behind neighbours of 0 or of 1 has just that.
    double sum = 0;
    std::uint32_t length = 0;
    for (unsigned i = 0; i < mesh.dimensions(); ++i) {
      const std::uint32_t from = mesh.coordinate(source, i), x = mesh.coordinate(node, i);
      if (x == from) continue;
      const std::uint32_t d = x > from ? x - from : from - x;
      length += d;
      sum += d * hits[x > from ? node - mesh.stride(i) : node + mesh.stride(i)];
    }
    hits[node] = length ? sum / length : 0;
  }
  return hits;
}

double pair_steps(const MeshShape& mesh) {
  const double nodes = mesh.node_count();
  return mesh.dimensions() * nodes * nodes;
}

PairHits survey_pairs(const FaultPattern& pattern, FaultRegion region, unsigned jobs,
                      SurveyListener* listener) {
  const MeshShape& mesh = pattern.mesh();
  if (pair_steps(mesh) > kMaxPairSteps)
    throw ConfigurationError(formatted(
        "fault rings: P_hit of every pair of the %s mesh would take about %.0e steps (n·N²), more than "
        "the limit of %.0e; make the mesh smaller",
        mesh.description(), pair_steps(mesh), kMaxPairSteps));
  std::vector<PairHits> by_source(mesh.node_count());
  SurveyProgress progress(listener, mesh.node_count());
  parallel_for(jobs, by_source.size(), [&](std::size_t source) {
    const auto node = static_cast<Node>(source);
    if (!pattern.faulty(node)) by_source[source] = survey_source(pattern, region, node);
    progress.add(1);
  });
  PairHits all;
  for (const PairHits& found : by_source) all += found;
  return all;
}

}  // namespace flitmend
