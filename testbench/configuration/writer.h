// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/settings.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Writes every key that it visits as a line of YAML, with its unit as a comment.
class SettingsWriter : public SettingsVisitor {
 public:
  void begin_section(std::string_view name, std::string_view description) override;
  void end_section() override;
  void key(const Key&, std::int64_t& value, Range<std::int64_t>) override;
  void key(const Key&, double& value, Range<double>) override;
  void key(const Key&, bool& value) override;
  void key(const Key&, std::string& value) override;
  void key(const Key&, std::string& value, const std::vector<Choice>& choices) override;
  void key(const Key&, std::vector<std::int64_t>& value, Range<std::int64_t>) override;
  void key(const Key&, std::vector<std::string>& value) override;
  void key(const Key&, std::vector<NodeName>& value) override;
  void key(const Key&, Duration& value) override;
  void key(const Key&, std::vector<LinkName>& value) override;
  void key(const Key&, std::vector<FaultEvent>& value) override;
  void key(const Key&, std::vector<AddressMapEntry>& value) override;

  const std::string& text() const { return text_; }

 private:
  void line(const Key&, const std::string& value);

  std::string text_;
  std::string indent_;
};

/// The effective configuration as YAML: every key with its value, units as comments. Reading it gives the
/// same configuration.
std::string to_yaml(Configuration);

}  // namespace flitmend
