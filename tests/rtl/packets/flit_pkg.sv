// SPDX-License-Identifier: Apache-2.0
// A flit on a wire. Made by: flitmend rtl. 177 bits.
package flit_pkg;
  localparam int unsigned FLIT_BITS = 177;
  localparam int unsigned VCS = 2;    // virtual channels per channel
  localparam int unsigned DEPTH = 4;  // flits per virtual channel
  localparam int unsigned NODES = 64;
  localparam int unsigned KIND_BITS = 4;
  localparam int unsigned VC_BITS = 1;
  localparam int unsigned DESTINATION_BITS = 6;
  localparam int unsigned SOURCE_BITS = 6;
  localparam int unsigned MESSAGE_ID_BITS = 32;
  localparam int unsigned LENGTH_BITS = 16;
  localparam int unsigned ROUTING_STATE_BITS = 0;
  localparam int unsigned NUMBER_BITS = 16;
  localparam int unsigned PACKET_BITS = 32;
  localparam int unsigned DATA_BITS = 64;
  typedef enum logic [KIND_BITS-1:0] {
    KIND_NONE = 0,
    KIND_HEAD = 1,
    KIND_DATA = 2,
    KIND_TAIL = 3,
    KIND_HEAD_TAIL = 4,
    KIND_BROKEN_TAIL = 5,
    KIND_VIRTUAL_TAIL = 6,
    KIND_RESTART_HEAD = 7,
    KIND_PAD = 8
  } kind_t;
  typedef struct packed {  // the highest bits first
    logic [63:0] data;  // bits 176 to 113: bytes, the first in the lowest bits
    logic [31:0] packet;  // bits 112 to 81: number that no other packet in the network has
    logic [15:0] number;  // bits 80 to 65: of the flit within its message, head = 0
    logic [15:0] length;  // bits 64 to 49: flits of the message, head and tail included
    logic [31:0] message_id;  // bits 48 to 17: number of the message at its source
    logic [5:0] source;  // bits 16 to 11: node
    logic [5:0] destination;  // bits 10 to 5: node
    logic [0:0] vc;  // bits 4 to 4: virtual channel on this channel
    kind_t kind;  // bits 3 to 0: of kind_t
  } flit_t;
endpackage
