/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost of rotating an output of KWin: one configuration with the transform and the neighbour's new
 * position, and the wait until KWin reports it as applied. No state is read before or after.
 *
 *   usage: bare-kwin OUTPUT COUNT
 *
 * Benchmarks/rotations compiles and runs it. COUNT rotations go left, inverted, right, normal and so on. Prints
 * the microseconds of each, a line each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-client.h>

#include "kde-output-device-v2-client-protocol.h"
#include "kde-output-management-v2-client-protocol.h"

enum { MAX_OUTPUTS = 8, MAX_NAME = 64 };

struct output {
  struct kde_output_device_v2 *device;
  char name[MAX_NAME];
  int width, height;
};

static struct wl_display *display;
static struct kde_output_management_v2 *management;
static struct output outputs[MAX_OUTPUTS];
static int output_count, applied;

static void die(const char *why) {
  fprintf(stderr, "bare-kwin: %s\n", why);
  exit(1);
}

static void mode_size(void *data, struct kde_output_device_mode_v2 *mode, int32_t width, int32_t height) {
  struct output *output = data;
  (void)mode;
  output->width = width;
  output->height = height;
}
static void mode_number(void *data, struct kde_output_device_mode_v2 *mode, int32_t number) {
  (void)data, (void)mode, (void)number;
}
static void mode_word(void *data, struct kde_output_device_mode_v2 *mode) { (void)data, (void)mode; }
static const struct kde_output_device_mode_v2_listener mode_listener = {
    .size = mode_size, .refresh = mode_number, .preferred = mode_word, .removed = mode_word};

static void name(void *data, struct kde_output_device_v2 *device, const char *text) {
  struct output *output = data;
  (void)device;
  snprintf(output->name, MAX_NAME, "%s", text);
}
static void mode(void *data, struct kde_output_device_v2 *device, struct kde_output_device_mode_v2 *mode) {
  (void)device;
  kde_output_device_mode_v2_add_listener(mode, &mode_listener, data);
}
static void ignore_geometry(void *d, struct kde_output_device_v2 *o, int32_t x, int32_t y, int32_t w, int32_t h,
                            int32_t s, const char *make, const char *model, int32_t t) {
  (void)d, (void)o, (void)x, (void)y, (void)w, (void)h, (void)s, (void)make, (void)model, (void)t;
}
static void ignore_mode(void *d, struct kde_output_device_v2 *o, struct kde_output_device_mode_v2 *m) {
  (void)d, (void)o, (void)m;
}
static void ignore(void *d, struct kde_output_device_v2 *o) { (void)d, (void)o; }
static void ignore_int(void *d, struct kde_output_device_v2 *o, int32_t n) { (void)d, (void)o, (void)n; }
static void ignore_uint(void *d, struct kde_output_device_v2 *o, uint32_t n) { (void)d, (void)o, (void)n; }
static void ignore_text(void *d, struct kde_output_device_v2 *o, const char *t) { (void)d, (void)o, (void)t; }

/* Version 2 suffices, and is the same in every KWin with these globals. */
static const struct kde_output_device_v2_listener device_listener = {
    .geometry = ignore_geometry, .current_mode = ignore_mode, .mode = mode, .done = ignore,
    .scale = ignore_int, .edid = ignore_text, .enabled = ignore_int, .uuid = ignore_text,
    .serial_number = ignore_text, .eisa_id = ignore_text, .capabilities = ignore_uint,
    .overscan = ignore_uint, .vrr_policy = ignore_uint, .rgb_range = ignore_uint, .name = name};

static void global(void *data, struct wl_registry *registry, uint32_t number, const char *interface,
                   uint32_t version) {
  (void)data, (void)version;
  if (strcmp(interface, kde_output_management_v2_interface.name) == 0)
    management = wl_registry_bind(registry, number, &kde_output_management_v2_interface, 2);
  if (strcmp(interface, kde_output_device_v2_interface.name) == 0 && output_count < MAX_OUTPUTS) {
    struct output *output = &outputs[output_count++];
    output->device = wl_registry_bind(registry, number, &kde_output_device_v2_interface, 2);
    kde_output_device_v2_add_listener(output->device, &device_listener, output);
  }
}
static void gone(void *data, struct wl_registry *registry, uint32_t number) {
  (void)data, (void)registry, (void)number;
}
static const struct wl_registry_listener registry_listener = {global, gone};

static void is_applied(void *data, struct kde_output_configuration_v2 *configuration) {
  (void)data, (void)configuration;
  applied = 1;
}
static void has_failed(void *data, struct kde_output_configuration_v2 *configuration) {
  (void)data, (void)configuration;
  die("KWin refused");
}
static const struct kde_output_configuration_v2_listener configuration_listener = {
    .applied = is_applied, .failed = has_failed};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void rotate(struct output *panel, struct output *neighbour, int transform) {
  struct kde_output_configuration_v2 *configuration = kde_output_management_v2_create_configuration(management);
  kde_output_configuration_v2_add_listener(configuration, &configuration_listener, NULL);
  kde_output_configuration_v2_transform(configuration, panel->device, transform);
  if (neighbour)
    kde_output_configuration_v2_position(configuration, neighbour->device,
                                         transform & 1 ? panel->height : panel->width, 0);
  kde_output_configuration_v2_apply(configuration);
  applied = 0;
  while (!applied)
    if (wl_display_dispatch(display) < 0) die("KWin has ended");
  kde_output_configuration_v2_destroy(configuration);
}

int main(int count, char **arguments) {
  if (count != 3) die("usage: bare-kwin OUTPUT COUNT");
  display = wl_display_connect(NULL);
  if (!display) die("cannot connect");
  wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
  wl_display_roundtrip(display);
  wl_display_roundtrip(display);
  struct output *panel = NULL, *neighbour = NULL;
  for (int i = 0; i < output_count; i++)
    if (strcmp(outputs[i].name, arguments[1]) == 0)
      panel = &outputs[i];
    else
      neighbour = &outputs[i];
  if (!management || !panel) die("this is not KWin up to 6.6, or there is no such output");
  struct timespec rest = {0, 300 * 1000 * 1000}; /* the pause of the other programs */
  for (int i = 1; i <= atoi(arguments[2]); i++) {
    double began = now();
    rotate(panel, neighbour, i % 4);
    printf("%.0f\n", now() - began);
    nanosleep(&rest, NULL);
    wl_display_roundtrip(display);
  }
  return 0;
}
