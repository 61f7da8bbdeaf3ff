// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flitmend {

using ScopeId = std::uint32_t;   ///< a scope of a SignalTree
using SignalId = std::uint32_t;  ///< a signal of a SignalTree, numbered in order of declaration

/// The words that a viewer shows for the values of a signal.
struct WaveEnum {
  struct Value {
    std::string_view text;    ///< one word
    std::string_view colour;  ///< X11 colour of its background; dark, as the letters are white
  };
  std::string_view name;      ///< names the filter file: route_fsm
  std::vector<Value> values;  ///< for 0, 1, 2, …

  /// Bits that every value fits in, at least 1.
  unsigned width() const;
};

/// How a viewer colours the trace of a signal; the numbers are GTKWave's.
enum class WaveColour : std::uint8_t { standard = 0, red, orange, yellow, green, blue, indigo, violet };

/// The width of a signal and how it is shown. Objects of WaveEnum must outlive every tree that refers to
/// them.
struct SignalKind {
  enum class Format : std::uint8_t { decimal, hexadecimal, binary, words };

  unsigned width = 1;  ///< bits, 1 … 64
  Format format = Format::decimal;
  WaveColour colour = WaveColour::standard;
  const WaveEnum* words = nullptr;  ///< only with Format::words

  static SignalKind bit(WaveColour c = WaveColour::standard) { return {1, Format::binary, c, nullptr}; }
  static SignalKind integer(unsigned width, WaveColour c = WaveColour::standard) {
    return {width, Format::decimal, c, nullptr};
  }
  static SignalKind hexadecimal(unsigned width, WaveColour c = WaveColour::standard) {
    return {width, Format::hexadecimal, c, nullptr};
  }
  static SignalKind enumeration(const WaveEnum& words) {
    return {words.width(), Format::words, WaveColour::standard, &words};
  }
};

/// The names of everything that can be recorded: scopes and signals, each with its full name
/// ("fabric.router_3_4.east.vc1.route_fsm").
class SignalTree {
 public:
  static constexpr ScopeId kRoot = 0;  ///< has no name and holds no signal

  /// Whether names may have it: letters, digits, _ and $. A viewer takes a bracket for a range of bits, and a
  /// space for the end of the name.
  static bool readable(char);

  SignalTree();
  SignalTree(const SignalTree&) = delete;
  SignalTree& operator=(const SignalTree&) = delete;

  /// The scope of that name within another one; it is created if it does not exist. The name may contain
  /// dots: each part is a scope. Throws std::invalid_argument for a name that no viewer could read.
  ScopeId scope(ScopeId parent, std::string_view name);
  /// Throws std::invalid_argument for a width of 0 or above 64, an unreadable name, or a name used twice.
  SignalId add_signal(ScopeId, std::string_view name, const SignalKind&);

  std::size_t scope_count() const { return scopes_.size(); }
  std::size_t signal_count() const { return signals_.size(); }
  std::string_view scope_name(ScopeId s) const { return words_[scopes_[s].name]; }
  ScopeId parent(ScopeId s) const { return scopes_[s].parent; }
  const std::vector<ScopeId>& children(ScopeId s) const { return scopes_[s].children; }
  const std::vector<SignalId>& signals(ScopeId s) const { return scopes_[s].signals; }
  std::string_view signal_name(SignalId s) const { return words_[signals_[s].name]; }
  ScopeId scope_of(SignalId s) const { return signals_[s].scope; }
  const SignalKind& kind(SignalId s) const { return kinds_[signals_[s].kind]; }

  /// The signal of that name below a scope; the name may contain dots. None if there is no such signal.
  std::optional<SignalId> find(ScopeId, std::string_view name) const;

  std::string full_name(SignalId) const;
  std::string scope_path(ScopeId) const;  ///< "" for the root
  /// Every part that occurs in any name, in order of first use.
  const std::deque<std::string>& words() const { return words_; }

 private:
  using WordId = std::uint32_t;
  struct Scope {
    WordId name;
    ScopeId parent;
    std::vector<ScopeId> children;
    std::vector<SignalId> signals;
  };
  struct Signal {
    ScopeId scope;
    WordId name;
    std::uint32_t kind;
  };
  static constexpr std::uint64_t key(ScopeId scope, WordId word) { return std::uint64_t{scope} << 32 | word; }

  WordId word(std::string_view);
  ScopeId child(ScopeId parent, std::string_view name);
  std::uint32_t kind_index(const SignalKind&);

  std::deque<std::string> words_;
  std::unordered_map<std::string_view, WordId> word_ids_;
  std::vector<Scope> scopes_;
  std::vector<Signal> signals_;
  std::vector<SignalKind> kinds_;
  std::unordered_map<std::uint64_t, ScopeId> scope_ids_;
  std::unordered_map<std::uint64_t, SignalId> signal_ids_;
};

}  // namespace flitmend
