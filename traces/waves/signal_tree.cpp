// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/signal_tree.h"

#include <algorithm>
#include <stdexcept>

#include "base/bits.h"
#include "base/text.h"

namespace flitmend {
namespace {

bool same(const SignalKind& a, const SignalKind& b) {
  return a.width == b.width && a.format == b.format && a.colour == b.colour && a.words == b.words;
}

}  // namespace

unsigned WaveEnum::width() const {
  return width_of(values.empty() ? 0 : values.size() - 1);
}

bool SignalTree::readable(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

SignalTree::SignalTree() {
  words_.emplace_back();
  scopes_.push_back({0, kRoot, {}, {}});
}

SignalTree::WordId SignalTree::word(std::string_view text) {
  if (const auto known = word_ids_.find(text); known != word_ids_.end()) return known->second;
  if (text.empty() || !std::all_of(text.begin(), text.end(), readable))
    throw std::invalid_argument("'" + std::string(text) +
                                "' cannot name a signal in a waveform: letters, digits, _ and $ can");
  const auto id = static_cast<WordId>(words_.size());
  word_ids_.emplace(words_.emplace_back(text), id);
  return id;
}

ScopeId SignalTree::child(ScopeId parent, std::string_view name) {
  const WordId id = word(name);
  const auto [place, is_new] = scope_ids_.try_emplace(key(parent, id), static_cast<ScopeId>(scopes_.size()));
  if (is_new) {
    scopes_.push_back({id, parent, {}, {}});
    scopes_[parent].children.push_back(place->second);
  }
  return place->second;
}

ScopeId SignalTree::scope(ScopeId parent, std::string_view name) {
  for (;;) {
    const std::size_t dot = name.find('.');
    parent = child(parent, name.substr(0, dot));
    if (dot == std::string_view::npos) return parent;
    name.remove_prefix(dot + 1);
  }
}

std::uint32_t SignalTree::kind_index(const SignalKind& kind) {
  // A fabric has a dozen kinds; the recently used ones are at the end.
  for (std::size_t i = kinds_.size(); i-- > 0;)
    if (same(kinds_[i], kind)) return static_cast<std::uint32_t>(i);
  kinds_.push_back(kind);
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

SignalId SignalTree::add_signal(ScopeId scope, std::string_view name, const SignalKind& kind) {
  if (kind.width < 1 || kind.width > 64)
    throw std::invalid_argument(
        formatted("signal '%1%' has %2% bits; a waveform carries 1 to 64", name, kind.width));
  if (scope == kRoot) throw std::invalid_argument("signal '" + std::string(name) + "' has no scope");
  const WordId id = word(name);
  const auto signal = static_cast<SignalId>(signals_.size());
  if (!signal_ids_.try_emplace(key(scope, id), signal).second)
    throw std::invalid_argument("signal '" + scope_path(scope) + "." + std::string(name) +
                                "' is registered twice");
  signals_.push_back({scope, id, kind_index(kind)});
  scopes_[scope].signals.push_back(signal);
  return signal;
}

std::optional<SignalId> SignalTree::find(ScopeId scope, std::string_view name) const {
  for (;;) {
    const std::size_t dot = name.find('.');
    const auto word = word_ids_.find(name.substr(0, dot));
    if (word == word_ids_.end()) return std::nullopt;
    if (dot == std::string_view::npos) {
      const auto signal = signal_ids_.find(key(scope, word->second));
      return signal == signal_ids_.end() ? std::nullopt : std::optional(signal->second);
    }
    const auto below = scope_ids_.find(key(scope, word->second));
    if (below == scope_ids_.end()) return std::nullopt;
    scope = below->second;
    name.remove_prefix(dot + 1);
  }
}

std::string SignalTree::scope_path(ScopeId scope) const {
  if (scope == kRoot) return {};
  if (parent(scope) == kRoot) return std::string(scope_name(scope));
  return scope_path(parent(scope)) + "." + std::string(scope_name(scope));
}

std::string SignalTree::full_name(SignalId signal) const {
  return scope_path(scope_of(signal)) + "." + std::string(signal_name(signal));
}

}  // namespace flitmend
