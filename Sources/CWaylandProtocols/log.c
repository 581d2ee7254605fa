// SPDX-License-Identifier: MIT
#include "CWaylandProtocols.h"

#include <stdio.h>

static void (*log_handler)(const char *line);

static void log_line(const char *format, va_list arguments) {
  char line[256];
  log_handler(vsnprintf(line, sizeof line, format, arguments) < 0 ? "" : line);
}

void cwl_set_log_handler(void (*listener)(const char *line)) {
  log_handler = listener;
  wl_log_set_handler_client(log_line);
}
