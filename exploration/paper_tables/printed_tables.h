// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace flitmend::assets {

extern const std::string_view printed_tables;  ///< studies/papers/printed-tables.yaml

}  // namespace flitmend::assets
