// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "rtl_tlm/sockets/socket_context.h"

namespace flitmend {

/// The messages of requests that initiators have created and that have not entered a source queue, for want
/// of room or because others must be answered before them. Only created, source, destination and length are
/// set.
std::vector<Message> held_back(const SocketContext&);

}  // namespace flitmend
