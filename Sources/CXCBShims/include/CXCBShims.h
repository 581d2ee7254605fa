// SPDX-License-Identifier: MIT
// An end to libxcb's waiting.
//
// Once the head of an answer has come, libxcb waits for its rest in poll(2) without limit and in one
// function with the reading, and a server that is stopped just then never sends it. So a timer's signal
// comes in after a while; and if nothing has come, it puts the end of a closed connection in the place
// of libxcb's descriptor. libxcb then reads the end, and returns.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct cxcb_limit cxcb_limit;

// For a connection that only this thread reads. NULL without memory, descriptors or timers.
cxcb_limit *cxcb_limit_create(int descriptor);
void cxcb_limit_destroy(cxcb_limit *limit);

// Between these two the thread may be waiting in libxcb, and takes the signal; it is held back after them. The time of the first one counts until
// cxcb_limit_stop, however often it is called.
void cxcb_limit_enter(cxcb_limit *limit, int64_t nanoseconds);
void cxcb_limit_leave(cxcb_limit *limit);
void cxcb_limit_stop(cxcb_limit *limit);

// Whether libxcb's connection was taken away from it.
bool cxcb_limit_has_cut(const cxcb_limit *limit);
