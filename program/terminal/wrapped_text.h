// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace flitmend {

/// Columns of the terminal on standard output; `otherwise` if it is not a terminal.
std::size_t output_columns(std::size_t otherwise);

/// Breaks a text at its spaces into lines of at most `width` columns, counted with an indent; all lines but
/// the first are indented. A longer word has a line of its own.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width);

/// The same for each line of a text that is wider. Its further lines are indented as it is, and by two more
/// columns. width 0: no line is broken.
std::string wrapped_lines(const std::string& text, std::size_t width);

}  // namespace flitmend
