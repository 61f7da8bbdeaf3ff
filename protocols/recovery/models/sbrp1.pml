// SPDX-License-Identifier: Apache-2.0
// SBRP-1 on a line of routers: route FSMs, head-copy registers and flit counters, shadow registers, tail_received and
// TAILGONE, RESYNC, broken and virtual tails. The hardware is preset `sbrp` with one virtual channel: one flit per input
// and output buffer, so 3 flits can be lost beyond C. With OUTPUT_BUFFER 0 it has no output buffers: then 2 can be lost, and
// while a shadow register is in use the next tail waits, not the next head. The code: protocols/recovery/sbrp/unit.cpp,
// protocols/recovery/break_unit.cpp, rtl_tlm/mechanisms/tail_signals, rtl_tlm/router.
//
// Abstracted, and why that keeps the properties:
// - The clock. A step takes any time, so every order of the code is one of the model's, and others are. A timer expires
//   when nothing else can happen, as its time is longer than what it waits for; LONG and EARLY add the other cases.
// - Credits. A flit moves if there is room, which is what a credit says. RESYNC restores all credits at once.
// - An output buffer and the wire after it are one place of one flit: a credit takes too long for both to be full
//   (HardwareParameters::flits_between), and the same fault empties both.
// - Arbitration and allocation. With one virtual channel there is one candidate.
// - Requests and acknowledgements are one token each. They arrive at any time, and can be lost whenever a part on their
//   way is down. In the code they are messages of 4 flits of whose pieces nothing is used.
// - Ids. Two messages have two ids, which do not return.

// Planted errors: #define one of these.
#ifdef BUG_1 /* the receiver puts a piece after what it has, and does not check the sequence number */
#define UNCHECKED_NUMBERS
#endif
#ifdef BUG_2 /* the requester forgets a second fault while the first request is open */
#define ONE_REQUEST
#endif
#ifndef OUTPUT_BUFFER
#define OUTPUT_BUFFER 1
#endif
#ifdef BUG_3 /* C takes one flit too few for lost */
#define LOST (1 + OUTPUT_BUFFER)
#else
#define LOST (2 + OUTPUT_BUFFER)
#endif
#ifdef BUG_4 /* the sender drops its copy when the tail has left */
#define EARLY_DROP
#endif
#ifdef BUG_5 /* C forgets the message when B has the tail, and does not wait for A */
#define EARLY_TAILGONE
#endif

#define HEADER_OF(sub) ((sub) > 0 -> 2 : 1)
#define RECEIVER_ASKS
#define GUARD_JUSTIFIED (router_faults > 1)
#if OUTPUT_BUFFER
#define INJECTOR_OPEN(msg) (!in[0] && !lingering_there)
#define ENTRY_FREE (!in[0])
#define MAY_CROSS(r) (fsm[r] == ROUTED || (fsm[r] == ROUTING && (r == LAST || (!held[r] && !lingering[r] && USABLE(r)))))
#else
#define INJECTOR_OPEN(msg) (!in[0] && (!lingering_there || length[msg] > 1 || sub[msg] > 0))
#define ENTRY_FREE (!in[0] && (!lingering_there || lane_next + 1 < lane_length))
#define MAY_CROSS(r) (r == LAST || (!in[r + 1] && !(IS_TAIL(in[r]) && lingering[r]) && (fsm[r] == ROUTED || (!held[r] && USABLE(r)))))
#endif
#define NETWORK_EMPTY (NONE(in) && NONE(out) && NONE(tail_due) && NONE(received) && NONE(gone) && !gone_there)
#define NETWORK_FREE (NONE(fsm) && NONE(lingering) && NONE(owed) && !lingering_there)

#include "line.pml"

short in[ROUTERS];        // input buffer
short out[ROUTERS];       // output buffer, and the wire after it
byte fsm[ROUTERS];
short last[ROUTERS];      // the last flit that arrived. Of its packet is the head copy
byte flits_sent[ROUTERS];
bit tail_due[ROUTERS];
bit owed[ROUTERS];        // TAILGONE is to be sent for a tail that has arrived
short lingering[ROUTERS]; // shadow register of the output: packet; 0: not in use
byte left[ROUTERS];       // … and flit counter
bit came_from[ROUTERS];   // … and TAILGONE is owed for its tail
bit received[ROUTERS];    // tail_received is on its way to this router
bit gone[ROUTERS];        // so is TAILGONE
bit eject_gone;           // TAILGONE is to be sent when the tail on its way to the interface has been consumed
// The injector's shadow register, and TAILGONE on its way to it.
short lingering_there;
byte left_there;
bit gone_there;

// TailSignals::answer
inline answer_tail(r) {
  if
  :: owed[r] && r == 0 -> owed[r] = 0; gone_there = 1
  :: owed[r] && r > 0 -> owed[r] = 0; gone[r - 1] = 1
  :: else
  fi
}

// TailSignals::release
inline release(r) {
  if
  :: lingering[r] ->
    lingering[r] = 0; left[r] = 0;
    if
    :: came_from[r] -> came_from[r] = 0; answer_tail(r)
    :: else
    fi
  :: else
  fi
}

// Unit::ask_for_lingering, BreakUnit::output_failed, Unit::cut
inline fail_output(c) {
  out[c] = 0; received[c] = 0; gone[c] = 0;
  if
  :: lingering[c] -> ask(c, lingering[c], left[c], 0, 0); release(c)
  :: else
  fi;
  if
  :: fsm[c] == ROUTED -> ask(c, PACKET_OF(last[c]), flits_sent[c], 0, 0); fsm[c] = ABSORB; flits_sent[c] = 0
  :: else
  fi;
  held[c] = 1
}

// TailSignals::forget_upstream, BreakUnit::input_failed
inline fail_input(a) {
  owed[a] = 0; came_from[a] = 0; eject_gone = (a == LAST -> 0 : eject_gone);
  if
  :: fsm[a] != IDLE && !IS_TAIL(last[a]) && !tail_due[a] -> tail_due[a] = 1; append(a)
  :: else
  fi
}

inline append(a) {
  if
  :: tail_due[a] && !in[a] -> last[a] = FLIT(BROKEN_TAIL, PACKET_OF(last[a]), NUMBER(last[a]) + 1); in[a] = last[a]; tail_due[a] = 0
  :: else
  fi
}

inline reset_router(b) {
  in[b] = 0; out[b] = 0; fsm[b] = IDLE; last[b] = 0; flits_sent[b] = 0; tail_due[b] = 0; owed[b] = 0;
  lingering[b] = 0; left[b] = 0; came_from[b] = 0; received[b] = 0; gone[b] = 0;
  eject_gone = (b == LAST -> 0 : eject_gone)
}

// Injector::router_failed, InjectorShadows::vc_failed
inline injector_failed() {
  gone_there = 0;
  if
  :: lingering_there -> ask(0, lingering_there, left_there, 0, 0); lingering_there = 0; left_there = 0
  :: else
  fi;
  if
  :: lane -> ask(0, lane, lane_next, 0, 0); packet_left()
  :: else
  fi
}

// A flit arrives at router 0. InputController::accept, for all routers below.
inline enter(flit) {
  in[0] = flit; last[0] = flit;
  if
  :: fsm[0] == IDLE -> assert(IS_HEAD(flit)); fsm[0] = ROUTING
  :: else
  fi;
  if
  :: IS_TAIL(flit) -> owed[0] = 1
  :: else
  fi
}
inline head_left() { skip }
inline tail_left() { lingering_there = lane; left_there = lane_length - lane_cut }

inline cross(r) {
  out[r] = in[r]; in[r] = 0; flits_sent[r]++; fsm[r] = ROUTED;
  if
  :: IS_TAIL(out[r]) ->
    if
    :: r == LAST -> eject_gone = owed[r]; owed[r] = 0
    :: else ->
      lingering[r] = PACKET_OF(out[r]); left[r] = NUMBER(out[r]) + (IS_REAL_TAIL(out[r]) -> 1 : 0); came_from[r] = owed[r]
    fi;
    fsm[r] = IDLE; flits_sent[r] = 0; last[r] = 0
  :: else
  fi
}

proctype Router(byte r) {
end:
  do
  // The front flit crosses the crossbar; a head has been given the output.
  :: d_step { in[r] && !out[r] && UP(r) && (fsm[r] == ROUTED || fsm[r] == ROUTING) && MAY_CROSS(r) ->
      cross(r) }
  // The flit reaches the next router.
  :: d_step { r < LAST && out[r] && !in[r + 1] && USABLE(r) ->
      printf("entered %d\n", r + 1);
      in[r + 1] = out[r]; last[r + 1] = out[r]; out[r] = 0;
      if
      :: fsm[r + 1] == IDLE -> assert(IS_HEAD(in[r + 1])); fsm[r + 1] = ROUTING
      :: else
      fi;
      if
      :: IS_TAIL(in[r + 1]) -> owed[r + 1] = 1; received[r] = 1
      :: else
      fi }
  // … or the interface.
  :: d_step { r == LAST && out[r] && UP(r) ->
      printf("entered %d\n", ROUTERS);
      consume(out[r]);
      if
      :: IS_TAIL(out[r]) && eject_gone -> eject_gone = 0; if :: USABLE(r - 1) -> gone[r - 1] = 1 :: else fi
      :: else
      fi;
      out[r] = 0 }
  :: d_step { received[r] ->
      received[r] = 0;
#ifdef EARLY_TAILGONE
      release(r)
#else
      if
      :: lingering[r] && came_from[r] -> came_from[r] = 0; answer_tail(r)
      :: else
      fi
#endif
    }
  :: d_step { gone[r] && !received[r] -> gone[r] = 0; release(r) }
  :: d_step { r == 0 && gone_there -> gone_there = 0; lingering_there = 0; left_there = 0 }
  // ABSORB
  :: d_step { fsm[r] == ABSORB && in[r] ->
      if
      :: IS_TAIL(in[r]) -> answer_tail(r); fsm[r] = IDLE; last[r] = 0
      :: else
      fi;
      in[r] = 0 }
  :: d_step { tail_due[r] && !in[r] -> append(r) }
  // RESYNC
  :: d_step { r < LAST && held[r] && USABLE(r) && !in[r + 1] && fsm[r + 1] == IDLE && !tail_due[r + 1] -> held[r] = 0 }
  // A head has waited too long at a fault (BreakUnit::time_heads, CutHandling::head_waited).
  :: d_step { r < LAST && in[r] && fsm[r] == ROUTING && UP(r) && !USABLE(r) && long_left > 0 ->
      long_left--; late = 1;
      ask(r, PACKET_OF(in[r]), 0, 1, 0); fsm[r] = ABSORB }
  od
}

#include "ends.pml"
