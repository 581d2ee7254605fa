/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost of rotating an output of a wlroots compositor: one configuration over
 * wlr-output-management with a transform and the neighbour's new position, and the wait for the answer. No state is
 * read after.
 *
 *   P=Sources/CWaylandProtocols
 *   cc -O2 -o bare-wlr Benchmarks/bare-wlr.c $P/generated/wlr-output-management*.c -I$P/include -lwayland-client
 *   Tests/Bench/bench run --server phoc -- ./bare-wlr HEADLESS-1 60 200
 *
 * The output named is at 0,0, perhaps one other right of it. Pauses MILLISECONDS after each rotation.
 * Prints mean and median in microseconds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>

#include "wlr-output-management-unstable-v1-client-protocol.h"

enum { MAX_HEADS = 8 };

static struct zwlr_output_manager_v1 *manager;
static uint32_t serial;
static struct head {
  struct zwlr_output_head_v1 *proxy;
  char name[64];
  int width, height;
} heads[MAX_HEADS];
static int head_count;
static int answer; /* 1 succeeded, -1 anything else */

static void die(const char *why) {
  fprintf(stderr, "bare-wlr: %s\n", why);
  exit(1);
}

static void ignore() {}

static void take_size(void *data, struct zwlr_output_mode_v1 *mode, int32_t width, int32_t height) {
  struct head *head = data;
  head->width = width;
  head->height = height;
}

/* The outputs of the bench have one mode each. */
static const struct zwlr_output_mode_v1_listener mode_listener = {take_size, ignore, ignore, ignore};

static void take_mode(void *data, struct zwlr_output_head_v1 *head, struct zwlr_output_mode_v1 *mode) {
  zwlr_output_mode_v1_add_listener(mode, &mode_listener, data);
}

static void take_name(void *data, struct zwlr_output_head_v1 *proxy, const char *name) {
  snprintf(((struct head *)data)->name, sizeof heads->name, "%s", name);
}

static const struct zwlr_output_head_v1_listener head_listener = {
    .name = take_name, .description = ignore, .physical_size = ignore, .mode = take_mode, .enabled = ignore,
    .current_mode = ignore, .position = ignore, .transform = ignore, .scale = ignore, .finished = ignore,
    .make = ignore, .model = ignore, .serial_number = ignore, .adaptive_sync = ignore};

static void take_head(void *data, struct zwlr_output_manager_v1 *proxy, struct zwlr_output_head_v1 *head) {
  if (head_count == MAX_HEADS) die("too many outputs");
  heads[head_count].proxy = head;
  zwlr_output_head_v1_add_listener(head, &head_listener, &heads[head_count++]);
}

static void take_serial(void *data, struct zwlr_output_manager_v1 *proxy, uint32_t value) { serial = value; }

static const struct zwlr_output_manager_v1_listener manager_listener = {take_head, take_serial, ignore};

static void take_global(
    void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  if (strcmp(interface, "zwlr_output_manager_v1") != 0) return;
  manager = wl_registry_bind(registry, name, &zwlr_output_manager_v1_interface, version < 4 ? version : 4);
  zwlr_output_manager_v1_add_listener(manager, &manager_listener, NULL);
}

static const struct wl_registry_listener registry_listener = {take_global, ignore};

static void succeeded(void *data, struct zwlr_output_configuration_v1 *proxy) { answer = 1; }
static void refused(void *data, struct zwlr_output_configuration_v1 *proxy) { answer = -1; }

static const struct zwlr_output_configuration_v1_listener answers = {succeeded, refused, refused};

static void rotate(struct wl_display *display, const char *name, int transform) {
  struct zwlr_output_configuration_v1 *configuration =
      zwlr_output_manager_v1_create_configuration(manager, serial);
  zwlr_output_configuration_v1_add_listener(configuration, &answers, NULL);
  int width = 0;
  for (int i = 0; i < head_count; i++)
    if (strcmp(heads[i].name, name) == 0) width = transform & 1 ? heads[i].height : heads[i].width;
  for (int i = 0; i < head_count; i++) {
    struct zwlr_output_configuration_head_v1 *change =
        zwlr_output_configuration_v1_enable_head(configuration, heads[i].proxy);
    if (strcmp(heads[i].name, name) == 0)
      zwlr_output_configuration_head_v1_set_transform(change, transform);
    else
      zwlr_output_configuration_head_v1_set_position(change, width, 0);
    zwlr_output_configuration_head_v1_destroy(change);
  }
  zwlr_output_configuration_v1_apply(configuration);
  for (answer = 0; !answer;)
    if (wl_display_dispatch(display) < 0) die("the compositor has ended");
  if (answer < 0) die("the compositor refused to rotate");
  zwlr_output_configuration_v1_destroy(configuration);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int count = argc > 2 ? atoi(argv[2]) : 0, pause = argc > 3 ? atoi(argv[3]) : 0;
  if (count < 4) die("usage: bare-wlr OUTPUT COUNT [MILLISECONDS], COUNT at least 4");
  struct wl_display *display = wl_display_connect(NULL);
  if (!display) die("cannot connect: is WAYLAND_DISPLAY right?");
  wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
  wl_display_roundtrip(display);
  wl_display_roundtrip(display);
  if (!manager || !head_count) die("the compositor has no wlr-output-management");
  double *times = calloc(count, sizeof *times), sum = 0;
  if (!times) die("out of memory");
  for (int i = 0; i < count; i++) {
    double began = microseconds();
    rotate(display, argv[1], (i + 1) % 4);
    sum += times[i] = microseconds() - began;
    usleep(pause * 1000);
    wl_display_roundtrip(display);
  }
  rotate(display, argv[1], 0);
  qsort(times, count, sizeof *times, ascending);
  printf("bare-wlr: %d rotations, mean %.0f µs, median %.0f µs\n", count, sum / count, times[count / 2]);
  wl_display_disconnect(display);
  free(times);
  return 0;
}
