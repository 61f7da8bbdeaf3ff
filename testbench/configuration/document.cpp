// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {

std::size_t ErrorList::rank(const std::string& source) const {
  return static_cast<std::size_t>(std::find(sources_.begin(), sources_.end(), source) - sources_.begin());
}

void ErrorList::add_source(const std::string& source) {
  if (rank(source) == sources_.size()) sources_.push_back(source);
}

void ErrorList::add(Place place, const std::string& what) {
  if (place.source.empty()) place.source = file();
  add_source(place.source);
  errors_.push_back({std::move(place), escaped_text(what)});
}

void ErrorList::append(const ErrorList& other) {
  for (const Error& error : other.errors_) add(error.place, error.what);
}

void ErrorList::throw_if_any() const {
  if (errors_.empty()) return;
  constexpr std::size_t kShown = 20;
  const auto key = [&](const Error* e) {
    return std::tuple(rank(e->place.source), e->place.line, e->place.column);
  };
  std::vector<const Error*> sorted;
  std::set<std::pair<Place, std::string>> seen;
  for (const Error& error : errors_)
    if (seen.emplace(error.place, error.what).second) sorted.push_back(&error);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Error* a, const Error* b) { return key(a) < key(b); });
  std::string text = sorted.front()->what;
  for (std::size_t i = 1; i < sorted.size() && i < kShown; ++i)
    text += "\n" + sorted[i]->place.text() + ": " + sorted[i]->what;
  if (sorted.size() > kShown) text += formatted("\n%1%: and %2% more", file(), sorted.size() - kShown);
  throw ConfigurationError(sorted.front()->place, text);
}

namespace {

/// Aliases can double the size of a document with every line; no real configuration is this large.
constexpr std::size_t kMostValues = 100'000;

std::size_t count_values(const DocumentNode& node) {
  std::size_t count = 1;
  for (const DocumentNode& item : node.items) count += count_values(item);
  for (const DocumentEntry& entry : node.entries) count += count_values(entry.value);
  return count;
}

/// Whether a line, counted from 0, is indented with a tab.
bool tab_indents(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string content;
  for (int i = 0; i <= line; ++i) std::getline(stream, content);
  return content.substr(0, content.find_first_not_of(" \t")).find('\t') != content.npos;
}

/// Builds the tree from the parser's events.
class Builder : public YAML::EventHandler {
 public:
  /// `fixed`: where all that is parsed stands; null: where the parser finds it in the file.
  Builder(const Place* fixed, ErrorList& errors) : fixed_(fixed), errors_(errors) {}

  DocumentNode take_root() { return std::move(root_); }
  Place place(const YAML::Mark& mark) const {
    return fixed_ ? *fixed_ : Place{errors_.file(), mark.line + 1, mark.column + 1};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    DocumentNode node;
    node.place = place(mark);
    finish(std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    DocumentNode node;
    node.kind = DocumentNode::Kind::scalar;
    node.place = place(mark);
    node.text = value;
    node.quoted = tag == "!";
    refuse_tag(tag, node.place);
    finish(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    DocumentNode node;
    node.place = place(mark);
    if (known == anchors_.end()) {
      errors_.add(node.place, "an alias is inside the value that it refers to; write the value out");
    } else if (values_ + known->second.values > kMostValues) {
      if (!too_many_)
        errors_.add(node.place, formatted("aliases expand to more than %1% values", kMostValues));
      too_many_ = true;
    } else {
      node = known->second.node;
      values_ += known->second.values;
    }
    finish(std::move(node), 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(DocumentNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(DocumentNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    merge(stack_.back());
    close();
  }

 private:
  struct Open {
    DocumentNode node;
    YAML::anchor_t anchor;
    std::map<std::string, Place> keys;  ///< of a map: all so far
    bool have_key = false;              ///< in a map: the next value belongs to entries.back()
    bool skip = false;                  ///< the next value belongs to a key that was refused
    std::vector<DocumentNode> merged;   ///< values of merge keys
    bool merging = false;
  };
  struct Anchored {
    DocumentNode node;
    std::size_t values;
  };

  void refuse_tag(const std::string& tag, const Place& where) {
    if (!tag.empty() && tag != "?" && tag != "!")
      errors_.add(where, "tag '" + tag + "' is not supported; write the value without it");
  }
  void open(DocumentNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    Open next;
    next.node.kind = kind;
    next.node.place = place(mark);
    next.anchor = anchor;
    refuse_tag(tag, next.node.place);
    stack_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    finish(std::move(done.node), done.anchor);
  }
  void finish(DocumentNode node, YAML::anchor_t anchor) {
    ++values_;
    if (anchor) anchors_[anchor] = {node, count_values(node)};
    if (stack_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = stack_.back(); parent.node.kind == DocumentNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.have_key) {
      parent.have_key = false;
      if (parent.merging)
        parent.merged.push_back(std::move(node));
      else if (!parent.skip)
        set_value(parent.node.entries.back(), std::move(node));
    } else {
      take_key(parent, std::move(node));
    }
  }
  /// A missing value has no place of its own.
  static void set_value(DocumentEntry& entry, DocumentNode value) {
    if (value.kind == DocumentNode::Kind::null) value.place = entry.place;
    entry.value = std::move(value);
  }
  void take_key(Open& map, DocumentNode key) {
    map.have_key = true;
    map.skip = map.merging = false;
    if (key.kind == DocumentNode::Kind::scalar && key.text == "<<" && !key.quoted) {
      map.merging = true;
    } else if (key.kind != DocumentNode::Kind::scalar || key.text.empty()) {
      errors_.add(key.place, "a key must be a word; found " + key.called());
      map.skip = true;
    } else if (const auto [first, fresh] = map.keys.emplace(key.text, key.place); !fresh) {
      errors_.add(key.place, key.text + ": set twice, first at " + first->second.text() + "; remove one");
      map.skip = true;
    } else {
      map.node.entries.push_back({std::move(key.text), key.place, {}});
    }
  }
  /// `<<: *a` or `<<: [*a, *b]`: keys of the map itself override merged ones, and earlier maps override later
  /// ones.
  void merge(Open& map) {
    for (DocumentNode& merged : map.merged) {
      std::vector<DocumentNode> sources;
      if (merged.kind == DocumentNode::Kind::list)
        sources = std::move(merged.items);
      else
        sources.push_back(std::move(merged));
      for (DocumentNode& source : sources) {
        if (source.kind != DocumentNode::Kind::map)
          errors_.add(source.place, "<<: expected an alias of a section, found " + source.called());
        for (DocumentEntry& entry : source.entries)
          if (map.keys.emplace(entry.key, entry.place).second) map.node.entries.push_back(std::move(entry));
      }
    }
  }

  const Place* fixed_;
  ErrorList& errors_;
  DocumentNode root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t values_ = 0;
  bool too_many_ = false;
};

}  // namespace

const DocumentEntry* DocumentNode::find(std::string_view key) const {
  for (const DocumentEntry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::string DocumentNode::called() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::list:
      return items.empty() ? "an empty list" : "a list";
    case Kind::map:
      return "a section of keys";
    case Kind::scalar:
      break;
  }
  return shown_value(text);
}

namespace {

std::optional<DocumentNode> parse(const std::string& text, const Place* fixed, ErrorList& errors) {
  Builder builder(fixed, errors);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return DocumentNode{};
    DocumentNode root = builder.take_root();
    Builder second(fixed, errors);
    if (parser.HandleNextDocument(second))
      errors.add(second.take_root().place,
                 "a second YAML document begins here; a configuration must be a single document");
    return root;
  } catch (const YAML::Exception& e) {
    // A tab in the indentation leads to other errors.
    errors.add(builder.place(e.mark),
               yaml_error(tab_indents(text, e.mark.line) ? "illegal tab" : std::string_view(e.msg)));
    return std::nullopt;
  }
}

}  // namespace

std::optional<DocumentNode> parse_document(const std::string& text, ErrorList& errors) {
  return parse(text, nullptr, errors);
}

std::optional<DocumentNode> parse_value(const std::string& text, const Place& place, ErrorList& errors) {
  return parse(text, &place, errors);
}

}  // namespace flitmend
