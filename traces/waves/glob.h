// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "traces/waves/signal_tree.h"

namespace flitmend {

/// Whether the whole text matches the pattern, as in fnmatch(3): * matches any run of characters (dots too),
/// ? one, [a-c] and [!a-c] one of a set. A [ that is never closed matches itself; \ has no meaning of its
/// own.
bool glob_matches(const std::string& pattern, const std::string& text);

/// The signals that any of the globs matches: a glob matches the full name of a signal, or that of a scope
/// and with it everything in the scope. No glob at all selects everything. Throws ConfigurationError for a
/// glob that matches nothing, and lists similar names.
std::vector<bool> select_signals(const SignalTree&, const std::vector<std::string>& globs);

}  // namespace flitmend
