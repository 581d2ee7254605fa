// SPDX-License-Identifier: MIT
// libwacom, loaded when a tablet is there that may be plugged in: it brings GLib, and reads some 500 files.
#pragma once
#include <stdint.h>

// Those of its functions that are used, so that building needs no header of it: libwacom.h declares them alike at each
// tag from libwacom-2.0.0 to libwacom-2.19.1, and the library is libwacom.so.9 at all of them (1.x, libwacom.so.2, is
// not loaded). An enumeration is an int there, and its types are opaque.
struct clibwacom {
  void *(*database_new)(void);
  void (*database_destroy)(void *database);
  // A device that is not in the database is NULL; the last argument, where to put the reason, may be NULL.
  void *(*new_from_path)(const void *database, const char *path, int fallback, void *error);
  void *(*new_from_usbid)(const void *database, int vendor, int product, void *error);
  void (*destroy)(void *device);
  // Ended by NULL. The devices are the database's, the list is for free(3).
  void **(*list_devices_from_database)(const void *database, void *error);
  int (*get_vendor_id)(const void *device);
  int (*get_product_id)(const void *device);
  int (*get_integration_flags)(const void *device);
  // NULL if there is none.
  const void *(*get_paired_device)(const void *device);
  uint32_t (*match_get_vendor_id)(const void *match);
  uint32_t (*match_get_product_id)(const void *match);
};

// Loads the library, if it is not loaded yet; it stays so.
// Returns NULL if it is not there, or is not one with all of these.
const struct clibwacom *clibwacom_load(void);
