/* SPDX-License-Identifier: MIT
 *
 * What it costs to turn eDP-1 with nothing around it: the requests that no rotation can do without, sent
 * to the server at once, and one wait for their end. No looking before, no looking after.
 *
 *   cc -O2 -o bare-randr Benchmarks/bare-randr.c $(pkg-config --cflags --libs xcb xcb-randr xcb-xinput)
 *   Tests/Bench/bench run -- ./bare-randr 400
 *
 * The screen is the bench's: eDP-1 at 0,0, perhaps one other output right of it. Devices with a touch
 * class or of type TABLET get a Coordinate Transformation Matrix. Prints mean and median in microseconds. With a pause
 * before each turn, as a person leaves one, neither processor nor server is warm.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xcb/randr.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

enum { MAX_DEVICES = 16 };

struct lit {
  xcb_randr_crtc_t crtc;
  xcb_randr_output_t output;
  xcb_randr_mode_t mode;
  uint16_t width, height; /* of the mode */
};

struct scene {
  xcb_connection_t *connection;
  xcb_window_t root;
  struct lit panel, neighbour; /* the neighbour's crtc is 0 if there is none */
  uint32_t mm_width, mm_height;
  int device_count;
  uint16_t devices[MAX_DEVICES];
  xcb_atom_t matrix, float_type;
};

static void die(const char *why) {
  fprintf(stderr, "bare-randr: %s\n", why);
  exit(1);
}

static xcb_atom_t atom(xcb_connection_t *c, const char *name) {
  xcb_intern_atom_reply_t *reply =
      xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, strlen(name), name), NULL);
  if (!reply) die("the X server does not answer");
  xcb_atom_t atom = reply->atom;
  free(reply);
  return atom;
}

static void find_mode_size(struct lit *lit, xcb_randr_get_screen_resources_current_reply_t *resources) {
  xcb_randr_mode_info_t *modes = xcb_randr_get_screen_resources_current_modes(resources);
  for (int i = 0; i < resources->num_modes; i++)
    if (modes[i].id == lit->mode) {
      lit->width = modes[i].width;
      lit->height = modes[i].height;
    }
}

static void find_outputs(struct scene *scene) {
  xcb_connection_t *c = scene->connection;
  xcb_randr_get_screen_resources_current_reply_t *resources =
      xcb_randr_get_screen_resources_current_reply(
          c, xcb_randr_get_screen_resources_current(c, scene->root), NULL);
  if (!resources) die("the X server has no RandR 1.3");
  xcb_randr_output_t *outputs = xcb_randr_get_screen_resources_current_outputs(resources);
  for (int i = 0; i < resources->num_outputs; i++) {
    xcb_randr_get_output_info_reply_t *info =
        xcb_randr_get_output_info_reply(c, xcb_randr_get_output_info(c, outputs[i], 0), NULL);
    if (!info) die("an output has vanished");
    if (info->crtc) {
      xcb_randr_get_crtc_info_reply_t *crtc =
          xcb_randr_get_crtc_info_reply(c, xcb_randr_get_crtc_info(c, info->crtc, 0), NULL);
      if (!crtc) die("a CRTC has vanished");
      int is_panel =
          info->name_len == 5 && !memcmp(xcb_randr_get_output_info_name(info), "eDP-1", 5);
      struct lit *lit = is_panel ? &scene->panel : &scene->neighbour;
      *lit = (struct lit){.crtc = info->crtc, .output = outputs[i], .mode = crtc->mode};
      find_mode_size(lit, resources);
      free(crtc);
    }
    free(info);
  }
  free(resources);
  if (!scene->panel.crtc) die("eDP-1 is not lit");
}

static int is_direct_touch(xcb_input_xi_device_info_t *info) {
  xcb_input_device_class_iterator_t each = xcb_input_xi_device_info_classes_iterator(info);
  for (; each.rem > 0; xcb_input_device_class_next(&each))
    if (each.data->type == XCB_INPUT_DEVICE_CLASS_TYPE_TOUCH &&
        ((xcb_input_touch_class_t *)each.data)->mode == XCB_INPUT_TOUCH_MODE_DIRECT)
      return 1;
  return 0;
}

static void add_device(struct scene *scene, uint16_t id) {
  if (scene->device_count < MAX_DEVICES) scene->devices[scene->device_count++] = id;
}

static void find_devices(struct scene *scene) {
  xcb_connection_t *c = scene->connection;
  free(xcb_input_xi_query_version_reply(c, xcb_input_xi_query_version(c, 2, 2), NULL));
  xcb_input_xi_query_device_reply_t *all =
      xcb_input_xi_query_device_reply(c, xcb_input_xi_query_device(c, XCB_INPUT_DEVICE_ALL), NULL);
  xcb_input_list_input_devices_reply_t *kinds =
      xcb_input_list_input_devices_reply(c, xcb_input_list_input_devices(c), NULL);
  if (!all || !kinds) die("the X server has no XInput 2.2");
  xcb_input_xi_device_info_iterator_t each = xcb_input_xi_query_device_infos_iterator(all);
  for (; each.rem > 0; xcb_input_xi_device_info_next(&each))
    if (each.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER && is_direct_touch(each.data))
      add_device(scene, each.data->deviceid);
  xcb_atom_t tablet = atom(c, "TABLET");
  xcb_input_device_info_t *kind = xcb_input_list_input_devices_devices(kinds);
  for (int i = 0; i < kinds->devices_len; i++)
    if (kind[i].device_type == tablet) add_device(scene, kind[i].device_id);
  free(kinds);
  free(all);
}

static void turn(struct scene *scene, int is_left) {
  xcb_connection_t *c = scene->connection;
  struct lit *panel = &scene->panel, *neighbour = &scene->neighbour;
  uint16_t width = is_left ? panel->height : panel->width;
  uint16_t height = is_left ? panel->width : panel->height;
  uint16_t screen_width = width + neighbour->width;
  uint16_t screen_height = height > neighbour->height ? height : neighbour->height;
  float w = (float)width / screen_width, h = (float)height / screen_height;
  float left[9] = {0, -w, w, h, 0, 0, 0, 0, 1}, normal[9] = {w, 0, 0, 0, h, 0, 0, 0, 1};

  xcb_grab_server(c);
  xcb_randr_set_crtc_config(c, panel->crtc, 0, 0, 0, 0, 0, 1, 0, NULL);
  /* The neighbour sticks out of the new screen only if that is narrower. */
  if (neighbour->crtc && is_left) xcb_randr_set_crtc_config(c, neighbour->crtc, 0, 0, 0, 0, 0, 1, 0, NULL);
  xcb_randr_set_screen_size(c, scene->root, screen_width, screen_height, scene->mm_width, scene->mm_height);
  xcb_randr_set_crtc_config_cookie_t last = xcb_randr_set_crtc_config(
      c, panel->crtc, 0, 0, 0, 0, panel->mode, is_left ? XCB_RANDR_ROTATION_ROTATE_90 : XCB_RANDR_ROTATION_ROTATE_0,
      1, &panel->output);
  if (neighbour->crtc)
    last = xcb_randr_set_crtc_config(
        c, neighbour->crtc, 0, 0, width, 0, neighbour->mode, 1, 1, &neighbour->output);
  for (int i = 0; i < scene->device_count; i++)
    xcb_input_xi_change_property(
        c, scene->devices[i], XCB_PROP_MODE_REPLACE, 32, scene->matrix, scene->float_type, 9,
        is_left ? left : normal);
  xcb_ungrab_server(c);
  xcb_randr_set_crtc_config_reply_t *reply = xcb_randr_set_crtc_config_reply(c, last, NULL);
  if (!reply || reply->status) die("the X server refused to turn");
  free(reply);
  free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
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
  int count = argc > 1 ? atoi(argv[1]) : 400;
  int pause = argc > 2 ? atoi(argv[2]) : 0;
  if (count < 2) die("usage: bare-randr [COUNT [MILLISECONDS]], at least 2 turns, so far apart");
  struct scene scene = {.connection = xcb_connect(NULL, NULL)};
  if (xcb_connection_has_error(scene.connection)) die("cannot connect: is DISPLAY right?");
  xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(scene.connection)).data;
  scene.root = screen->root;
  scene.mm_width = screen->width_in_millimeters;
  scene.mm_height = screen->height_in_millimeters;
  scene.matrix = atom(scene.connection, "Coordinate Transformation Matrix");
  scene.float_type = atom(scene.connection, "FLOAT");
  find_outputs(&scene);
  find_devices(&scene);

  double *times = calloc(count, sizeof *times), sum = 0;
  if (!times) die("out of memory");
  for (int i = 0; i < count; i++) {
    usleep(pause * 1000);
    double began = microseconds();
    turn(&scene, i % 2 == 0);
    sum += times[i] = microseconds() - began;
  }
  qsort(times, count, sizeof *times, ascending);
  printf("bare-randr: %d turns, mean %.0f µs, median %.0f µs\n", count, sum / count, times[count / 2]);
  if (count % 2) turn(&scene, 0);
  xcb_disconnect(scene.connection);
  free(times);
  return 0;
}
