// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/declarations.h"

#include <stdexcept>

#include "testbench/configuration/value_text.h"

namespace flitmend {

void DeclarationCollector::begin_section(std::string_view name, std::string_view description) {
  const std::string path =
      open_.empty() ? std::string(name) : sections_[open_.back()].path + "." + std::string(name);
  open_.push_back(sections_.size());
  sections_.push_back({path, std::string(description), {}});
}

void DeclarationCollector::end_section() {
  open_.pop_back();
}

void DeclarationCollector::add(const Key& k, std::string value, std::string allowed,
                               std::vector<Choice> choices) {
  DeclaredSection& section = sections_[open_.back()];
  section.keys.push_back({section.path + "." + std::string(k.name), std::string(k.unit),
                          std::string(k.description), std::move(value), std::move(allowed),
                          std::move(choices), k.effect});
}

void DeclarationCollector::key(const Key& k, std::int64_t& value, Range<std::int64_t> range) {
  add(k, value_text(value), range_text(range, ""));
}

void DeclarationCollector::key(const Key& k, double& value, Range<double> range) {
  add(k, value_text(value), range_text(range, ""));
}

void DeclarationCollector::key(const Key& k, bool& value) {
  add(k, value_text(value), "true, false");
}

void DeclarationCollector::key(const Key& k, std::string& value) {
  add(k, value_text(value), "any text");
}

void DeclarationCollector::key(const Key& k, std::string& value, const std::vector<Choice>& choices) {
  add(k, value_text(value), "", choices);
}

void DeclarationCollector::key(const Key& k, std::vector<std::int64_t>& value, Range<std::int64_t> range) {
  add(k, value_text(value), "list of " + range_text(range, ""));
}

void DeclarationCollector::key(const Key& k, std::vector<std::string>& value) {
  add(k, value_text(value), "list of texts");
}

void DeclarationCollector::key(const Key& k, std::vector<NodeName>& value) {
  add(k, value_text(value), "list of nodes");
}

void DeclarationCollector::key(const Key& k, Duration& value) {
  add(k, value_text(value), "at least 1, permanent");
}

void DeclarationCollector::key(const Key& k, std::vector<LinkName>& value) {
  add(k, value_text(value), "list of links");
}

void DeclarationCollector::key(const Key& k, std::vector<FaultEvent>& value) {
  add(k, value_text(value), "list of faults");
}

void DeclarationCollector::key(const Key& k, std::vector<AddressMapEntry>& value) {
  add(k, value_text(value), "list of ranges");
}

const DeclaredKey& find_key(const std::vector<DeclaredSection>& sections, std::string_view path) {
  for (const DeclaredSection& section : sections)
    for (const DeclaredKey& key : section.keys)
      if (key.path == path) return key;
  throw std::out_of_range("no key " + std::string(path));
}

}  // namespace flitmend
