// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <algorithm>

#include "base/errors.h"

namespace flitmend {
namespace {

OptionValue initial_of(const OptionKey::Word& word) {
  return std::string(word.initial);
}
OptionValue initial_of(const OptionKey::Number& number) {
  return number.initial;
}
OptionValue initial_of(const OptionKey::Real& real) {
  return real.initial;
}
OptionValue initial_of(const OptionKey::Flag& flag) {
  return flag.initial;
}
OptionValue initial_of(const OptionKey::Text&) {
  return std::string();
}
OptionValue initial_of(const OptionKey::Nodes&) {
  return std::vector<NodeName>();
}
OptionValue initial_of(const OptionKey::Messages&) {
  return std::vector<ListedMessage>();
}
OptionValue initial_of(const OptionKey::Flows&) {
  return FlowList();
}
OptionValue initial_of(const OptionKey::Collectives&) {
  return std::vector<ListedCollective>();
}
OptionValue initial_of(const OptionKey::Classes&) {
  return std::vector<ListedClass>();
}
OptionValue initial_of(const OptionKey::Groups&) {
  return NodeGroups();
}

/// Shows a visitor the value of an option, with what it may be.
struct Show {
  SettingsVisitor& visitor;
  const Key& key;
  OptionValue& value;

  void operator()(const OptionKey::Word& word) const {
    visitor.key(key, std::get<std::string>(value), {word.choices.begin(), word.choices.end()});
  }
  void operator()(const OptionKey::Number& number) const {
    visitor.key(key, std::get<std::int64_t>(value), number.range);
  }
  void operator()(const OptionKey::Real& real) const {
    visitor.key(key, std::get<double>(value), real.range);
  }
  void operator()(const OptionKey::Flag&) const { visitor.key(key, std::get<bool>(value)); }
  void operator()(const OptionKey::Text&) const { visitor.key(key, std::get<std::string>(value)); }
  void operator()(const OptionKey::Nodes&) const { visitor.key(key, std::get<std::vector<NodeName>>(value)); }
  void operator()(const OptionKey::Messages&) const {
    visitor.key(key, std::get<std::vector<ListedMessage>>(value));
  }
  void operator()(const OptionKey::Flows&) const { visitor.key(key, std::get<FlowList>(value)); }
  void operator()(const OptionKey::Collectives&) const {
    visitor.key(key, std::get<std::vector<ListedCollective>>(value));
  }
  void operator()(const OptionKey::Classes&) const {
    visitor.key(key, std::get<std::vector<ListedClass>>(value));
  }
  void operator()(const OptionKey::Groups&) const { visitor.key(key, std::get<NodeGroups>(value)); }
};

}  // namespace

OptionValue OptionKey::initial() const {
  return std::visit([](const auto& kind) { return initial_of(kind); }, values);
}

void add_option(std::vector<const OptionKey*>& options, const OptionKey* option, std::string_view section) {
  if (std::ranges::find(options, option) != options.end()) return;
  for (const OptionKey* other : options)
    if (other->name() == option->name())
      throw ContractError("two declarations of " + std::string(section) + "." + std::string(other->name()));
  options.push_back(option);
}

OptionValue OptionValues::value(const OptionKey& option) const {
  const auto found = given_.find(option.name());
  return found == given_.end() ? option.initial() : found->second;
}

std::string OptionValues::word(const OptionKey& option) const {
  return std::get<std::string>(value(option));
}

std::int64_t OptionValues::number(const OptionKey& option) const {
  return std::get<std::int64_t>(value(option));
}

double OptionValues::real(const OptionKey& option) const {
  return std::get<double>(value(option));
}

bool OptionValues::flag(const OptionKey& option) const {
  return std::get<bool>(value(option));
}

std::vector<NodeName> OptionValues::nodes(const OptionKey& option) const {
  return std::get<std::vector<NodeName>>(value(option));
}

std::vector<ListedMessage> OptionValues::messages(const OptionKey& option) const {
  return std::get<std::vector<ListedMessage>>(value(option));
}

FlowList OptionValues::flows(const OptionKey& option) const {
  return std::get<FlowList>(value(option));
}

std::vector<ListedCollective> OptionValues::collectives(const OptionKey& option) const {
  return std::get<std::vector<ListedCollective>>(value(option));
}

std::vector<ListedClass> OptionValues::classes(const OptionKey& option) const {
  return std::get<std::vector<ListedClass>>(value(option));
}

NodeGroups OptionValues::groups(const OptionKey& option) const {
  return std::get<NodeGroups>(value(option));
}

void OptionValues::visit(const OptionKey& option, SettingsVisitor& v) {
  visit(option, kAlways, v);
}

void OptionValues::visit(const OptionKey& option, const KeyEffect& effect, SettingsVisitor& v) {
  OptionValue& value = given_.try_emplace(std::string(option.name()), option.initial()).first->second;
  Key key = option.key;
  key.effect = key.effect && effect;
  if (option.section) key.name.remove_prefix(option.section->name.size() + 1);
  std::visit(Show{v, key, value}, option.values);
}

void OptionValues::visit(const std::vector<const OptionKey*>& options,
                         const std::function<KeyEffect(const OptionKey&)>& effect, SettingsVisitor& v) {
  const auto in = [](const OptionSection* section) {
    return [section](const OptionKey* option) { return option->section == section; };
  };
  for (auto at = options.begin(); at != options.end(); ++at) {
    const OptionSection* const section = (*at)->section;
    if (!section) {
      visit(**at, effect(**at), v);
    } else if (std::none_of(options.begin(), at, in(section))) {
      if (section->shared)
        v.begin_shared_section(section->name, section->description,
                               static_cast<unsigned>(std::ranges::count_if(options, in(section))));
      else
        v.begin_section(section->name, section->description);
      for (const OptionKey* option : options)
        if (option->section == section) visit(*option, effect(*option), v);
      v.end_section();
    }
  }
}

}  // namespace flitmend
