// SPDX-License-Identifier: MIT
#include "CLibIIO.h"

#include <dlfcn.h>

#include "CLoader.h"

static struct clibiio functions;

static const struct cloader_symbol symbols[] = {
#define SYMBOL(name) {"iio_" #name, offsetof(struct clibiio, name)},
    CLIBIIO_FUNCTIONS(SYMBOL)
#undef SYMBOL
    {0}};

// Of libiio 0.x, whose header is used here; 1.0 has another name and interface.
static struct cloader_library library = {"libiio.so.0", symbols, &functions, NULL, false};

const struct clibiio *clibiio_load(const char **reason) {
  const struct clibiio *found = cloader_load(&library);
  if (!found) *reason = dlerror();
  return found;
}
