// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend::graphml {

/// The part of GraphML that describes a network. Anything else that could change the network is refused,
/// since dropping it would simulate another one; labels, colours and the graphics of editors are ignored.
/// Each function returns what is wrong and what to do, or "".

/// `parent`: the element around it; "" for the outermost.
std::string wrong_element(std::string_view name, std::string_view parent);
/// Attributes with a namespace, and those of editors (with a dot in their name), are ignored.
std::string wrong_attribute(std::string_view element, std::string_view name);
/// What a key is for.
std::string wrong_owner(std::string_view owner);
/// Data with this name (attr.name of their key) of a node, an edge, a graph, …
std::string wrong_data(std::string_view owner, std::string_view name);

/// Whether data with this name of a node or an edge describe the network.
bool is_read(std::string_view owner, std::string_view name);

}  // namespace flitmend::graphml
