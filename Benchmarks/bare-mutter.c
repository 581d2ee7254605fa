/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost of rotating Meta-0: one ApplyMonitorsConfig and its answer. No state is read before or
 * after.
 *
 *   usage: bare-mutter COUNT
 *
 * Benchmarks/rotations compiles and runs it. The layout is the bench's: Meta-0 with 1280x800 at 0,0, Meta-1 with
 * 1024x768 right of it. COUNT rotations go left, inverted, right, normal and so on. Prints the microseconds of each, a
 * line each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static const char *const name = "org.gnome.Mutter.DisplayConfig";
static const char *const path = "/org/gnome/Mutter/DisplayConfig";

static void check(int code, const char *what) {
  if (code >= 0) return;
  fprintf(stderr, "bare-mutter: %s: error %d\n", what, -code);
  exit(1);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static uint32_t serial(sd_bus *bus) {
  sd_bus_message *state = NULL;
  uint32_t serial = 0;
  check(sd_bus_call_method(bus, name, path, name, "GetCurrentState", NULL, &state, NULL), "GetCurrentState");
  check(sd_bus_message_read(state, "u", &serial), "GetCurrentState's answer");
  sd_bus_message_unref(state);
  return serial;
}

static void rotate(sd_bus *bus, uint32_t serial, uint32_t transform) {
  sd_bus_message *reply = NULL;
  check(sd_bus_call_method(bus, name, path, name, "ApplyMonitorsConfig", NULL, &reply,
                           "uua(iiduba(ssa{sv}))a{sv}", serial, 1u, 2, 0, 0, 1.0, transform, 1, 1, "Meta-0",
                           "1280x800@60.000", 0, transform & 1 ? 800 : 1280, 0, 1.0, 0u, 0, 1, "Meta-1",
                           "1024x768@60.000", 0, 0),
        "ApplyMonitorsConfig");
  sd_bus_message_unref(reply);
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "bare-mutter: usage: bare-mutter COUNT\n");
    return 2;
  }
  sd_bus *bus = NULL;
  check(sd_bus_open_user(&bus), "the session bus");
  uint32_t known = serial(bus);
  for (int i = 1; i <= atoi(words[1]); i++) {
    double began = microseconds();
    rotate(bus, known, i % 4);
    printf("%.0f\n", microseconds() - began);
    usleep(400000); /* Mutter draws the rotated screen. */
    /* Drains other messages, which would pile up. */
    while (sd_bus_process(bus, NULL) > 0) continue;
  }
  sd_bus_flush_close_unref(bus);
  return 0;
}
