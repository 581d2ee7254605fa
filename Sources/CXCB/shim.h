// SPDX-License-Identifier: MIT
#pragma once
#include <sys/uio.h>
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>

// xcb identifies extensions by the address of a global, and Swift may pass that of a copy.
static inline const xcb_query_extension_reply_t *cxcb_randr_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_randr_id);
}

static inline const xcb_query_extension_reply_t *cxcb_shm_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_shm_id);
}

static inline const xcb_query_extension_reply_t *cxcb_input_extension(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_input_id);
}

// The reply that the functions above wait for without limit, unless a later request has been answered.
static inline void cxcb_prefetch_extensions(xcb_connection_t *connection) {
  xcb_prefetch_extension_data(connection, &xcb_randr_id);
  xcb_prefetch_extension_data(connection, &xcb_shm_id);
  xcb_prefetch_extension_data(connection, &xcb_input_id);
}

// A request of an extension without an xcb library, or with an older one: at most two arguments. The returned number
// identifies the reply, or the end of a request without one.
static inline unsigned int cxcb_extension_request(
    xcb_connection_t *connection, uint8_t opcode, uint8_t request, const uint32_t *arguments, uint8_t count,
    uint8_t is_answered) {
  struct {
    uint8_t opcode, request;
    uint16_t length; /* xcb's to fill in */
    uint32_t arguments[2];
  } words = {opcode, request, 0, {count > 0 ? arguments[0] : 0, count > 1 ? arguments[1] : 0}};
  // xcb may add a part in front.
  struct iovec parts[3] = {{0}, {0}, {&words, 4 + 4 * (size_t)count}};
  xcb_protocol_request_t protocol = {
      .count = 1, .ext = 0, .opcode = opcode, .isvoid = !is_answered};
  return xcb_send_request(connection, XCB_REQUEST_CHECKED, parts + 2, &protocol);
}
