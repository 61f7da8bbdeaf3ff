#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze probability-vectors`: the vectors of all nodes of a k-ary n-cube with named faults.
void add_probability_vectors(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-routing`: one route over named faults, or statistics over random ones.
void add_probability_routing(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-bounds`: Theorem 1 and Theorem 2.
void add_probability_bounds(CLI::App& analyze, Command& command);

}  // namespace flitmend
