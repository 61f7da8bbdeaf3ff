// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/html.h"

#include <boost/format.hpp>
#include <cmath>

namespace flitmend {

std::string html_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

std::string script_json(const nlohmann::ordered_json& value) {
  const std::string plain = value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(plain.size());
  // These occur only inside strings.
  for (const char c : plain) switch (c) {
      case '<':
        escaped += "\\u003c";
        break;
      case '>':
        escaped += "\\u003e";
        break;
      case '&':
        escaped += "\\u0026";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

std::string rounded_text(double number, int digits) {
  if (std::floor(number) == number && std::abs(number) < 1e15) return (boost::format("%.0f") % number).str();
  return (boost::format("%." + std::to_string(digits) + "g") % number).str();
}

}  // namespace flitmend
