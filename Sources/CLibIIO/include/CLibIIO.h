// SPDX-License-Identifier: MIT
// libiio, loaded when it is first wanted: it brings a dozen libraries (XML, ICU, USB, Avahi), which cost 0.2 MB and 2 ms
// whoever only asks a running daemon, or hears iio-sensor-proxy.
#pragma once
#include <iio.h>

// Its functions, as iio.h declares them.
struct clibiio {
  __typeof__(iio_create_local_context) *create_local_context;
  __typeof__(iio_context_destroy) *context_destroy;
  __typeof__(iio_context_get_devices_count) *context_get_devices_count;
  __typeof__(iio_context_get_device) *context_get_device;
  __typeof__(iio_device_get_id) *device_get_id;
  __typeof__(iio_device_get_name) *device_get_name;
  __typeof__(iio_device_get_label) *device_get_label;
  __typeof__(iio_device_find_channel) *device_find_channel;
  __typeof__(iio_device_find_attr) *device_find_attr;
  __typeof__(iio_device_attr_read) *device_attr_read;
  __typeof__(iio_channel_find_attr) *channel_find_attr;
  __typeof__(iio_channel_attr_read) *channel_attr_read;
  __typeof__(iio_channel_attr_get_filename) *channel_attr_get_filename;
};

// Loads the library, if it is not loaded yet; it stays so.
// Returns NULL if that cannot be done, with dlerror's words for it, good until the thread's next such call.
const struct clibiio *clibiio_load(const char **reason);
