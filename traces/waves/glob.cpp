// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/glob.h"

#include <fnmatch.h>

#include <algorithm>
#include <span>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::size_t kListed = 6;  // names in a message

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t dot; (dot = name.find('.', from)) != std::string::npos; from = dot + 1)
    parts.push_back(name.substr(from, dot - from));
  parts.push_back(name.substr(from));
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::size_t count) {
  return joined(std::span(parts).first(count), ".");
}

template <class Names>
std::string list(const Names& names) {
  return joined(std::span(names).first(std::min(names.size(), kListed))) +
         (names.size() > kListed ? ", …" : "");
}

// Walks the tree once for all globs.
class Selection {
 public:
  Selection(const SignalTree& tree, const std::vector<std::string>& globs)
      : tree_(tree),
        globs_(globs),
        selected_(tree.signal_count(), globs.empty()),
        used_(globs.size(), false) {
    if (!globs.empty()) visit(SignalTree::kRoot, "", false);
  }
  const std::vector<bool>& selected() const { return selected_; }
  bool used(std::size_t glob) const { return used_[glob]; }

 private:
  bool matches(const std::string& name, bool inside) {
    bool any = inside;
    for (std::size_t g = 0; g < globs_.size(); ++g)
      if ((!any || !used_[g]) && glob_matches(globs_[g], name)) any = used_[g] = true;
    return any;
  }
  void visit(ScopeId scope, const std::string& path, bool inside) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const SignalId s : tree_.signals(scope))
      selected_[s] = matches(prefix + std::string(tree_.signal_name(s)), inside);
    for (const ScopeId c : tree_.children(scope)) {
      const std::string name = prefix + std::string(tree_.scope_name(c));
      visit(c, name, matches(name, inside));
    }
  }

  const SignalTree& tree_;
  const std::vector<std::string>& globs_;
  std::vector<bool> selected_;
  std::vector<bool> used_;
};

bool names_something(const SignalTree& tree, const std::string& glob) {
  const std::vector<std::string> globs{glob};
  return Selection(tree, globs).used(0);
}

// The first scope, in order of declaration, that the glob matches.
bool find_scope(const SignalTree& tree, const std::string& glob, ScopeId& found) {
  for (ScopeId s = 1; s < tree.scope_count(); ++s)
    if (glob_matches(glob, tree.scope_path(s))) return found = s, true;
  return false;
}

// Globs like this one, with a misspelt part replaced by a part that exists, that do match something.
std::vector<std::string> near_globs(const SignalTree& tree, const std::string& glob) {
  if (names_something(tree, "*." + glob)) return {"*." + glob};
  const std::vector<std::string_view> words(tree.words().begin() + 1, tree.words().end());
  const std::vector<std::string> parts = split(glob);
  std::vector<std::string> near;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::any_of(words.begin(), words.end(),
                    [&](auto word) { return glob_matches(parts[i], std::string(word)); }))
      continue;
    for (const std::string_view word : near_words(parts[i], words, kListed)) {
      std::vector<std::string> mended = parts;
      mended[i] = word;
      if (std::string name = join(mended, mended.size()); names_something(tree, name)) near.push_back(name);
    }
  }
  return near;
}

[[noreturn]] void refuse(const SignalTree& tree, const std::string& glob) {
  const std::string text = shown_value(glob) + " names no signal";
  if (const std::vector<std::string> near = near_globs(tree, glob); !near.empty())
    throw KeyError("waves.scope", text + " (did you mean " + list(near) + "?)");
  const std::vector<std::string> parts = split(glob);
  ScopeId scope = SignalTree::kRoot;
  for (std::size_t count = parts.size(); count-- > 1;)
    if (find_scope(tree, join(parts, count), scope)) break;
  std::vector<std::string_view> inside;
  for (const ScopeId c : tree.children(scope)) inside.push_back(tree.scope_name(c));
  for (const SignalId s : tree.signals(scope)) inside.push_back(tree.signal_name(s));
  const std::string where =
      scope == SignalTree::kRoot ? "names begin with " : tree.scope_path(scope) + " holds ";
  throw KeyError("waves.scope", text + "; " + where + list(inside));
}

}  // namespace

bool glob_matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

std::vector<bool> select_signals(const SignalTree& tree, const std::vector<std::string>& globs) {
  const Selection selection(tree, globs);
  for (std::size_t g = 0; g < globs.size(); ++g)
    if (!selection.used(g)) refuse(tree, globs[g]);
  return selection.selected();
}

}  // namespace flitmend
