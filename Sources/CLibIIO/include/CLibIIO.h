// SPDX-License-Identifier: MIT
// libiio, loaded when it is first wanted: it brings a dozen libraries (XML, ICU, USB, Avahi), which cost 0.2 MB and 2 ms
// whoever only asks a running daemon, or hears iio-sensor-proxy.
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

// Its functions, as iio.h declares them.
struct clibiio {
#define FUNCTION(name) __typeof__(iio_##name) *name;
  CLIBIIO_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// Loads the library, if it is not loaded yet; it stays so.
// Returns NULL if that cannot be done, with dlerror's words for it, good until the thread's next such call.
const struct clibiio *clibiio_load(const char **reason);
