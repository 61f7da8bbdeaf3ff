// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// What a fault is about to destroy of a message.
struct Doom {
  bool head = false;  ///< its head flit, or the only one
  bool tail = false;  ///< its tail flit
  bool data = false;
  bool path = false;  ///< it crosses the part that fails: some flits have passed, others have not
  void add(const Doom& more) {
    head |= more.head;
    tail |= more.tail;
    data |= more.data;
    path |= more.path;
  }
};

/// The descriptors of all packets that a fault of that part would cut or cut again. Reads the registers and
/// changes nothing; call it before the part fails.
std::map<MessageIndex, Doom> doomed_messages(Fabric&, const FaultyPart&);

}  // namespace flitmend
