// SPDX-License-Identifier: MIT
// libiio, loaded at the first use: its dozen dependencies (XML, ICU, USB, Avahi) would cost 0.2 MB and 2 ms also in
// commands that only query the daemon, and with iio-sensor-proxy.
#pragma once
#include <iio.h>

#define CLIBIIO_FUNCTIONS(FUNCTION) \
  FUNCTION(create_local_context)    \
  FUNCTION(context_destroy)         \
  FUNCTION(context_get_devices_count) \
  FUNCTION(context_get_device)      \
  FUNCTION(device_get_id)           \
  FUNCTION(device_get_name)         \
  FUNCTION(device_get_label)        \
  FUNCTION(device_find_channel)     \
  FUNCTION(device_find_attr)        \
  FUNCTION(device_attr_read)        \
  FUNCTION(channel_find_attr)       \
  FUNCTION(channel_attr_read)

// Its functions, declared as in iio.h.
struct clibiio {
#define FUNCTION(name) __typeof__(iio_##name) *name;
  CLIBIIO_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// Loads the library, if it is not loaded yet, and keeps it loaded.
// Returns NULL on failure, with the text of dlerror, which is valid until the thread's next such call.
const struct clibiio *clibiio_load(const char **reason);
