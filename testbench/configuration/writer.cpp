// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/writer.h"

#include "testbench/configuration/settings_writer.h"

namespace flitmend {

std::string to_yaml(Configuration configuration) {
  SettingsWriter writer;
  configuration.visit(writer);
  return writer.text();
}

}  // namespace flitmend
