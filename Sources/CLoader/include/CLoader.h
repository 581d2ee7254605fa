// SPDX-License-Identifier: MIT
// Loads a library at the first use, and its functions into a struct of pointers.
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct cloader_library {
  const char *file;
  // The name of each function, and the offset of its pointer in the struct; terminated by an empty entry.
  const struct cloader_symbol {
    const char *name;
    size_t place;
  } *symbols;
  void *functions;
  void *handle;
  bool is_loaded;
};

// Loads the library, if it is not loaded yet, and keeps it loaded. May be called by any thread.
// Returns the functions, or NULL if the library or one of them is missing; dlerror has the reason.
const void *cloader_load(struct cloader_library *library);
