// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/commands/commands.h"

namespace flitmend {

/// `flitmend analyze fault-rings`: the probability that a minimal path of an n-dimensional mesh meets a fault
/// region or its ring, exactly and by random paths.
void add_fault_rings(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-vectors`: the vectors of all nodes of a k-ary n-cube with named faults.
void add_probability_vectors(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-routing`: one route over named faults, or statistics over random ones.
void add_probability_routing(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-bounds`: [AlSadi03 Theorem 1, Theorem 2].
void add_probability_bounds(CLI::App& analyze, Command& command);
/// `flitmend analyze kns-tolerance`: which combinations of faulty links a KNS network tolerates.
void add_kns_tolerance(CLI::App& analyze, Command& command);
/// `flitmend analyze kns-tables`: sizes of routing tables for intermediate nodes.
void add_kns_tables(CLI::App& analyze, Command& command);
/// `flitmend analyze kary-ncube-model`: the queueing model of Software-Based routing.
void add_kary_ncube_model(CLI::App& analyze, Command& command);
/// `flitmend analyze paper NAME|--list`: a published table next to ours, with the difference and a verdict
/// per row.
void add_paper(CLI::App& analyze, Command& command);

}  // namespace flitmend
