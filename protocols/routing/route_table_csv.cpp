// SPDX-License-Identifier: Apache-2.0
// Tables of routes as comma-separated values.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "protocols/routing/route_table.h"

namespace flitmend {
namespace {

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return read;
}

}  // namespace

/// Reads a table line by line.
class RouteTable::CsvReader {
 public:
  CsvReader(const Topology& topology, const std::string& source) : topology_(topology), source_(source) {
    for (RouterId r = 0; r < topology.router_count(); ++r) by_name_.emplace(topology.router_name(r), r);
  }

  RouteTable read(std::string_view text) {
    bool begun = false;
    for (line_ = 1; !text.empty(); ++line_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = without_spaces(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty()) continue;
      if (begun)
        read_hop(fields(line));
      else
        read_head(fields(line));
      begun = true;
    }
    if (lines_.empty()) fail("the table has no hops; give one for every two nodes");
    for (unsigned c = 0; c < classes_; ++c)
      if (!used_[c])
        throw ConfigurationError(
            Place{source_},
            formatted("class %1% has no hop, and class %2% has; number classes from 0 without gaps", c,
                      classes_ - 1));
    RouteTable table(topology_, std::move(lines_), classes_);
    for (NodeId from = 0; from < topology_.node_count(); ++from)
      for (NodeId to = 0; to < topology_.node_count(); ++to)
        if (from != to && table.hops(from, to).empty())
          throw ConfigurationError(Place{source_}, "no line says how " + topology_.router_name(from) +
                                                       " sends to " + topology_.router_name(to) +
                                                       "; a table has a hop for every two nodes");
    return table;
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw ConfigurationError(Place{source_, line_}, text);
  }

  std::vector<std::string_view> fields(std::string_view line) const {
    if (line.find('"') != std::string_view::npos) fail("a quotation mark; names and numbers need none");
    std::vector<std::string_view> all;
    for (;;) {
      const std::size_t comma = line.find(',');
      all.push_back(without_spaces(line.substr(0, comma)));
      if (comma == std::string_view::npos) return all;
      line.remove_prefix(comma + 1);
    }
  }

  void read_head(const std::vector<std::string_view>& names) {
    const std::vector<std::string_view> first = {"router", "destination", "next"};
    bool known = names.size() >= first.size() && std::equal(first.begin(), first.end(), names.begin());
    for (std::size_t i = first.size(); known && i < names.size(); ++i) {
      std::size_t& column = names[i] == "escape" ? escape_column_ : class_column_;
      known = (names[i] == "class" || names[i] == "escape") && column == 0;
      column = i;
    }
    if (!known)
      fail(
          "the first line must name the columns: router,destination,next, and after them, if the table has "
          "them, class and escape");
    columns_ = names.size();
  }

  void read_hop(const std::vector<std::string_view>& values) {
    if (values.size() != columns_)
      fail(formatted("%1% values; the first line names %2% columns: give a value for each", values.size(),
                     columns_));
    const RouterId router = router_of(values[0]);
    const RouterId destination = router_of(values[1]);
    if (topology_.is_switch(destination))
      fail(quoted(values[1]) + " is a switch; a destination has a processing element");
    if (router == destination) fail("the message is at its destination, where no hop is needed; remove it");
    const Hop hop{.port = port_of(router, values[2]),
                  .vc_class = class_column_ ? class_of(values[class_column_]) : std::uint8_t{0},
                  .escape = escape_column_ && is_escape(values[escape_column_])};
    const auto [first, fresh] =
        line_of_.try_emplace({{router, destination}, {hop.port, hop.vc_class}}, line_);
    if (!fresh) fail(formatted("the same hop as in line %1%; remove one", first->second));
    lines_.push_back({router, destination, hop});
    classes_ = std::max(classes_, hop.vc_class + 1u);
    used_[hop.vc_class] = true;
  }

  bool is_escape(std::string_view text) const {
    if (text != "yes" && text != "no")
      fail(
          formatted("escape is %1%; write yes for a hop of the routing subfunction of the deadlock proof, no "
                    "for any other",
                    quoted(text)));
    return text == "yes";
  }

  static std::string quoted(std::string_view text) { return escaped_text(text); }

  RouterId router_of(std::string_view text) const {
    if (const auto number = whole_number(text); number && *number < topology_.router_count()) return *number;
    const auto found = by_name_.find(std::string(text));
    if (found == by_name_.end())
      fail(formatted("%1% is not a router of the %2%; routers are 0 to %3%, or have names such as %4%",
                     quoted(text), topology_.description(), topology_.router_count() - 1,
                     topology_.router_name(0)));
    return found->second;
  }

  PortId port_of(RouterId router, std::string_view text) const {
    for (PortId p = 0; p < topology_.port_count(router); ++p)
      if (topology_.carries_flits(router, p) && topology_.port_name(router, p) == text) return p;
    const RouterId far = router_of(text);
    std::optional<PortId> port;
    for (PortId p = 0; p < topology_.port_count(router); ++p)
      if (topology_.carries_flits(router, p) && topology_.neighbour(router, p)->router == far) {
        if (port)
          fail("several links lead from " + topology_.router_name(router) + " to " +
               topology_.router_name(far) + "; name the port, for example " +
               topology_.port_name(router, *port));
        port = p;
      }
    if (!port)
      fail("no link leads from " + topology_.router_name(router) + " to " + topology_.router_name(far) +
           "; name a neighbour or a port");
    return *port;
  }

  std::uint8_t class_of(std::string_view text) const {
    const auto number = whole_number(text);
    if (!number || *number >= kMostClasses)
      fail(formatted("class %1%; classes of virtual channels are 0 to %2%", quoted(text), kMostClasses - 1));
    return static_cast<std::uint8_t>(*number);
  }

  const Topology& topology_;
  std::string source_;
  std::map<std::string, RouterId> by_name_;
  int line_ = 0;
  std::size_t columns_ = 0;
  std::size_t class_column_ = 0, escape_column_ = 0;  ///< 0: the table has none
  std::vector<Line> lines_;
  std::map<std::pair<std::pair<RouterId, NodeId>, std::pair<PortId, std::uint8_t>>, int> line_of_;
  unsigned classes_ = 1;
  bool used_[kMostClasses] = {};
};

RouteTable RouteTable::from_csv(const Topology& topology, const std::string& text,
                                const std::string& source) {
  check_size(topology);
  return CsvReader(topology, source).read(text);
}

}  // namespace flitmend
