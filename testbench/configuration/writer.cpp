// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/writer.h"

#include "testbench/configuration/value_text.h"

namespace flitmend {

void SettingsWriter::begin_section(std::string_view name, std::string_view) {
  text_ += indent_ + std::string(name) + ":\n";
  indent_ += "  ";
}

void SettingsWriter::end_section() {
  indent_.resize(indent_.size() - 2);
}

void SettingsWriter::visit_key(const Key& key, ValuePointer value, const AllowedValues&) {
  text_ += indent_ + std::string(key.name) + ": " + value_text(value);
  if (!key.unit.empty()) text_ += "  # " + std::string(key.unit);
  text_ += "\n";
}

std::string to_yaml(Configuration configuration) {
  SettingsWriter writer;
  configuration.visit(writer);
  return writer.text();
}

}  // namespace flitmend
