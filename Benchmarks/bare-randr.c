/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost of rotating eDP-1: the calls of libXrandr and libXi that every rotation needs, as a C
 * program would write them; each waits for its answer, if it has one. No state is read before or after.
 *
 *   cc -O2 -o bare-randr Benchmarks/bare-randr.c $(pkg-config --cflags --libs x11 xrandr xi)
 *   Tests/Bench/bench run -- ./bare-randr 400
 *
 * The screen is the bench's: eDP-1 at 0,0, perhaps one other output right of it. Devices with a touch
 * class or of type TABLET get a Coordinate Transformation Matrix. Prints mean and median in microseconds. With a pause
 * before each rotation, as for a user, neither processor nor server is warm.
 */
#include <X11/Xlib.h>
#include <X11/extensions/XInput.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/Xrandr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_DEVICES = 16 };

struct active_output {
  RRCrtc crtc;
  RROutput output;
  RRMode mode;
  int width, height; /* of the mode */
};

struct scene {
  Display *display;
  Window root;
  XRRScreenResources *resources;
  struct active_output panel, neighbour; /* the neighbour's crtc is 0 if there is none */
  int mm_width, mm_height;
  int device_count;
  int devices[MAX_DEVICES];
  Atom matrix, float_type;
};

static void die(const char *why) {
  fprintf(stderr, "bare-randr: %s\n", why);
  exit(1);
}

/* A refused request shows in the status of the next one that has an answer. */
static int ignore_error(Display *display, XErrorEvent *error) {
  (void)display;
  (void)error;
  return 0;
}

static int die_without_server(Display *display) {
  (void)display;
  die("the X server does not answer");
  return 0;
}

static void find_mode_size(struct active_output *active, const XRRScreenResources *resources) {
  for (int i = 0; i < resources->nmode; i++)
    if (resources->modes[i].id == active->mode) {
      active->width = (int)resources->modes[i].width;
      active->height = (int)resources->modes[i].height;
    }
}

static void add_output(struct scene *scene, RROutput id) {
  XRROutputInfo *output = XRRGetOutputInfo(scene->display, scene->resources, id);
  if (!output) die("an output has vanished");
  if (output->crtc) {
    XRRCrtcInfo *crtc = XRRGetCrtcInfo(scene->display, scene->resources, output->crtc);
    if (!crtc) die("a CRTC has vanished");
    struct active_output *active = strcmp(output->name, "eDP-1") ? &scene->neighbour : &scene->panel;
    *active = (struct active_output){.crtc = output->crtc, .output = id, .mode = crtc->mode};
    find_mode_size(active, scene->resources);
    XRRFreeCrtcInfo(crtc);
  }
  XRRFreeOutputInfo(output);
}

static void find_outputs(struct scene *scene) {
  scene->resources = XRRGetScreenResourcesCurrent(scene->display, scene->root);
  if (!scene->resources) die("the X server has no RandR 1.3");
  for (int i = 0; i < scene->resources->noutput; i++) add_output(scene, scene->resources->outputs[i]);
  if (!scene->panel.crtc) die("eDP-1 is not active");
}

static int is_direct_touch(const XIDeviceInfo *device) {
  for (int i = 0; i < device->num_classes; i++)
    if (device->classes[i]->type == XITouchClass &&
        ((const XITouchClassInfo *)device->classes[i])->mode == XIDirectTouch)
      return 1;
  return 0;
}

static void add_device(struct scene *scene, int id) {
  if (scene->device_count < MAX_DEVICES) scene->devices[scene->device_count++] = id;
}

static void find_devices(struct scene *scene) {
  int major = 2, minor = 2, count = 0, kind_count = 0;
  if (XIQueryVersion(scene->display, &major, &minor)) die("the X server has no XInput 2.2");
  XIDeviceInfo *all = XIQueryDevice(scene->display, XIAllDevices, &count);
  XDeviceInfo *kinds = XListInputDevices(scene->display, &kind_count);
  if (!all || !kinds) die("the X server does not list its input devices");
  for (int i = 0; i < count; i++)
    if (all[i].use == XISlavePointer && is_direct_touch(&all[i])) add_device(scene, all[i].deviceid);
  Atom tablet = XInternAtom(scene->display, XI_TABLET, False);
  for (int i = 0; i < kind_count; i++)
    if (kinds[i].type == tablet) add_device(scene, (int)kinds[i].id);
  XFreeDeviceList(kinds);
  XIFreeDeviceInfo(all);
}

static void disable(struct scene *scene, const struct active_output *active) {
  XRRSetCrtcConfig(scene->display, scene->resources, active->crtc, CurrentTime, 0, 0, None, RR_Rotate_0, NULL, 0);
}

static void enable(struct scene *scene, struct active_output *active, int x, Rotation rotation) {
  if (XRRSetCrtcConfig(scene->display, scene->resources, active->crtc, CurrentTime, x, 0, active->mode, rotation,
                       &active->output, 1) != RRSetConfigSuccess)
    die("the X server refused to rotate");
}

static void rotate(struct scene *scene, int is_left) {
  Display *display = scene->display;
  struct active_output *panel = &scene->panel, *neighbour = &scene->neighbour;
  int width = is_left ? panel->height : panel->width;
  int height = is_left ? panel->width : panel->height;
  int screen_width = width + neighbour->width;
  int screen_height = height > neighbour->height ? height : neighbour->height;
  float w = (float)width / screen_width, h = (float)height / screen_height;
  float left[9] = {0, -w, w, h, 0, 0, 0, 0, 1}, normal[9] = {w, 0, 0, 0, h, 0, 0, 0, 1};

  XGrabServer(display);
  disable(scene, panel);
  /* The neighbour sticks out of the new screen only if that is narrower. */
  if (neighbour->crtc && is_left) disable(scene, neighbour);
  XRRSetScreenSize(display, scene->root, screen_width, screen_height, scene->mm_width, scene->mm_height);
  enable(scene, panel, 0, is_left ? RR_Rotate_90 : RR_Rotate_0);
  if (neighbour->crtc) enable(scene, neighbour, width, RR_Rotate_0);
  for (int i = 0; i < scene->device_count; i++)
    XIChangeProperty(display, scene->devices[i], scene->matrix, scene->float_type, 32, PropModeReplace,
                     (unsigned char *)(is_left ? left : normal), 9);
  XUngrabServer(display);
  XSync(display, False);
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
  if (count < 2) die("usage: bare-randr [COUNT [MILLISECONDS]], at least 2 rotations, with that pause");
  XSetErrorHandler(ignore_error);
  XSetIOErrorHandler(die_without_server);
  struct scene scene = {.display = XOpenDisplay(NULL)};
  if (!scene.display) die("cannot connect: is DISPLAY right?");
  int screen = DefaultScreen(scene.display);
  scene.root = RootWindow(scene.display, screen);
  scene.mm_width = DisplayWidthMM(scene.display, screen);
  scene.mm_height = DisplayHeightMM(scene.display, screen);
  scene.matrix = XInternAtom(scene.display, "Coordinate Transformation Matrix", False);
  scene.float_type = XInternAtom(scene.display, "FLOAT", False);
  find_outputs(&scene);
  find_devices(&scene);

  double *times = calloc(count, sizeof *times), sum = 0;
  if (!times) die("out of memory");
  for (int i = 0; i < count; i++) {
    usleep(pause * 1000);
    double began = microseconds();
    rotate(&scene, i % 2 == 0);
    sum += times[i] = microseconds() - began;
  }
  qsort(times, count, sizeof *times, ascending);
  printf("bare-randr: %d rotations, mean %.0f µs, median %.0f µs\n", count, sum / count, times[count / 2]);
  if (count % 2) rotate(&scene, 0);
  XRRFreeScreenResources(scene.resources);
  XCloseDisplay(scene.display);
  free(times);
  return 0;
}
