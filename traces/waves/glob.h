// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "traces/waves/signal_tree.h"

namespace flitmend {

/// Whether the whole text fits the pattern: * stands for any run of characters (dots too), ? for one, [a-c]
/// and [!a-c] for one of a set. A [ that is never closed stands for itself.
bool glob_matches(std::string_view pattern, std::string_view text);

/// The signals that any of the globs names: a glob names a signal by its full name, or a scope and with it
/// everything in it. No glob at all names everything. Throws ConfigurationError for a glob that names
/// nothing, and lists names near to it.
std::vector<bool> select_signals(const SignalTree&, const std::vector<std::string>& globs);

}  // namespace flitmend
