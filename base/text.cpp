// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <boost/format.hpp>
#include <locale>

namespace flitmend {

std::string formatted_text(std::string_view format, std::initializer_list<FormatArgument> arguments) {
  boost::format text(std::string(format), std::locale::classic());
  for (const FormatArgument& argument : arguments)
    std::visit([&text](const auto& value) { text % value; }, argument.value());
  return text.str();
}

}  // namespace flitmend
