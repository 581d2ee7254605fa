// SPDX-License-Identifier: MIT
#pragma once
#include <sys/uio.h>
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>

// xcb tells extensions apart by the address of a global, and Swift may pass that of a copy.
static inline const xcb_query_extension_reply_t *cxcb_randr_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_randr_id);
}

static inline const xcb_query_extension_reply_t *cxcb_shm_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_shm_id);
}

static inline const xcb_query_extension_reply_t *cxcb_input_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_input_id);
}

// What the functions above wait for without limit, unless a later request is known to be answered.
static inline void cxcb_prefetch_extensions(xcb_connection_t *connection) {
  xcb_prefetch_extension_data(connection, &xcb_randr_id);
  xcb_prefetch_extension_data(connection, &xcb_shm_id);
  xcb_prefetch_extension_data(connection, &xcb_input_id);
}

// A request of DPMS, with an argument or none. xcb's own library for it is older than DPMS's events.
static inline unsigned int cxcb_dpms_request(
    xcb_connection_t *connection, uint8_t opcode, uint8_t request, const uint32_t *argument,
    uint8_t is_answered) {
  struct {
    uint8_t opcode, request;
    uint16_t length; /* xcb's to fill in */
    uint32_t argument;
  } words = {opcode, request, 0, argument ? *argument : 0};
  // xcb may put something in front.
  struct iovec parts[3] = {{0}, {0}, {&words, argument ? 8 : 4}};
  xcb_protocol_request_t protocol = {
      .count = 1, .ext = 0, .opcode = opcode, .isvoid = !is_answered};
  return xcb_send_request(connection, is_answered ? XCB_REQUEST_CHECKED : 0, parts + 2, &protocol);
}
