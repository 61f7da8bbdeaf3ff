// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/fault_story.h"

namespace flitmend {

bool FaultStory::told(const Message& message) const {
  return !ended_ && about(message);
}

void FaultStory::message_hit(MessageIndex, const Message& message, Cycle cycle) {
  if (!moments_.empty() || cycle < from_ || cycle > to_) return;
  source_ = message.source;
  destination_ = message.destination;
  id_ = message.id;
  moments_.push_back({"fault", cycle});
}

// The first control message to its source after the fault is about the message, or at least comes before the
// one that is.
void FaultStory::control_sent(MessageIndex, const Message& control, Cycle cycle) {
  if (moments_.empty() || requested_ || restarted_ || ended_ || control.destination != source_) return;
  requested_ = true;
  moments_.push_back({"request", cycle});
}

void FaultStory::message_resent(MessageIndex, const Message& original, Cycle cycle) {
  if (!told(original) || restarted_) return;
  restarted_ = true;
  moments_.push_back({"restart", cycle});
}

void FaultStory::end(const Message& message, const char* how, Cycle cycle) {
  if (!told(message)) return;
  ended_ = true;
  moments_.push_back({how, cycle});
}

void FaultStory::message_delivered(MessageIndex, const Message& message, NodeId, Cycle cycle) {
  end(message, "complete", cycle);
}

void FaultStory::message_lost(MessageIndex, const Message& message, Cycle cycle) {
  end(message, "lost", cycle);
}

void FaultStory::message_undeliverable(MessageIndex, const Message& message, Cycle cycle) {
  end(message, "undeliverable", cycle);
}

}  // namespace flitmend
