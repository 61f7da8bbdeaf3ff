// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/configuration.h"

#include <cctype>

namespace flitmend {
namespace {

/// Where the message mentions the key as a separate word; npos: nowhere.
std::size_t find_word(const std::string& message, const std::string& word) {
  const auto inside = [&](std::size_t i) {
    return i < message.size() && (std::isalnum(static_cast<unsigned char>(message[i])) || message[i] == '_');
  };
  for (std::size_t at = message.find(word); at != message.npos; at = message.find(word, at + 1))
    if ((at == 0 || !(inside(at - 1) || message[at - 1] == '.')) && !inside(at + word.size())) return at;
  return message.npos;
}

}  // namespace

void Configuration::visit(SettingsVisitor& v) {
  network.visit(v);
  hardware.router.visit(v);
  hardware.link.visit(v);
  hardware.network_interface.visit(v);
  routing.visit(v);
  deadlock.visit(v);
  traffic.visit(v);
  simulation.visit(v);
  statistics.visit(v);
  waves.visit(v);
}

std::string Configuration::place_of(std::string_view path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? file_ : found->second;
}

ConfigurationError Configuration::located(const ConfigurationError& error) const {
  const std::string message = error.what();
  std::size_t first = message.npos;
  std::string place = file_;
  for (const auto& [path, where] : places_)
    if (const std::size_t at = find_word(message, path); at < first) {
      first = at;
      place = where;
    }
  return ConfigurationError(place + ": " + message);
}

void Configuration::set_places(std::string file, std::map<std::string, std::string, std::less<>> places) {
  file_ = std::move(file);
  places_ = std::move(places);
}

}  // namespace flitmend
