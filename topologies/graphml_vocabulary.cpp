// SPDX-License-Identifier: Apache-2.0
#include "topologies/graphml_vocabulary.h"

#include <algorithm>
#include <vector>

#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"

namespace flitmend::graphml {
namespace {

using Words = std::vector<std::string_view>;

struct Element {
  std::string_view name;
  Words parents;
  Words attributes;
};

const std::vector<Element>& elements() {
  static const std::vector<Element> all = {
      {"graphml", {""}, {}},
      {"key", {"graphml"}, {"id", "for", "attr.name", "attr.type"}},
      {"default", {"key"}, {}},
      {"desc", {"graphml", "key", "graph", "node", "edge"}, {}},
      {"graph", {"graphml"}, {"id", "edgedefault"}},
      {"node", {"graph"}, {"id"}},
      {"edge", {"graph"}, {"id", "source", "target", "directed"}},
      {"data", {"graphml", "graph", "node", "edge"}, {"id", "key"}},
  };
  return all;
}

const Element* find_element(std::string_view name) {
  const auto found =
      std::find_if(elements().begin(), elements().end(), [&](const Element& e) { return e.name == name; });
  return found == elements().end() ? nullptr : &*found;
}

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Words data_of(std::string_view owner) {
  if (owner == "node") return {"kind", "x", "y"};
  if (owner == "edge") return {"latency", "width"};
  return {};
}

/// Data that editors and converters write for readers and that do not affect the network.
const Words& remarks() {
  static const Words names = {"label", "name", "description", "url", "color", "colour"};
  return names;
}

std::string quoted(std::string_view text) {
  return "\"" + escaped_text(text) + "\"";
}

std::string tag(std::string_view name) {
  return "<" + escaped_text(name) + ">";
}

}  // namespace

std::string wrong_element(std::string_view name, std::string_view parent) {
  if (name == "hyperedge") return "a hyperedge; a link joins two routers: use a switch and edges";
  if (parent.empty() && name != "graphml") return tag(name) + ", where <graphml> is expected";
  const Element* const element = find_element(name);
  if (!element) {
    Words names;
    for (const Element& known : elements()) names.push_back(known.name);
    return tag(name) + " is not read" + did_you_mean(name, names) + "; remove it, or correct its name";
  }
  if (contains(element->parents, parent)) return "";
  Words places;
  for (const std::string_view place : element->parents)
    if (!place.empty()) places.push_back(place);
  return tag(name) + " in " + tag(parent) + "; " +
         (places.empty() ? "it is the outermost element" : "it belongs in " + joined(places, " or ")) +
         ", move or remove it";
}

std::string wrong_attribute(std::string_view element, std::string_view name) {
  const bool of_key = element == "key" && (name.starts_with("attr.") || name.starts_with("Attr."));
  if (!of_key && name.find_first_of(":.") != name.npos) return "";
  if (name == "xmlns") return "";
  const Element* const known = find_element(element);
  if (!known || contains(known->attributes, name)) return "";
  const std::string what = "attribute " + quoted(name) + " of " + tag(element) + " is not read";
  if (is_read(element, name)) {
    const std::string data(name);
    return what + "; write it as data: <data key=\"" + data + "\">…</data>, with <key id=\"" + data +
           "\" for=\"" + std::string(element) + "\" attr.name=\"" + data + "\"/> before the graph";
  }
  return what + did_you_mean(name, known->attributes) + "; remove it, or correct its name";
}

std::string wrong_owner(std::string_view owner) {
  const Words owners = {"node", "edge", "graph", "graphml", "port", "hyperedge", "endpoint", "all"};
  if (contains(owners, owner)) return "";
  return "for is " + quoted(owner) + did_you_mean(owner, owners) + "; write node, edge or all";
}

std::string wrong_data(std::string_view owner, std::string_view name) {
  if (is_read(owner, name) || contains(remarks(), name)) return "";
  const Words read = data_of(owner);
  const std::string_view near = nearest(name, read);
  return "data " + quoted(name) + " of " + with_article(std::string(owner)) + " is not read" +
         (near.empty() ? "" : " (did you mean '" + std::string(near) + "'?)") + "; " +
         (read.empty() ? "remove it"
                       : with_article(std::string(owner)) + " has " + joined(read) +
                             ": change attr.name of its key, or remove it");
}

bool is_read(std::string_view owner, std::string_view name) {
  return contains(data_of(owner), name);
}

}  // namespace flitmend::graphml
