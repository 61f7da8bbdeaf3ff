// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

/// Files that the build embeds (cmake/FlitmendEmbed.cmake): the parts of a page, and the plotting library,
/// which is empty if the build could not fetch it.
namespace flitmend::assets {

extern const std::string_view report_css;
extern const std::string_view curves_js;
extern const std::string_view histogram_js;
extern const std::string_view hit_latency_js;
extern const std::string_view main_js;
extern const std::string_view map_js;
extern const std::string_view sender_memory_js;
extern const std::string_view tables_js;
extern const std::string_view timeline_js;

extern const std::string_view vega;
extern const std::string_view vega_lite;
extern const std::string_view licences;

}  // namespace flitmend::assets
