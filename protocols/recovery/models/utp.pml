// SPDX-License-Identifier: Apache-2.0
// UTP on a line of routers: copies of flits in the router before, COPIED, the head-copy register with its restart head,
// renaming of the flits that continue a restarted message, replica tokens (broken tails), RESYNC. The hardware is preset
// `sbrp` with one virtual channel: BUFFER flits per input buffer, one per output buffer. The code:
// protocols/recovery/utp/utp.cpp, protocols/recovery/break_unit.cpp, rtl_tlm/mechanisms/copies, rtl_tlm/router.
//
// Abstracted, and why that keeps the properties:
// - The clock. A step takes any time, so every order of the code is one of the model's, and others are. A timer expires
//   when nothing else can happen, as its time is longer than what it waits for; LONG and EARLY add the other cases.
// - Credits (FREED). A flit moves if there is room, which is what a credit says. RESYNC restores all credits at once.
// - COPIED arrives with the flit or at any later time.
// - BACKUP is a wait of two cycles: here the head requests its route at once.
// - Arbitration and allocation. With one virtual channel there is one candidate.
// - Requests and acknowledgements are one token each. They arrive at any time, and can be lost whenever a part on their
//   way is down. In the code they are messages of 4 flits of whose pieces nothing is used.
// - Ids. Two messages have two ids, which do not return.
// - A receiver that drops its pieces after a long time: the guard sends the whole message earlier.

// Planted errors: #define one of these.
#ifdef BUG_1 /* C sends COPIED when the flit crosses its crossbar, as published */
#define COPIED_AT_CROSSBAR
#endif
#ifdef BUG_2 /* after a restart COPIED is sent a second time for the same flit */
#define COPIED_TWICE
#endif
#ifdef BUG_3 /* the router after the fault sends no replica token */
#define NO_REPLICA_TOKEN
#endif
#ifdef BUG_4 /* the virtual channel is released when the tail has left, with its copies */
#define NO_CLOSING
#endif
#ifdef BUG_5 /* the receiver forgets the ids of finished messages */
#define NO_IDS
#endif

#ifndef BUFFER
#define BUFFER 1
#endif
#define HEADER_OF(sub) 1
#define LOST 0
// Two adjacent parts, not both links, have the only two copies of a flit.
#define GUARD_JUSTIFIED (struck > 1 && router_faults > 0)
#define SLOTS (BUFFER + 1) /* and the restart head in the head-copy register */
#define AT(r, i) flits[(r) * SLOTS + (i)]
#define FULL(r) (copies[r] + unsent[r] - own_head[r] >= BUFFER)
#define INJECTOR_OPEN(msg) (!FULL(0) && !packet[1])
#define ENTRY_FREE (!FULL(0))
#define NETWORK_EMPTY (NONE(copies) && NONE(unsent) && NONE(out) && NONE(wire) && NONE(tail_due) && NONE(copied) && !copied_there)
#define NETWORK_FREE (NONE(fsm) && NONE(closing) && NONE(renaming) && NONE(own_head) && NONE(resent) && NONE(told) && !packet[0])

#include "line.pml"

// Input virtual channel: its copies, oldest first, and then the flits that have not been sent.
short flits[ROUTERS * SLOTS];
byte copies[ROUTERS];
byte unsent[ROUTERS];
byte told[ROUTERS];       // copies for which COPIED has been sent
byte resent[ROUTERS];     // flits at the front for which it was sent before a restart
bit own_head[ROUTERS];    // the oldest flit or copy is in the head-copy register
bit closing[ROUTERS];     // the tail has left, and copies are kept
byte fsm[ROUTERS];
short last[ROUTERS];      // the last flit that arrived
short head_copy[ROUTERS]; // packet
byte flits_sent[ROUTERS];
bit tail_due[ROUTERS];
bit renaming[ROUTERS];    // flits that arrive continue the restarted packet
short out[ROUTERS];       // output buffer
short wire[ROUTERS];      // the wire after it. The last router has only this
bit tells[ROUTERS];       // COPIED for the flit on the wire is on its way
byte copied[ROUTERS];     // COPIED that reaches this router
byte copied_there;        // … and the injector
// The injector: packets for which COPIED is missing, the oldest first; of how many flits it has arrived; their flits, once
// all have left.
short packet[2];
byte counted[2];
byte sent[2];

#ifdef SHORTEST
byte i, from;
#else
hidden byte i, from;
#endif

// Copies::send_copied, when the flit has arrived.
inline send_copied(r) {
  if
  :: r == 0 -> copied_there++
  :: r > 0 -> if :: USABLE(r - 1) -> copied[r - 1]++ :: else fi
  fi
}

inline shift(r) {
  for (i : 0 .. BUFFER - 1) { AT(r, i) = AT(r, i + 1) };
  AT(r, BUFFER) = 0
}

inline to_idle(r) {
  fsm[r] = IDLE; flits_sent[r] = 0; closing[r] = 0; head_copy[r] = 0;
  if
  :: unsent[r] > 0 -> start_routing(r)
  :: else -> last[r] = 0
  fi
}

inline start_routing(r) {
  assert(IS_HEAD(AT(r, copies[r])));
  fsm[r] = ROUTING; head_copy[r] = PACKET_OF(AT(r, copies[r]))
}

// InputController::accept, Copies::rename
inline accept(r, flit) {
  assert(!FULL(r));
  last[r] = (renaming[r] -> FLIT(KIND(flit), head_copy[r], NUMBER(last[r]) + 1) : flit);
  if
  :: IS_TAIL(flit) -> renaming[r] = 0
  :: else
  fi;
  AT(r, copies[r] + unsent[r]) = last[r];
  unsent[r] = unsent[r] + 1;
  if
  :: fsm[r] == IDLE -> start_routing(r)
  :: else
  fi
}

// Copies::restart: the copies become unsent, after a restart head unless the head is one of them. They, and what is still
// to arrive, are a new packet.
inline restart(c) {
  from = flits_sent[c] - copies[c];
  unsent[c] = unsent[c] + copies[c];
#ifndef COPIED_TWICE
  resent[c] = resent[c] + told[c];
#endif
  copies[c] = 0; told[c] = 0;
  if
  :: !IS_TAIL(last[c]) && !tail_due[c] -> renaming[c] = 1
  :: else
  fi;
  head_copy[c] = PACKET(MESSAGE(head_copy[c]), SUB(head_copy[c]) + 1, FIRST(head_copy[c]) + (from > 0 -> from - 1 : 0));
  if
  :: from > 0 ->
    assert(!own_head[c]);
    i = BUFFER;
    do
    :: i > 0 -> AT(c, i) = AT(c, i - 1); i--
    :: else -> break
    od;
    AT(c, 0) = FLIT(HEAD, head_copy[c], 0);
    unsent[c] = unsent[c] + 1;
    own_head[c] = 1;
    resent[c] = resent[c] + 1
  :: else
  fi;
  i = 0;
  do
  :: i < unsent[c] && (i == 0 || !IS_HEAD(AT(c, i))) ->
    last[c] = FLIT(KIND(AT(c, i)), head_copy[c], i);
    AT(c, i) = last[c];
    i++
  :: else -> break
  od;
  i = unsent[c] - 1;
  last[c] = AT(c, i);  // of the next message, if its head is there
  flits_sent[c] = 0; closing[c] = 0; fsm[c] = ROUTING
}

// BreakUnit::output_failed, Unit::cut. COPIED for a flit that is lost on the wire still arrives.
inline fail_output(c) {
  if
  :: wire[c] && tells[c] -> send_copied(c)
  :: else
  fi;
  out[c] = 0; wire[c] = 0; tells[c] = 0; copied[c] = 0;
  if
  :: fsm[c] == ROUTED -> restart(c)
  :: else
  fi;
  held[c] = 1
}

// Copies::end_renaming, BreakUnit::input_failed
inline fail_input(a) {
  renaming[a] = 0;
  tells[a] = 0;
  if
  :: fsm[a] != IDLE && !IS_TAIL(last[a]) && !tail_due[a] ->
#ifndef NO_REPLICA_TOKEN
    tail_due[a] = 1; append(a);
#endif
    skip
  :: else
  fi
}

inline append(a) {
  if
  :: tail_due[a] && !FULL(a) -> tail_due[a] = 0; accept(a, FLIT(BROKEN_TAIL, PACKET_OF(last[a]), NUMBER(last[a]) + 1))
  :: else
  fi
}

inline reset_router(b) {
  for (i : 0 .. BUFFER) { AT(b, i) = 0 };
  copies[b] = 0; unsent[b] = 0; told[b] = 0; resent[b] = 0; own_head[b] = 0; closing[b] = 0; fsm[b] = IDLE; last[b] = 0;
  head_copy[b] = 0; flits_sent[b] = 0; tail_due[b] = 0; renaming[b] = 0; out[b] = 0; wire[b] = 0; tells[b] = 0; copied[b] = 0
}

// Injector::router_failed, InjectorCopies::router_failed
inline injector_failed() {
  copied_there = 0;
  if
  :: lane -> packet_left()
  :: else
  fi;
  if
  :: packet[0] -> ask(0, packet[0], counted[0], 0, 0)
  :: else
  fi;
  if
  :: packet[1] -> ask(0, packet[1], counted[1], 0, 0)
  :: else
  fi;
  for (i : 0 .. 1) { packet[i] = 0; counted[i] = 0; sent[i] = 0 }
}

inline enter(flit) { accept(0, flit) }
inline head_left() {
  i = (packet[0] -> 1 : 0);
  packet[i] = lane
}
inline tail_left() {
  i = (packet[1] -> 1 : 0);
  sent[i] = lane_length
}

// RouterCycle::cross, Copies::crosses
inline cross(r) {
  from = IS_TAIL(AT(r, copies[r]));
  out[r] = AT(r, copies[r]);
  unsent[r] = unsent[r] - 1; flits_sent[r] = flits_sent[r] + 1; fsm[r] = ROUTED;
#ifdef COPIED_AT_CROSSBAR
  if
  :: resent[r] > 0 -> resent[r] = resent[r] - 1
  :: else -> send_copied(r)
  fi;
#endif
  if
  :: r == LAST ->
    shift(r);
    if
    :: IS_HEAD(out[r]) -> own_head[r] = 0
    :: else
    fi;
    leave(r)
  :: else -> copies[r] = copies[r] + 1
  fi;
  if
  :: !from
#ifdef NO_CLOSING
  :: from ->
    do
    :: copies[r] > 0 -> shift(r); copies[r] = copies[r] - 1
    :: else -> break
    od;
    told[r] = 0; own_head[r] = 0; to_idle(r)
#else
  :: from && copies[r] == 0 -> to_idle(r)
  :: from && copies[r] > 0 -> closing[r] = 1
#endif
  fi
}

// Copies::left
inline leave(r) {
  wire[r] = out[r]; out[r] = 0;
#ifndef COPIED_AT_CROSSBAR
  if
  :: resent[r] > 0 -> resent[r] = resent[r] - 1
  :: else -> tells[r] = 1
  fi;
#endif
  if
  :: r > 0 -> if :: !USABLE(r - 1) -> tells[r] = 0 :: else fi
  :: else
  fi;
  if
  :: copies[r] > told[r] -> told[r] = told[r] + 1
  :: else
  fi
}

inline arrive(r) {
  if
  :: tells[r] -> tells[r] = 0; send_copied(r)
  :: else
  fi;
  wire[r] = 0
}

// Copies::free_oldest, close
inline free_oldest(r) {
  assert(copies[r] > 0 && told[r] > 0);
  copies[r] = copies[r] - 1; told[r] = told[r] - 1; own_head[r] = 0;
  shift(r);
  if
  :: closing[r] && copies[r] == 0 -> to_idle(r)
  :: else
  fi
}

proctype Router(byte r) {
end:
  do
  // The front flit crosses the crossbar; a head has been given the output.
  :: d_step { unsent[r] > 0 && !(r == LAST -> wire[r] : out[r]) && UP(r) && !closing[r] && (fsm[r] == ROUTED || (fsm[r] == ROUTING && (r == LAST || (!held[r] && USABLE(r))))) ->
      cross(r) }
  :: d_step { r < LAST && out[r] && !wire[r] && USABLE(r) && !FULL(r + 1) -> leave(r) }
  // The flit reaches the next router, or the interface.
  :: d_step { r < LAST && wire[r] ->
      printf("entered %d\n", r + 1);
      accept(r + 1, wire[r]); arrive(r) }
  :: d_step { r == LAST && wire[r] ->
      printf("entered %d\n", r + 1);
      consume(wire[r]); arrive(r) }
  :: d_step { copied[r] > 0 ->
      copied[r] = copied[r] - 1;
      if
      :: fsm[r] == ROUTED -> free_oldest(r)
      :: else
      fi }
  :: d_step { r == 0 && copied_there > 0 ->
      copied_there--;
      if
      :: packet[0] -> counted[0] = counted[0] + 1
      :: else
      fi;
      if
      :: packet[0] && counted[0] == sent[0] ->
        packet[0] = packet[1]; counted[0] = counted[1]; sent[0] = sent[1]; packet[1] = 0; counted[1] = 0; sent[1] = 0
      :: else
      fi }
  // ABSORB. Copies::discarded
  :: d_step { fsm[r] == ABSORB && unsent[r] > 0 ->
      from = IS_TAIL(AT(r, 0));
      if
      :: IS_HEAD(AT(r, 0)) -> own_head[r] = 0
      :: else
      fi;
      unsent[r] = unsent[r] - 1;
      shift(r);
      if
      :: resent[r] > 0 -> resent[r] = resent[r] - 1
      :: else -> send_copied(r)
      fi;
      if
      :: from -> to_idle(r)
      :: else
      fi }
  :: d_step { tail_due[r] && !FULL(r) -> append(r) }
  // RESYNC; COPIED that is under way is about messages before the fault.
  :: d_step { r < LAST && held[r] && USABLE(r) && unsent[r + 1] == 0 && fsm[r + 1] == IDLE && !tail_due[r + 1] ->
      held[r] = 0; copied[r] = 0; tells[r + 1] = 0 }
  // A head has waited too long at a fault (BreakUnit::time_heads, CutHandling::head_waited).
  :: d_step { r < LAST && fsm[r] == ROUTING && UP(r) && !USABLE(r) && long_left > 0 ->
      long_left--; late = 1;
      ask(r, PACKET_OF(AT(r, 0)), 0, 1, 0); fsm[r] = ABSORB }
  od
}

#include "ends.pml"
