// SPDX-License-Identifier: Apache-2.0
// A router of a mesh: five ports, virtual channels with credits, dimension order, wormhole switching. The router
// preset rtl-example models it cycle for cycle (docs/own-router.md).
//
//   stage 1   a flit enters the buffer of its virtual channel; of a head at the front, the route is computed
//   stage 2   VC allocation: the head gets a virtual channel of its output
//   stage 3   switch allocation: a flit leaves its buffer and crosses; its credit goes back
//   stage 4   it is on the pins
//
// Both allocators match once per cycle, each side by round robin: an output (or output virtual channel) grants one
// of its requesters, an input accepts one of its grants. Ids name virtual channels: port * VCS + vc.
module router
  import flit_pkg::*;
#(
  parameter int unsigned X_BITS = 3  // of a node: the lowest are x, the others y
) (
  input  logic                        clk,
  input  logic                        reset,  // synchronous
  input  logic  [DESTINATION_BITS-1:0] here,   // this node
  input  flit_t                       in_flit[5],
  input  logic                        in_valid[5],
  output logic  [VCS-1:0]             in_credit[5],
  output flit_t                       out_flit[5],
  output logic                        out_valid[5],
  input  logic  [VCS-1:0]             out_credit[5]
);
  localparam int unsigned PORTS = 5;
  localparam int unsigned IDS = PORTS * VCS;
  localparam int unsigned ID_BITS = $clog2(IDS);
  localparam int unsigned COUNT_BITS = $clog2(DEPTH + 1);
  localparam int unsigned SLOT_BITS = $clog2(DEPTH);
  localparam int unsigned Y_BITS = DESTINATION_BITS - X_BITS;

  typedef logic [2:0] port_t;
  typedef logic [ID_BITS-1:0] id_t;
  localparam port_t EAST = 0, WEST = 1, NORTH = 2, SOUTH = 3, LOCAL = 4;
  typedef enum logic [1:0] {IDLE, WAITING, ACTIVE} state_t;

  // --- Registers ---
  flit_t                 buffer[IDS][DEPTH];
  logic [SLOT_BITS-1:0]  first[IDS];
  logic [COUNT_BITS-1:0] count[IDS];
  state_t                state[IDS];
  port_t                 route[IDS];    // of an input: WAITING or ACTIVE
  id_t                   holds[IDS];    // of an input: its output virtual channel, when ACTIVE
  logic [IDS-1:0]        taken;         // output virtual channels
  logic [COUNT_BITS-1:0] credits[IDS];  // of output virtual channels
  // Round robin starts after the last one served.
  id_t   last_head[IDS];     // VC allocation: of an output virtual channel
  id_t   last_granted[IDS];  // VC allocation: of an input virtual channel
  port_t last_input[PORTS];  // switch allocation: of an output port
  port_t last_output[PORTS]; // switch allocation: of an input port
  id_t   last_vc[PORTS];     // switch allocation: the id that sent last at an input port

  flit_t front[IDS];
  for (genvar i = 0; i < IDS; i++) begin : fronts
    assign front[i] = buffer[i][first[i]];
  end

  function automatic port_t port_of(id_t id);
    return port_t'(id / id_t'(VCS));
  endfunction
  function automatic logic is_head(kind_t kind);
    return kind == KIND_HEAD || kind == KIND_HEAD_TAIL;
  endfunction
  function automatic logic is_tail(kind_t kind);
    return kind == KIND_TAIL || kind == KIND_HEAD_TAIL || kind == KIND_BROKEN_TAIL || kind == KIND_VIRTUAL_TAIL;
  endfunction

  function automatic port_t route_of(logic [DESTINATION_BITS-1:0] at, logic [DESTINATION_BITS-1:0] destination);
    logic [X_BITS-1:0] x, to_x;
    logic [Y_BITS-1:0] y, to_y;
    {y, x} = at;
    {to_y, to_x} = destination;
    if (to_x > x) return EAST;
    if (to_x < x) return WEST;
    if (to_y > y) return NORTH;
    if (to_y < y) return SOUTH;
    return LOCAL;
  endfunction

  // The first request after `last`, else the lowest. At least one is made.
  function automatic id_t next_id(logic [IDS-1:0] requests, id_t last);
    id_t lowest = 0, behind = 0;
    logic found = 0;
    for (int i = IDS - 1; i >= 0; i--)
      if (requests[i]) begin
        lowest = id_t'(i);
        if (i > int'(last)) begin
          behind = id_t'(i);
          found = 1;
        end
      end
    return found ? behind : lowest;
  endfunction
  function automatic port_t next_port(logic [PORTS-1:0] requests, port_t last);
    port_t lowest = 0, behind = 0;
    logic found = 0;
    for (int i = PORTS - 1; i >= 0; i--)
      if (requests[i]) begin
        lowest = port_t'(i);
        if (i > int'(last)) begin
          behind = port_t'(i);
          found = 1;
        end
      end
    return found ? behind : lowest;
  endfunction

  // --- VC allocation ---
  logic [IDS-1:0] head_granted;  // by input virtual channel
  id_t            head_output[IDS];
  always_comb begin
    logic [IDS-1:0] heads;
    logic [IDS-1:0] grants[IDS];  // by input: the output virtual channels that grant it
    for (int i = 0; i < IDS; i++) begin
      grants[i] = '0;
      head_granted[i] = 0;
      head_output[i] = '0;
    end
    for (int o = 0; o < IDS; o++) begin
      for (int i = 0; i < IDS; i++) heads[i] = state[i] == WAITING && int'(route[i]) == o / VCS;
      if (heads != 0 && !taken[o]) grants[next_id(heads, last_head[o])][o] = 1;
    end
    for (int i = 0; i < IDS; i++)
      if (grants[i] != 0) begin
        head_granted[i] = 1;
        head_output[i] = next_id(grants[i], last_granted[i]);
      end
  end

  // --- Switch allocation ---
  logic [IDS-1:0]   crosses;  // by input virtual channel
  logic [PORTS-1:0] sends;    // by output port
  id_t              sender[PORTS];
  always_comb begin
    logic [IDS-1:0]   requests[PORTS];  // by output port
    logic [PORTS-1:0] offers[PORTS];    // by input port: the outputs that grant it
    logic [IDS-1:0]   own;
    port_t            accepted;
    id_t              granted;
    own = '0;
    accepted = '0;
    granted = '0;
    crosses = '0;
    sends = '0;
    for (int p = 0; p < PORTS; p++) begin
      offers[p] = '0;
      sender[p] = '0;
    end
    for (int o = 0; o < PORTS; o++) begin
      for (int i = 0; i < IDS; i++)
        requests[o][i] = state[i] == ACTIVE && int'(route[i]) == o && count[i] != 0 && credits[holds[i]] != 0;
      if (requests[o] != 0) begin
        granted = next_id(requests[o], id_t'(last_input[o] * VCS + VCS - 1));
        offers[int'(granted) / VCS][o] = 1;
      end
    end
    for (int p = 0; p < PORTS; p++)
      if (offers[p] != 0) begin
        accepted = next_port(offers[p], last_output[p]);
        own = '0;
        for (int v = 0; v < VCS; v++) own[p * VCS + v] = requests[accepted][p * VCS + v];
        sender[accepted] = next_id(own, last_vc[p]);
        sends[accepted] = 1;
        crosses[sender[accepted]] = 1;
      end
  end

  // --- The clock ---
  logic [IDS-1:0] takes, frees, uses;  // by output virtual channel
  logic [IDS-1:0] stores;              // by input virtual channel
  always_comb begin
    takes = '0;
    for (int i = 0; i < IDS; i++) if (head_granted[i]) takes[head_output[i]] = 1;
    frees = '0;
    uses = '0;
    for (int i = 0; i < IDS; i++)
      if (crosses[i]) begin
        uses[holds[i]] = 1;
        frees[holds[i]] = is_tail(front[i].kind);
      end
    for (int i = 0; i < IDS; i++) stores[i] = in_valid[i / VCS] && int'(in_flit[i / VCS].vc) == i % VCS;
  end

  always_ff @(posedge clk)
    if (reset) begin
      taken <= '0;
      for (int i = 0; i < IDS; i++) begin
        first[i] <= '0;
        count[i] <= '0;
        state[i] <= IDLE;
        credits[i] <= COUNT_BITS'(DEPTH);
        last_head[i] <= id_t'(IDS - 1);
        last_granted[i] <= id_t'(IDS - 1);
      end
      for (int p = 0; p < PORTS; p++) begin
        last_input[p] <= port_t'(PORTS - 1);
        last_output[p] <= port_t'(PORTS - 1);
        last_vc[p] <= id_t'(p * VCS + VCS - 1);
        out_valid[p] <= 0;
        in_credit[p] <= '0;
      end
    end else begin
      for (int i = 0; i < IDS; i++) begin
        // Buffers.
        if (stores[i]) buffer[i][SLOT_BITS'(first[i] + SLOT_BITS'(count[i]))] <= in_flit[i / VCS];
        if (crosses[i]) first[i] <= first[i] + 1'b1;
        count[i] <= count[i] + COUNT_BITS'(stores[i]) - COUNT_BITS'(crosses[i]);
        in_credit[i / VCS][i % VCS] <= crosses[i];
        // Heads.
        case (state[i])
          IDLE:
            if (count[i] != 0 && is_head(front[i].kind)) begin
              state[i] <= WAITING;
              route[i] <= route_of(here, front[i].destination);
            end
          WAITING:
            if (head_granted[i]) begin
              state[i] <= ACTIVE;
              holds[i] <= head_output[i];
              last_granted[i] <= head_output[i];
              last_head[head_output[i]] <= id_t'(i);
            end
          default: if (crosses[i] && is_tail(front[i].kind)) state[i] <= IDLE;
        endcase
        // Output virtual channels.
        credits[i] <= credits[i] + COUNT_BITS'(out_credit[i / VCS][i % VCS]) - COUNT_BITS'(uses[i]);
      end
      taken <= taken & ~frees | takes;
      for (int p = 0; p < PORTS; p++) begin
        out_valid[p] <= sends[p];
        if (sends[p]) begin
          out_flit[p] <= front[sender[p]];
          out_flit[p].vc <= VC_BITS'(holds[sender[p]] % id_t'(VCS));
          last_input[p] <= port_of(sender[p]);
          last_output[port_of(sender[p])] <= port_t'(p);
          last_vc[port_of(sender[p])] <= sender[p];
        end
      end
    end
endmodule
