// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "base/settings.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// Reads the value of a key, of any kind, and leaves it unchanged on error. `path`: the dotted path of the
/// key, `unit`: its unit. Errors go into the list, those of a list's items with their index:
/// "traffic.hotspot_nodes[2]: …".
void read_key(const DocumentNode&, const ValuePointer&, const AllowedValues&, const std::string& path,
              std::string_view unit, ErrorList&);

}  // namespace flitmend
