// SPDX-License-Identifier: MIT
#include "CLoader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static bool load(struct cloader_library *library) {
  // The library is opened only once; missing functions are searched for again at each call.
  if (!library->handle) library->handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
  if (!library->handle) return false;
  for (const struct cloader_symbol *symbol = library->symbols; symbol->name; symbol++) {
    void *address = dlsym(library->handle, symbol->name);
    if (!address) return false;
    memcpy((char *)library->functions + symbol->place, &address, sizeof address);
  }
  return true;
}

const void *cloader_load(struct cloader_library *library) {
  pthread_mutex_lock(&loading);
  library->is_loaded = library->is_loaded || load(library);
  const void *found = library->is_loaded ? library->functions : NULL;
  pthread_mutex_unlock(&loading);
  return found;
}
