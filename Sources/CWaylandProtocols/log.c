// SPDX-License-Identifier: MIT
#include "CWaylandProtocols.h"

#include <stdio.h>

static void (*heard)(const char *line);

static void hear(const char *format, va_list arguments) {
  char line[256];
  heard(vsnprintf(line, sizeof line, format, arguments) < 0 ? "" : line);
}

void cwl_hear_log(void (*listener)(const char *line)) {
  heard = listener;
  wl_log_set_handler_client(hear);
}
