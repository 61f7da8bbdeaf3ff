// SPDX-License-Identifier: Apache-2.0
// The processes of both models but the routers: sender, requests, timers, faults, judge. After the protocol's own inlines.
// SendingEnd::sent, and the lane is free.
inline packet_left() {
  m = MESSAGE(lane);
  if
  :: packet_is[m] == SENDING && sub[m] == SUB(lane) ->
    packet_is[m] = GONE;
#ifdef EARLY_DROP
    kept[m] = 0
#endif
  :: else
  fi;
  lane = 0; lane_next = 0; lane_length = 0; lane_cut = 0
}

// Injector::send_flit
inline inject() {
  printf("entered 0\n");
  if
  :: lane_next == 0 && lane_length == 1 -> enter(FLIT(HEAD_TAIL, lane, 0))
  :: lane_next == 0 && lane_length > 1 -> enter(FLIT(HEAD, lane, 0))
  :: lane_next > 0 && lane_next + 1 < lane_length -> enter(FLIT(BODY, lane, lane_next))
  :: else -> if :: lane_cut -> enter(FLIT(VIRTUAL_TAIL, lane, lane_next)) :: else -> enter(FLIT(TAIL, lane, lane_next)) fi
  fi;
  lane_next++;
  if
  :: lane_next == 1 -> head_left()
  :: else
  fi;
  if
  :: lane_next == lane_length -> tail_left(); packet_left()
  :: else
  fi
}

inline begin(msg) {
  lane = PACKET(msg, sub[msg], first[msg]);
  lane_length = (sub[msg] > 0 || first[msg] > 0 -> HEADER_OF(sub[msg]) + DATA_OF(msg) - first[msg] + 1 : length[msg]);
  packet_is[msg] = SENDING;
  inject()
}

proctype Sender() {
end:
  do
  :: d_step { UP(0) && lane && ENTRY_FREE -> inject() }
  :: d_step { packet_is[0] == QUEUED && UP(0) && !lane && INJECTOR_OPEN(0) -> begin(0) }
  :: d_step { postponed[0] -> postponed[0] = 0; resend(0, first[0]) }
#if MESSAGES == 2
  :: d_step { packet_is[1] == QUEUED && UP(0) && !lane && INJECTOR_OPEN(1) -> begin(1) }
  :: d_step { postponed[1] -> postponed[1] = 0; resend(1, first[1]) }
#endif
  od
}

// Requester and SendingEnd::receive_requests. A request or its acknowledgement is lost if a part on its way is down.
proctype Request(byte k) {
end:
  do
  :: d_step { phase[k] == TO_SEND && asker[k] == 0 -> handle(k, 0); phase[k] = FREE; clear_slot(k) }
  :: d_step { phase[k] == TO_SEND && asker[k] == 0 && no_route[k] -> handle(k, 1); phase[k] = FREE; clear_slot(k) }
  :: d_step { phase[k] == TO_SEND && asker[k] != 0 && UP(asker[k]) -> phase[k] = SENT; asking[k] = 1 }
  :: d_step { asking[k] && UP(0) -> asking[k] = 0; handle(k, 0); answer[k] = slot }
  :: d_step { asking[k] && UP(0) && no_route[k] -> asking[k] = 0; handle(k, 1); answer[k] = slot }
  :: d_step { asking[k] && PATH_DOWN(asker[k]) -> asking[k] = 0; clear_slot(k) }
  :: d_step { answer[k] && PATH_DOWN(asker[k]) -> answer[k] = 0; clear_slot(k) }
  :: d_step { answer[k] && UP(asker[k]) ->
      if
      :: phase[k] != FREE && answer[k] == FINISHED && asker[k] == LAST && open[MESSAGE(cut[k])] ->
        m = MESSAGE(cut[k]); done[m] = 1; open[m] = 0; got[m] = 0; highest[m] = 0
      :: else
      fi;
      answer[k] = 0; phase[k] = FREE; clear_slot(k) }
  :: d_step { phase[k] == SENT && !asking[k] && MAY_EXPIRE -> expire(); asking[k] = 1 }
  od
}

#ifdef RECEIVER_ASKS
#define WAITS_FOR_REST(msg) open[msg]
// What the receiver asks for, and whether it may. (Asking for it once more would change nothing.)
#define REST(msg) PACKET(msg, highest[msg], (got[msg] & 1 -> 1 : 0))
#define MISSES(msg) (open[msg] && (!arriving || MESSAGE(arriving) != msg) && !PENDING(LAST, REST(msg)))
#else
#define WAITS_FOR_REST(msg) 0
#endif
#define NOT_RECEIVED(msg) (kept[msg] && packet_is[msg] == GONE && !postponed[msg])

// The receiver's wait for the rest of a message (SBRP), and the guard of the sender.
proctype Timers(byte msg) {
end:
  do
#ifdef RECEIVER_ASKS
  :: d_step { MISSES(msg) && MAY_EXPIRE ->
      expire();
      assert(late || struck > 1);  // after one fault the receiver misses nothing that nobody has asked for
      ask(LAST, REST(msg), 0, 0, 1) }
  // The sender finds that the latest packet has left recently.
  :: d_step { MISSES(msg) && MAY_EXPIRE && !DUE -> expire(); ask(LAST, REST(msg), 0, 0, 0) }
#endif
  :: d_step { NOT_RECEIVED(msg) && ((DUE && NO_REQUESTS && !WAITS_FOR_REST(msg)) || (MAY_EXPIRE && !DUE)) ->
      expire();
      assert(late || GUARD_JUSTIFIED);
      resend(msg, 0) }
  od
}

inline fail_router(b) {
  printf("fail router %d\n", b);
  faults_left--; struck++; router_faults++;
  if :: b > 0 -> if :: USABLE(b - 1) -> fail_output(b - 1) :: else fi :: else fi;
  if :: b < LAST -> if :: USABLE(b) -> fail_input(b + 1) :: else fi :: else fi;
  down[b] = 1; held[b] = 0;
  reset_router(b);
  if
  :: b == 0 -> injector_failed()
  :: else
  fi;
  if
  :: b == LAST && arriving -> piece_ended(0)
  :: else
  fi
}

inline fail_link(c) {
  printf("fail link %d\n", c);
  faults_left--; struck++;
  fail_output(c); fail_input(c + 1); link_down[c] = 1
}

proctype Faults(byte r) {
end:
  do
#if ROUTER_FAULTS
  :: d_step { faults_left > 0 && UP(r) -> fail_router(r) }
  :: d_step { down[r] -> printf("repair router %d\n", r); down[r] = 0; if :: r < LAST -> held[r] = 1 :: else fi }
#endif
#if LINK_FAULTS
  :: d_step { r < LAST && faults_left > 0 && USABLE(r) -> fail_link(r) }
  :: d_step { link_down[r] -> printf("repair link %d\n", r); link_down[r] = 0 }
#endif
  // No more faults, so that what is stuck stays stuck.
  :: d_step { r == 0 && faults_left > 0 -> faults_left = 0 }
  od
}

// Where nothing can happen any more, everything has been delivered, and everything is free. (Otherwise it would be an
// invalid end state; but Spin does not look for these and for executions without end at once.)
bit finished;
active proctype Judge() {
  atomic {
    timeout ->
    finished = (NETWORK_EMPTY && NETWORK_FREE && !lane && !arriving && EVERY(NOT_QUEUED) && EVERY(NOT_OPEN) && NO_REQUESTS && !ANY_DOWN && NONE(held) && EVERY(DELIVERED));
    assert(finished)
  }
}

init {
  byte n;
  atomic {
    for (n : 0 .. MESSAGES - 1) {
      length[n] = (n == 0 -> LENGTH : LENGTH1);
      if
      :: !length[n] -> length[n] = 1
      :: !length[n] -> length[n] = 2
      :: !length[n] -> length[n] = 3
      :: !length[n] -> length[n] = 4
      :: else
      fi;
      kept[n] = 1; packet_is[n] = QUEUED
    };
    run Sender();
    for (n : 0 .. LAST) { run Router(n); run Faults(n) };
    for (n : 0 .. REQUESTS - 1) { run Request(n) };
    for (n : 0 .. MESSAGES - 1) { run Timers(n) };
    n = 0
  }
}
