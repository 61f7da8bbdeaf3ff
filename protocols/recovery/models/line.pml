// SPDX-License-Identifier: Apache-2.0
// What the models of SBRP-1 and UTP share: flits, the sending end at node 0, the receiving end at the last node, the
// requests, the timers, and the faults. Routers 0 … LAST are a line; output r leads to router r + 1, and that of the
// last router to its interface. Each step is atomic. Steps of different parts happen in any order, and a fault can be
// between any two.
//
// The code: protocols/recovery/sbrp/{sender,requester,ends}.cpp, rtl_tlm/node/injector.cpp, rtl_tlm/fabric/faults.cpp.
//
// Parameters (#define before #include, or -D):
//   ROUTERS 2 or 3; MESSAGES 1 or 2, of LENGTH and LENGTH1 flits (1 to 4; 0: any of these)
//   FAULTS: at most that many; ROUTER_FAULTS, LINK_FAULTS: whether that kind strikes
//   LONG: at most that many timers expire while a part is down
//   EARLY: at most that many timers expire although what they wait for is on its way
//   SHORTEST: for a breadth-first search
// A protocol defines HEADER_OF(sub): flits before the first data flit; LOST: flits that can be lost beyond C;
// RECEIVER_ASKS, if the receiver asks for what is missing; GUARD_JUSTIFIED: which faults may need the guard; NETWORK_EMPTY:
// no flit or signal is on its way; NETWORK_FREE: all resources of routers are free; ENTRY_FREE: router 0 has room for the
// injector's next flit; INJECTOR_OPEN(msg): the packet of that message may enter; and the inlines fail_output, fail_input,
// reset_router, enter, head_left, tail_left and injector_failed.
#ifndef ROUTERS
#define ROUTERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 1
#endif
#ifndef LENGTH
#define LENGTH 4
#endif
#ifndef LENGTH1
#define LENGTH1 LENGTH
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef ROUTER_FAULTS
#define ROUTER_FAULTS 1
#endif
#ifndef LINK_FAULTS
#define LINK_FAULTS 1
#endif
#ifndef LONG
#define LONG 0
#endif
#ifndef EARLY
#define EARLY 0
#endif

#define LAST (ROUTERS - 1)
#define DATA_OF(m) (length[m] > 2 -> length[m] - 2 : 0)
#define ALL_OF(m) ((1 << DATA_OF(m)) - 1)

// --- Flits ---
// A flit names its packet (message, SSNF, first data flit) and its number in it, as flit and descriptor do in the code.
#define HEAD 1
#define BODY 2
#define TAIL 3
#define BROKEN_TAIL 4
#define VIRTUAL_TAIL 5
#define HEAD_TAIL 6
#define PACKET(message, sub, first) (1 << 13 | (message) << 3 | (sub) << 4 | (first) << 8)
#define FLIT(kind, packet, number) ((kind) | (packet) | ((number) << 10))
#define KIND(flit) ((flit) & 7)
#define PACKET_OF(flit) ((flit) & 9208) /* all but kind and number */
#define MESSAGE(flit) (((flit) >> 3) & 1)
#define SUB(flit) (((flit) >> 4) & 15)
#define FIRST(flit) (((flit) >> 8) & 3)
#define NUMBER(flit) (((flit) >> 10) & 7)
#define IS_HEAD(flit) (KIND(flit) == HEAD || KIND(flit) == HEAD_TAIL)
#define IS_TAIL(flit) (KIND(flit) >= TAIL)
#define IS_REAL_TAIL(flit) (KIND(flit) == TAIL || KIND(flit) == HEAD_TAIL)

// --- Faults and timers ---
bit down[ROUTERS];
bit link_down[ROUTERS];  // from router r to router r + 1, and back
bit held[ROUTERS];       // the output waits for RESYNC
byte faults_left = FAULTS;
byte struck, router_faults;
byte long_left = LONG;
byte early_left = EARLY;
bit late;                // a timer has expired early, or while a part was down
#define UP(r) (!down[r])
#define USABLE(r) (!down[r] && !link_down[r] && !down[(r) + 1])
#if ROUTERS == 2
#define ANY_DOWN (down[0] || down[1] || link_down[0])
#define PATH_DOWN(node) ANY_DOWN
#define NONE(a) (!a[0] && !a[1])
#else
#define ANY_DOWN (down[0] || down[1] || down[2] || link_down[0] || link_down[1])
#define PATH_DOWN(node) (down[0] || down[1] || link_down[0] || ((node) == 2 && (down[2] || link_down[1])))
#define NONE(a) (!a[0] && !a[1] && !a[2])
#endif
#if MESSAGES == 1
#define EVERY(condition) (condition(0))
#else
#define EVERY(condition) (condition(0) && condition(1))
#endif

// Route FSM of an input virtual channel.
#define IDLE 0
#define ROUTING 1
#define ROUTED 2
#define ABSORB 3

// --- The sending end ---
#define GONE 0     /* its last flit has left */
#define QUEUED 1
#define SENDING 2
byte length[MESSAGES];    // flits, head and tail included
bit kept[MESSAGES];       // the sender has its copy
byte packet_is[MESSAGES]; // the latest packet: GONE, QUEUED, SENDING
byte sub[MESSAGES];       // its SSNF
byte first[MESSAGES];     // its first data flit
bit postponed[MESSAGES];  // it is to be sent again after some time
short lane;               // of the injector: the packet being sent
byte lane_next, lane_length;
bit lane_cut;             // its next flit is a virtual tail

// --- The receiving end ---
short arriving;           // packet whose head has been consumed, and whose tail has not
byte arrived;             // flits of it
bit open[MESSAGES];       // pieces have arrived, and data are missing
byte got[MESSAGES];       // data flits, a bit each
byte highest[MESSAGES];   // SSNF
bit done[MESSAGES];       // FinishedIds
// Not hardware: the data flits that were consumed, and how often the message was delivered.
byte consumed[MESSAGES];
byte deliveries[MESSAGES];

// --- Requests, in the memory of the node that asks ---
#define REQUESTS 4
#define FREE 0
#define TO_SEND 1
#define SENT 2
byte phase[REQUESTS];
byte asker[REQUESTS];
short cut[REQUESTS];      // the packet
byte count[REQUESTS];     // flits of it that have left
bit no_route[REQUESTS];
bit silent[REQUESTS];
bit asking[REQUESTS];     // the request is on its way
byte answer[REQUESTS];    // so is its acknowledgement; FINISHED: the sender is done with the message
#define KEPT 1
#define FINISHED 2
#define SLOT_FREE(k) (phase[k] == FREE && !asking[k] && !answer[k])
#define SLOT_QUIET(k) (phase[k] != TO_SEND && !asking[k] && !answer[k])
#define PENDING_AT(k, node, packet) (phase[k] != FREE && asker[k] == node && cut[k] == (packet))
#define PENDING(node, packet) (PENDING_AT(0, node, packet) || PENDING_AT(1, node, packet) || PENDING_AT(2, node, packet) || PENDING_AT(3, node, packet))
#define NO_REQUESTS (SLOT_FREE(0) && SLOT_FREE(1) && SLOT_FREE(2) && SLOT_FREE(3))

#define NOT_QUEUED(m) (packet_is[m] == GONE && !postponed[m])
#define NOT_OPEN(m) (!open[m])
#define DELIVERED(m) (deliveries[m] == 1)
// Only timers that wait for a loss can still do something.
#define QUIET (NETWORK_EMPTY && !lane && EVERY(NOT_QUEUED) && SLOT_QUIET(0) && SLOT_QUIET(1) && SLOT_QUIET(2) && SLOT_QUIET(3))
#define DUE (QUIET && !ANY_DOWN)
#define MAY_EXPIRE (DUE || (ANY_DOWN && long_left > 0) || early_left > 0)
inline expire() {
  if
  :: DUE
  :: !DUE && ANY_DOWN && long_left > 0 -> long_left--; late = 1
  :: else -> early_left--; late = 1
  fi
}

// Of one step. A search for the shortest counter-example cannot hide them.
#ifdef SHORTEST
byte slot, m, start, safe, data;
#else
hidden byte slot, m, start, safe, data;
#endif

// Requester::ask
inline ask(node, packet, left, without_route, is_silent) {
  slot = 0;
  do
  :: slot == REQUESTS -> break
#ifdef ONE_REQUEST
  :: slot < REQUESTS && phase[slot] != FREE && asker[slot] == node -> break
#else
  :: slot < REQUESTS && phase[slot] != FREE && asker[slot] == node && cut[slot] == (packet) && count[slot] == (left) && no_route[slot] == without_route -> break
#endif
  :: else -> slot++
  od;
  if
  :: slot < REQUESTS
  :: else ->
    slot = 0;
    do
    :: slot < REQUESTS && !SLOT_FREE(slot) -> slot++
    :: else -> break
    od;
    assert(slot < REQUESTS);  // else the model needs more
    phase[slot] = TO_SEND; asker[slot] = node; cut[slot] = packet; count[slot] = left; no_route[slot] = without_route; silent[slot] = is_silent
  fi
}

inline clear_slot(k) {
  if
  :: SLOT_FREE(k) -> asker[k] = 0; cut[k] = 0; count[k] = 0; no_route[k] = 0; silent[k] = 0
  :: else
  fi
}

// SendingEnd::resend
inline resend(msg, from) {
  if
  :: packet_is[msg] == QUEUED -> if :: from < first[msg] -> first[msg] = from :: else fi
  :: else ->
    if
    :: packet_is[msg] == SENDING && lane_next + 1 < lane_length -> lane_length = lane_next + 1; lane_cut = 1
    :: else
    fi;
    assert(sub[msg] < 15);
    sub[msg] = sub[msg] + 1; first[msg] = from; packet_is[msg] = QUEUED
  fi
}

// SendingEnd::handle; the answer is in `slot`. `later`: after three heads without a route the sender waits.
inline handle(k, later) {
  m = MESSAGE(cut[k]);
  safe = HEADER_OF(SUB(cut[k])) + LOST;
  start = FIRST(cut[k]) + (count[k] > safe -> count[k] - safe : 0);
  start = (start < DATA_OF(m) -> start : DATA_OF(m));
  slot = KEPT;
  if
  :: !kept[m] -> slot = FINISHED
  :: kept[m] && postponed[m] ->
    sub[m] = (SUB(cut[k]) > sub[m] -> SUB(cut[k]) : sub[m]);
    first[m] = (start < first[m] -> start : first[m])
  :: kept[m] && !postponed[m] && SUB(cut[k]) < sub[m] && first[m] <= start && (!silent[k] || packet_is[m] != GONE)
  :: else ->
    if
    :: packet_is[m] == GONE && SUB(cut[k]) > sub[m] -> sub[m] = SUB(cut[k])
    :: else
    fi;
    if
    :: later && packet_is[m] == GONE -> postponed[m] = 1; first[m] = start
    :: else -> resend(m, start)
    fi
  fi
}

// ReceivingEnd::deliver. The elements' own replies tell the sender (the guard's acknowledgement is `assumed`).
inline deliver(msg) {
  deliveries[msg] = deliveries[msg] + 1;
  assert(deliveries[msg] == 1);            // never twice
  assert(consumed[msg] == ALL_OF(msg));    // never with a hole
#ifndef NO_IDS
  done[msg] = 1;
#endif
  open[msg] = 0; got[msg] = 0; highest[msg] = 0;
  kept[msg] = 0; postponed[msg] = 0
}

// ReceivingEnd::piece_ended
inline piece_ended(tail) {
  m = MESSAGE(arriving);
  data = HEADER_OF(SUB(arriving)) + tail;
  data = (arrived > data -> arrived - data : 0);
  if
  :: done[m]
  :: !done[m] && FIRST(arriving) == 0 && data == DATA_OF(m) -> deliver(m)
  :: else ->
    open[m] = 1;
    if
    :: SUB(arriving) > highest[m] -> highest[m] = SUB(arriving)
    :: else
    fi;
#ifdef UNCHECKED_NUMBERS
    start = (got[m] == 0 -> 0 : (got[m] == 1 -> 1 : 2));
#else
    start = FIRST(arriving);
#endif
    got[m] = (got[m] | ((1 << data) - 1) << start) & ALL_OF(m);
    if
    :: got[m] == ALL_OF(m) -> deliver(m)
    :: else
    fi
  fi;
  arriving = 0; arrived = 0
}

// Receiver::consume
inline consume(flit) {
  if
  :: IS_HEAD(flit) -> assert(!arriving); arriving = PACKET_OF(flit)
  :: else -> assert(arriving == PACKET_OF(flit) && NUMBER(flit) == arrived)
  fi;
  arrived++;
  if
  :: KIND(flit) == BODY && NUMBER(flit) >= HEADER_OF(SUB(flit)) ->
    consumed[MESSAGE(flit)] = consumed[MESSAGE(flit)] | 1 << (FIRST(flit) + NUMBER(flit) - HEADER_OF(SUB(flit)))
  :: else
  fi;
  if
  :: IS_TAIL(flit) -> piece_ended(1)
  :: else
  fi
}

