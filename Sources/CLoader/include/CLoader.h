// SPDX-License-Identifier: MIT
// Loads a library when it is first wanted, and its functions into a struct of pointers to them.
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct cloader_library {
  const char *file;
  // The name of each function, and where its pointer lies in the struct; ended by an empty entry.
  const struct cloader_symbol {
    const char *name;
    size_t place;
  } *symbols;
  void *functions;
  void *handle;
  bool is_loaded;
};

// Loads the library, if it is not loaded yet; it stays so. May be called by any thread.
// Returns the functions, or NULL if it is not there, or is not one with all of these; dlerror has the words for that.
const void *cloader_load(struct cloader_library *library);
