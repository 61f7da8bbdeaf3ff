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

void SettingsWriter::line(const Key& key, const std::string& value) {
  text_ += indent_ + std::string(key.name) + ": " + value;
  if (!key.unit.empty()) text_ += "  # " + std::string(key.unit);
  text_ += "\n";
}

void SettingsWriter::key(const Key& k, std::int64_t& value, Range<std::int64_t>) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, double& value, Range<double>) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, bool& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::string& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::string& value, const std::vector<Choice>&) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<std::int64_t>& value, Range<std::int64_t>) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<std::string>& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<NodeName>& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, Duration& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<LinkName>& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<FaultEvent>& value) {
  line(k, value_text(value));
}

void SettingsWriter::key(const Key& k, std::vector<AddressMapEntry>& value) {
  line(k, value_text(value));
}

std::string to_yaml(Configuration configuration) {
  SettingsWriter writer;
  configuration.visit(writer);
  return writer.text();
}

}  // namespace flitmend
