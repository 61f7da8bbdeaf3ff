// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// A key as its settings struct declares it.
struct DeclaredKey {
  std::string path;  ///< "router.pipeline.routing"
  std::string unit;
  std::string description;
  std::string value;  ///< as YAML
  std::string
      allowed;  ///< "1 to 64", "true, false", "any text", "list of 1 to 64"; empty if there are choices
  std::vector<Choice> choices;
  KeyEffect effect;
};

struct DeclaredSection {
  std::string path;  ///< "router.pipeline"
  std::string description;
  std::vector<DeclaredKey> keys;  ///< without those of inner sections, which follow as separate sections
};

/// Collects the declarations and values of every key that it visits.
class DeclarationCollector : public SettingsVisitor {
 public:
  void begin_section(std::string_view name, std::string_view description) override;
  void end_section() override;

  const std::vector<DeclaredSection>& sections() const { return sections_; }

 private:
  void visit_key(const Key&, ValuePointer, const AllowedValues&) override;

  std::vector<DeclaredSection> sections_;
  std::vector<std::size_t> open_;
};

/// All declarations of an object with visit().
template <class Settings>
std::vector<DeclaredSection> declarations(Settings settings) {
  DeclarationCollector collector;
  settings.visit(collector);
  return collector.sections();
}

/// The key with that path, which must exist.
const DeclaredKey& find_key(const std::vector<DeclaredSection>&, std::string_view path);

}  // namespace flitmend
