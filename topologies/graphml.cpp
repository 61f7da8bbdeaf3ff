// SPDX-License-Identifier: Apache-2.0
#include "topologies/graphml.h"

#include <expat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "base/errors.h"
#include "base/escaped_text.h"

namespace flitmend {
namespace {

/// The part of a name after the colon of its namespace.
std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

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

/// Reads one GraphML text, element by element. Expat calls the handlers; an error is kept until it returns.
class GraphmlReader {
 public:
  explicit GraphmlReader(const std::string& source) : source_(source), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          of(self).guarded([&] { of(self).begin(local_name(name), attributes); });
        },
        [](void* self, const XML_Char* name) { of(self).guarded([&] { of(self).end(local_name(name)); }); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int length) {
      of(self).guarded([&] { of(self).characters(text, length); });
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          of(self).guarded([&] { of(self).fail("a document type is not read; remove the DOCTYPE"); });
        });
  }

  GraphDescription read(const std::string& text) {
    const XML_Status status = XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (error_) std::rethrow_exception(error_);
    if (status != XML_STATUS_OK)
      fail(std::string("this is not well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())));
    if (!graph_seen_) fail("there is no <graph>; a network is <graphml><graph>…</graph></graphml>");
    link_up();
    return std::move(graph_);
  }

 private:
  enum class Owner { none, node, edge };
  struct DataKey {
    bool of_nodes = false, of_edges = false;
    std::string name;
    std::string initial;  ///< its <default>
  };
  struct Edge {
    std::string from, to;
    std::map<std::string, std::string> data;  ///< by name
    Place place;
    std::set<std::string> given = {};  ///< names of its own data; the others are defaults of their keys
  };

  static GraphmlReader& of(void* self) { return *static_cast<GraphmlReader*>(self); }

  /// No exception may pass through Expat.
  template <class F>
  void guarded(F&& f) {
    if (error_) return;
    try {
      f();
    } catch (...) {
      error_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  Place here() const {
    return {source_, static_cast<int>(XML_GetCurrentLineNumber(parser_.get())),
            static_cast<int>(XML_GetCurrentColumnNumber(parser_.get())) + 1};
  }
  [[noreturn]] void fail(const std::string& text) const { throw ConfigurationError(here(), text); }

  static std::string attribute(const XML_Char** attributes, std::string_view name) {
    for (; *attributes; attributes += 2)
      if (local_name(attributes[0]) == name) return attributes[1];
    return {};
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    ++depth_;
    if (depth_ == 1 && name != "graphml")
      fail("<" + escaped_text(std::string(name)) + ">, where <graphml> is expected");
    if (name == "key") begin_key(attributes);
    if (name == "graph") begin_graph(attributes);
    if (name == "node") begin_node(attributes);
    if (name == "edge") begin_edge(attributes);
    if (name == "hyperedge") fail("a hyperedge; a link joins two routers: use a switch and edges");
    if (name == "data" || name == "default") begin_text(name, attributes);
  }

  void begin_key(const XML_Char** attributes) {
    key_ = attribute(attributes, "id");
    const std::string owner = attribute(attributes, "for");
    if (key_.empty()) fail("a <key> without id");
    std::string name = attribute(attributes, "attr.name");
    const bool all = owner.empty() || owner == "all";
    keys_[key_] = {all || owner == "node", all || owner == "edge", name.empty() ? key_ : name, ""};
  }

  void begin_graph(const XML_Char** attributes) {
    if (graph_seen_) fail("a second <graph>; a network is one graph without others in it");
    graph_seen_ = true;
    if (attribute(attributes, "edgedefault") == "directed") refuse_directed("edgedefault");
  }

  [[noreturn]] void refuse_directed(const char* what) const {
    fail(std::string(what) +
         " says that edges are directed, but a link has a channel in each direction; list each link once, "
         "undirected");
  }

  void begin_node(const XML_Char** attributes) {
    if (owner_ != Owner::none) fail("a <node> inside another element");
    GraphDescription::Router router{attribute(attributes, "id"), false, {}, {}, here()};
    if (!is_identifier(router.id))
      fail("the id of a <node> is \"" + escaped_text(router.id) +
           "\"; it names the router, and has only letters, digits and underscores");
    if (const auto [other, fresh] = by_id_.try_emplace(router.id, graph_.routers.size()); !fresh)
      fail("a second <node> with id " + router.id + "; the first is in line " +
           std::to_string(graph_.routers[other->second].place.line));
    graph_.routers.push_back(std::move(router));
    owner_ = Owner::node;
    for (const auto& [id, key] : keys_)
      if (key.of_nodes && !key.initial.empty()) node_data(key.name, key.initial);
  }

  void begin_edge(const XML_Char** attributes) {
    if (owner_ != Owner::none) fail("an <edge> inside another element");
    if (attribute(attributes, "directed") == "true") refuse_directed("directed");
    edges_.push_back({attribute(attributes, "source"), attribute(attributes, "target"), {}, here()});
    owner_ = Owner::edge;
    for (const auto& [id, key] : keys_)
      if (key.of_edges && !key.initial.empty()) edges_.back().data[key.name] = key.initial;
    for (const auto& [name, value] : edges_.back().data) check_edge_data(name, value);
  }

  void begin_text(std::string_view name, const XML_Char** attributes) {
    text_.clear();
    in_text_ = true;
    if (name == "data") key_ = attribute(attributes, "key");
  }

  void characters(const XML_Char* text, int length) {
    if (in_text_) text_.append(text, static_cast<std::size_t>(length));
  }

  void end(std::string_view name) {
    --depth_;
    if (name == "node" || name == "edge") owner_ = Owner::none;
    if (!in_text_ || (name != "data" && name != "default")) return;
    in_text_ = false;
    const std::string value(trimmed(text_));
    const auto key = keys_.find(key_);
    if (name == "default") {
      if (key != keys_.end()) key->second.initial = value;
      return;
    }
    if (key == keys_.end()) fail("data of key " + escaped_text(key_) + ", which no <key> declares");
    if (owner_ == Owner::node && key->second.of_nodes) node_data(key->second.name, value);
    if (owner_ == Owner::edge && key->second.of_edges) {
      if (!edges_.back().given.insert(key->second.name).second)
        fail("a second " + escaped_text(key->second.name) + " of the edge; remove one");
      check_edge_data(key->second.name, value);
      edges_.back().data[key->second.name] = value;
    }
  }

  void node_data(const std::string& name, const std::string& value) {
    GraphDescription::Router& router = graph_.routers.back();
    if (name == "kind") {
      if (value != "node" && value != "switch")
        fail("kind is \"" + escaped_text(value) +
             "\"; it is node, for a router with a processing element, or switch, for one without");
      router.is_switch = value == "switch";
    } else if (name == "x" || name == "y") {
      (name == "x" ? router.x : router.y) = number(name, value);
    }
  }

  void check_edge_data(const std::string& name, const std::string& value) const {
    if (name == "latency") latency(value);
    if (name == "width") width(value);
  }

  unsigned latency(const std::string& value) const {
    return whole_number("latency", value, kLongestLinkLatency, "a link takes", "cycles");
  }

  unsigned width(const std::string& value) const {
    return whole_number("width", value, kWidestLink, "a link carries", "bits per cycle");
  }

  /// From 1 to `most`.
  unsigned whole_number(const std::string& name, const std::string& value, unsigned most, const char* what,
                        const char* unit) const {
    unsigned read = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (error != std::errc{} || end != value.data() + value.size() || read < 1 || read > most)
      fail(name + " is \"" + escaped_text(value) + "\"; " + what + " 1 to " + std::to_string(most) + " " +
           unit);
    return read;
  }

  double number(const std::string& name, const std::string& value) const {
    double read{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(read))
      fail(name + " is \"" + escaped_text(value) + "\", which is not a number");
    return read;
  }

  // Edges may precede their nodes.
  void link_up() {
    for (const Edge& edge : edges_) {
      const auto index = [&](const char* end, const std::string& id) {
        const auto found = by_id_.find(id);
        if (found == by_id_.end())
          throw ConfigurationError(edge.place, std::string(end) + " of the edge is \"" + escaped_text(id) +
                                                   "\", and no <node> has that id");
        return found->second;
      };
      GraphDescription::Link link{index("source", edge.from), index("target", edge.to), 0, 0, edge.place};
      if (link.from == link.to)
        throw ConfigurationError(edge.place, "the edge joins " + edge.from + " to itself; remove it");
      if (const auto given = edge.data.find("latency"); given != edge.data.end())
        link.latency = latency(given->second);
      if (const auto given = edge.data.find("width"); given != edge.data.end())
        link.width = width(given->second);
      graph_.links.push_back(std::move(link));
    }
  }

  struct FreeParser {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  std::string source_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser> parser_;
  std::exception_ptr error_;
  GraphDescription graph_;
  std::map<std::string, std::size_t> by_id_;
  std::map<std::string, DataKey> keys_;
  std::vector<Edge> edges_;
  unsigned depth_ = 0;
  bool graph_seen_ = false;
  Owner owner_ = Owner::none;  ///< the element whose data come
  bool in_text_ = false;
  std::string key_;  ///< of the text
  std::string text_;
};

}  // namespace

GraphDescription read_graphml(const std::string& text, const std::string& source) {
  return GraphmlReader(source).read(text);
}

}  // namespace flitmend
