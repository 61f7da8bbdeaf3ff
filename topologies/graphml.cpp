// SPDX-License-Identifier: Apache-2.0
#include "topologies/graphml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "topologies/graphml_vocabulary.h"
#include "topologies/xml_reader.h"

namespace flitmend {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

class GraphmlReader final : XmlReader {
 public:
  using XmlReader::XmlReader;

  GraphDescription read(const std::string& text) {
    parse(text);
    if (!graph_seen_) fail("there is no <graph>; a network is <graphml><graph>…</graph></graphml>");
    link_up();
    return std::move(graph_);
  }

 private:
  struct DataKey {
    std::string owner;  ///< node, edge, graph, …, all
    std::string name;
    bool of_editor = false;                   ///< it has no name, and is ignored
    std::optional<std::string> initial = {};  ///< its <default>

    bool is_of(std::string_view element) const { return owner == "all" || owner == element; }
    /// Of a node or an edge, and it describes the network.
    bool is_read_of(std::string_view element) const {
      return !of_editor && is_of(element) && graphml::is_read(element, name);
    }
  };
  struct Edge {
    std::string from, to;
    GraphDescription::Link link;
  };

  static std::string attribute(const Attributes& attributes, std::string_view name) {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.first == name; });
    return found == attributes.end() ? "" : std::string(found->second);
  }

  static bool has(const Attributes& attributes, std::string_view name) {
    return std::ranges::any_of(attributes, [&](const auto& a) { return a.first == name; });
  }

  void refuse(const std::string& wrong) const {
    if (!wrong.empty()) fail(wrong);
  }
  void refuse_value(const std::string& wrong) const {
    if (!wrong.empty()) fail_at(text_place_, wrong);
  }

  void begin(std::string_view name, const Attributes& attributes) override {
    const std::string parent = open_.empty() ? "" : open_.back();
    open_.emplace_back(name);
    if (in_text_ > 0) {
      begin_in_text();
      return;
    }
    if (name == "graph" && graph_seen_) fail("a second <graph>; a network is one graph without others in it");
    refuse(graphml::wrong_element(name, parent));
    for (const auto& [attribute, value] : attributes) refuse(graphml::wrong_attribute(name, attribute));
    if (name == "key") begin_key(attributes);
    if (name == "graph") begin_graph(attributes);
    if (name == "node") begin_node(attributes);
    if (name == "edge") begin_edge(attributes);
    if (name == "data") key_ = attribute(attributes, "key");
    if (name == "data" || name == "default" || name == "desc") {
      text_.clear();
      text_place_ = here();
      in_text_ = 1;
    }
  }

  /// What an editor draws is ignored, with everything in it.
  void begin_in_text() {
    ++in_text_;
    const std::size_t outermost = open_.size() - in_text_;
    const auto key = keys_.find(key_);
    if (key == keys_.end() || open_[outermost] == "desc") return;
    const std::string& owner = open_[outermost - 1];
    const bool is_read = owner == "key" ? key->second.is_read_of("node") || key->second.is_read_of("edge")
                                        : key->second.is_read_of(owner);
    if (is_read)
      fail("<" + escaped_text(open_.back()) + "> in the value of " + key->second.name +
           "; write its text only");
  }

  void begin_key(const Attributes& attributes) {
    if (graph_seen_)
      fail("a <key> after the <graph>; put it before, because its <default> is for what comes after it");
    key_ = attribute(attributes, "id");
    if (key_.empty()) fail("a <key> without id; give it one");
    const std::string given = attribute(attributes, "for"), owner = given.empty() ? "all" : given;
    refuse(graphml::wrong_owner(owner));
    const std::string name = attribute(attributes, "attr.name");
    DataKey key{owner, name.empty() ? key_ : name, name.empty() && has_editor_attribute(attributes)};
    for (const auto& [id, other] : keys_)
      for (const char* const element : {"node", "edge"})
        if (key.is_read_of(element) && other.is_read_of(element) && key.name == other.name)
          fail("a second <key> for " + key.name + " of " + with_article(element) + "; the first has the id " +
               escaped_text(id) + ": remove one");
    if (!keys_.emplace(key_, std::move(key)).second)
      fail("a second <key> with id " + escaped_text(key_) + "; remove one, or give it another id");
  }

  static bool has_editor_attribute(const Attributes& attributes) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [](const auto& a) { return a.first.starts_with("yfiles."); });
  }

  void begin_graph(const Attributes& attributes) {
    graph_seen_ = true;
    const std::string edges = attribute(attributes, "edgedefault");
    if (has(attributes, "edgedefault") && edges != "undirected" && edges != "directed")
      fail("edgedefault is \"" + escaped_text(edges) +
           "\"; write undirected, or directed for links that carry flits from source to target only");
    directed_ = edges == "directed";
  }

  void begin_node(const Attributes& attributes) {
    GraphDescription::Router router{attribute(attributes, "id"), false, {}, {}, here()};
    if (!is_identifier(router.id))
      fail("the id of a <node> is \"" + escaped_text(router.id) +
           "\"; it names the router, and has only letters, digits and underscores");
    if (const auto [other, fresh] = by_id_.try_emplace(router.id, graph_.routers.size()); !fresh)
      fail(formatted("a second <node> with id %1%; the first is in line %2%: rename one", router.id,
                     graph_.routers[other->second].place.line));
    graph_.routers.push_back(std::move(router));
    given_.clear();
    set_defaults("node");
  }

  void begin_edge(const Attributes& attributes) {
    const std::string directed = attribute(attributes, "directed");
    const bool yes = directed == "true" || directed == "1", no = directed == "false" || directed == "0";
    if (has(attributes, "directed") && !yes && !no)
      fail("directed is \"" + escaped_text(directed) + "\"; write true or false, or remove it");
    edges_.push_back({attribute(attributes, "source"),
                      attribute(attributes, "target"),
                      {.from = 0, .to = 0, .place = here(), .one_way = yes || (directed_ && !no)}});
    given_.clear();
    set_defaults("edge");
  }

  /// Of the last node or edge.
  void set_defaults(std::string_view owner) {
    for (const auto& [id, key] : keys_)
      if (key.is_read_of(owner) && key.initial) set_data(owner, key.name, *key.initial);
  }

  void set_data(std::string_view owner, const std::string& name, const std::string& value) {
    owner == "node" ? set_node_data(graph_.routers.back(), name, value)
                    : set_link_data(edges_.back().link, name, value);
  }

  void characters(std::string_view text) override {
    if (in_text_ > 0)
      text_.append(text);
    else if (const std::string_view written = trimmed(text); !written.empty())
      fail("text \"" + escaped_text(written.substr(0, 40)) + "\" in <" + escaped_text(open_.back()) +
           ">; values are in <data key=\"…\">…</data>: move or remove it");
  }

  void end(std::string_view name) override {
    open_.pop_back();
    if (in_text_ == 0 || --in_text_ > 0) return;
    const std::string value(trimmed(text_));
    if (name == "default") end_default(value);
    if (name == "data") end_data(value);
  }

  void end_default(const std::string& value) {
    DataKey& key = keys_.at(key_);
    if (key.initial)
      fail_at(text_place_, "a second <default> of the key " + escaped_text(key_) + "; remove one");
    key.initial = value;
    const bool of_nodes = key.is_read_of("node"), of_edges = key.is_read_of("edge");
    GraphDescription::Router any_router;
    GraphDescription::Link any_link{};
    if (of_nodes) set_node_data(any_router, key.name, value);
    if (of_edges) set_link_data(any_link, key.name, value);
    if (!of_nodes && !of_edges && !key.of_editor)
      refuse_value(graphml::wrong_data(key.owner == "all" ? "node" : key.owner, key.name));
  }

  void end_data(const std::string& value) {
    const std::string& owner = open_.back();
    const auto found = keys_.find(key_);
    if (found == keys_.end())
      fail_at(text_place_, "data of key " + escaped_text(key_) +
                               ", which no <key> declares; declare it before the <graph>");
    const DataKey& key = found->second;
    if (key.of_editor) return;
    if (!key.is_of(owner))
      fail_at(text_place_, "data of key " + escaped_text(key_) + " in <" + owner +
                               ">, but the key is for=\"" + key.owner + "\"; declare it with for=\"" + owner +
                               "\", or remove the data");
    refuse_value(graphml::wrong_data(owner, key.name));
    if (!graphml::is_read(owner, key.name)) return;
    if (!given_.insert(key.name).second)
      fail_at(text_place_, "a second " + key.name + " of the " + owner + "; remove one");
    set_data(owner, key.name, value);
  }

  void set_node_data(GraphDescription::Router& router, const std::string& name,
                     const std::string& value) const {
    if (name == "x") router.x = coordinate(name, value);
    if (name == "y") router.y = coordinate(name, value);
    if (name != "kind") return;
    if (value != "node" && value != "switch")
      fail_at(text_place_,
              "kind is \"" + escaped_text(value) +
                  "\"; it is node, for a router with a processing element, or switch, for one without");
    router.is_switch = value == "switch";
  }

  void set_link_data(GraphDescription::Link& link, const std::string& name, const std::string& value) const {
    if (name == "latency")
      link.latency = whole_number(name, value, kLongestLinkLatency, "a link takes", "cycles");
    if (name == "width")
      link.width = whole_number(name, value, kWidestLink, "a link carries", "bits per cycle");
  }

  /// From 1 to `most`.
  unsigned whole_number(const std::string& name, const std::string& value, unsigned most, const char* what,
                        const char* unit) const {
    unsigned read = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (error != std::errc{} || end != value.data() + value.size() || read < 1 || read > most)
      fail_at(text_place_,
              formatted("%1% is \"%2%\"; %3% 1 to %4% %5%", name, escaped_text(value), what, most, unit));
    return read;
  }

  double coordinate(const std::string& name, const std::string& value) const {
    double read{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (error != std::errc{} || end != value.data() + value.size() ||
        !(std::abs(read) <= kFarthestCoordinate))
      fail_at(text_place_,
              formatted("%1% is \"%2%\"; it is a number of at most %3%, with neighbours about 1 apart", name,
                        escaped_text(value), kFarthestCoordinate));
    return read;
  }

  // Edges may precede their nodes.
  void link_up() {
    for (auto& [from, to, link] : edges_) {
      const auto index = [&, place = link.place](const char* end, const std::string& id) {
        const auto found = by_id_.find(id);
        if (found == by_id_.end())
          throw ConfigurationError(place, std::string(end) + " of the edge is \"" + escaped_text(id) +
                                              "\", and no <node> has that id; correct it");
        return found->second;
      };
      link.from = index("source", from);
      link.to = index("target", to);
      if (link.from == link.to)
        throw ConfigurationError(link.place, "the edge joins " + from + " to itself; remove it");
      graph_.links.push_back(std::move(link));
    }
  }

  GraphDescription graph_;
  std::map<std::string, std::size_t> by_id_;
  std::map<std::string, DataKey> keys_;
  std::vector<Edge> edges_;
  bool graph_seen_ = false;
  bool directed_ = false;          ///< edges are, unless they say otherwise
  std::vector<std::string> open_;  ///< elements around what comes, the outermost first
  std::set<std::string> given_;    ///< names of the data of this node or edge
  std::size_t in_text_ = 0;        ///< elements around what comes, from <data>, <default> or <desc> on
  std::string key_;                ///< of the text
  Place text_place_;               ///< of its element
  std::string text_;
};

}  // namespace

GraphDescription read_graphml(const std::string& text, const std::string& source) {
  return GraphmlReader(source).read(text);
}

}  // namespace flitmend
