// SPDX-License-Identifier: MIT
#pragma once
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
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
