// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/declarations.h"

#include <stdexcept>

#include "testbench/configuration/writer.h"

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

void DeclarationCollector::visit_key(const Key& k, ValuePointer value, const AllowedValues& allowed) {
  DeclaredSection& section = sections_[open_.back()];
  const auto* const words = std::get_if<std::span<const Choice>>(&allowed);
  section.keys.push_back({section.path + "." + std::string(k.name), std::string(k.unit),
                          std::string(k.description), value_text(value), allowed_text(value, allowed),
                          words ? std::vector<Choice>(words->begin(), words->end()) : std::vector<Choice>(),
                          k.effect});
}

const DeclaredKey& find_key(const std::vector<DeclaredSection>& sections, std::string_view path) {
  for (const DeclaredSection& section : sections)
    for (const DeclaredKey& key : section.keys)
      if (key.path == path) return key;
  throw std::out_of_range("no key " + std::string(path));
}

}  // namespace flitmend
