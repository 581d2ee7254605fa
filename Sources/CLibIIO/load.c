// SPDX-License-Identifier: MIT
#include "CLibIIO.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Of libiio 0.x, whose header this is built with; 1.0 is another library by its name, too.
static const char library[] = "libiio.so.0";

static const struct {
  const char *name;
  size_t place;
} symbols[] = {
#define SYMBOL(name) {"iio_" #name, offsetof(struct clibiio, name)}
    SYMBOL(create_local_context),
    SYMBOL(context_destroy),
    SYMBOL(context_get_devices_count),
    SYMBOL(context_get_device),
    SYMBOL(device_get_id),
    SYMBOL(device_get_name),
    SYMBOL(device_get_label),
    SYMBOL(device_find_channel),
    SYMBOL(device_find_attr),
    SYMBOL(device_attr_read),
    SYMBOL(channel_find_attr),
    SYMBOL(channel_attr_read),
    SYMBOL(channel_attr_get_filename),
#undef SYMBOL
};

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static struct clibiio functions;
static bool is_loaded;

static bool load(void) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *address = dlsym(handle, symbols[i].name);
    if (!address) return false;
    memcpy((char *)&functions + symbols[i].place, &address, sizeof address);
  }
  return true;
}

const struct clibiio *clibiio_load(const char **reason) {
  pthread_mutex_lock(&loading);
  is_loaded = is_loaded || load();
  const struct clibiio *found = is_loaded ? &functions : NULL;
  if (!found) *reason = dlerror();
  pthread_mutex_unlock(&loading);
  return found;
}
