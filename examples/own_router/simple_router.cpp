// SPDX-License-Identifier: Apache-2.0
#include "simple_router.h"

#include <algorithm>

using namespace flitmend;

SimpleRouter::SimpleRouter(sc_core::sc_module_name name, RouterBoundary& place)
    : sc_module(name),
      place_(place),
      inputs_(place.ports() * place.vcs()),
      taken_(inputs_.size()),
      last_(place.ports()),
      free_from_(place.ports()) {}

void SimpleRouter::clear(Cycle) {
  for (Input& input : inputs_) input = Input{};
  std::fill(taken_.begin(), taken_.end(), false);
  std::fill(free_from_.begin(), free_from_.end(), Cycle{0});
}

/// A head takes the first free virtual channel of the first candidate that has one.
bool SimpleRouter::get_output(unsigned id) {
  Input& input = inputs_[id];
  const unsigned vcs = place_.vcs();
  for (const RouteCandidate& c : place_.route(id / vcs, id % vcs, place_.message(input.queue.front())))
    for (unsigned vc = 0; vc < vcs; ++vc)
      if (place_.vcs_of(c) >> vc & 1 && !taken_[c.port * vcs + vc]) {
        input.output = c.port * vcs + vc;
        taken_[input.output] = true;
        return true;
      }
  return false;
}

void SimpleRouter::send_on(Cycle t, unsigned port) {
  if (t < free_from_[port]) return;
  const unsigned vcs = place_.vcs();
  const auto count = static_cast<unsigned>(inputs_.size());
  for (unsigned i = 1; i <= count; ++i) {
    const unsigned id = (last_[port] + i) % count;
    Input& input = inputs_[id];
    if (input.queue.empty() || input.output == kNone || input.output / vcs != port ||
        place_.room(port, input.output % vcs) == 0)
      continue;
    Flit flit = input.queue.front();
    input.queue.pop_front();
    flit.vc = static_cast<std::uint8_t>(input.output % vcs);
    place_.send(t, port, flit);
    free_from_[port] = t + place_.flit_cycles(port);
    place_.return_credit(t, id / vcs, id % vcs);
    last_[port] = id;
    if (is_tail(flit.kind)) {
      taken_[input.output] = false;
      input.output = kNone;
    }
    return;
  }
}

void SimpleRouter::evaluate(Cycle t) {
  for (unsigned id = 0; id < inputs_.size(); ++id)
    if (inputs_[id].output == kNone && !inputs_[id].queue.empty()) get_output(id);
  for (unsigned port = 0; port < place_.ports(); ++port) send_on(t, port);
  for (unsigned port = 0; port < place_.ports(); ++port)
    if (const Flit* const flit = place_.arrived(port))
      inputs_[port * place_.vcs() + flit->vc].queue.push_back(*flit);
}
