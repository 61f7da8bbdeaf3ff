// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// Every routing algorithm on every topology: virtual channels, guarantee and reference, as a Markdown table
/// for docs/routing.md.
std::string routing_table_page();

}  // namespace flitmend
