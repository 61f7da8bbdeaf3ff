// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/register_text.h"

#include "rtl_tlm/context.h"

namespace flitmend {
namespace {

template <class Enum>
std::string word_of(std::uint64_t value) {
  const auto words = enum_words<Enum>();
  return value < words.size() ? std::string(words[value].word) : std::to_string(value);
}

}  // namespace

std::string port_name(const RouterState& state, unsigned port) {
  const RouterLayout& layout = state.layout();
  return port == layout.local_port
             ? "local"
             : layout.context.topology.port_name(state.header().id, static_cast<PortId>(port));
}

std::string register_text(RegisterForm form, unsigned width, const RegisterValue& value,
                          const RouterState* state) {
  if (!value) return "z";
  switch (form) {
    case RegisterForm::route_fsm:
      return word_of<RouteFsm>(*value);
    case RegisterForm::stage:
      return word_of<PipelineStage>(*value);
    case RegisterForm::flit_kind:
      return word_of<FlitKind>(*value);
    case RegisterForm::port:
      if (state) return port_name(*state, static_cast<unsigned>(*value));
      break;
    case RegisterForm::router_vc:
      if (state) {
        const auto id = static_cast<unsigned>(*value);
        return port_name(*state, state->port_of(id)) + ".vc" + std::to_string(state->vc_of(id));
      }
      break;
    case RegisterForm::mask: {
      std::string bits;
      for (unsigned bit = width; bit-- > 0;) bits += *value >> bit & 1 ? '1' : '0';
      return bits;
    }
    default:
      break;
  }
  return std::to_string(*value);
}

}  // namespace flitmend
