/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost: a program with the same connections as autorotate, to the X server, to the session bus with
 * a name, and to the accelerometers, that only waits. For comparison of memory and start.
 */
#include <iio.h>
#include <stdio.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>
#include <unistd.h>
#include <xcb/randr.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

int main(void)
{
    sd_bus *bus = NULL;
    sd_event *loop = NULL;
    xcb_connection_t *screen = xcb_connect(NULL, NULL);
    struct iio_context *sensors = iio_create_local_context();

    if (xcb_connection_has_error(screen) || !sensors || sd_bus_open_user(&bus) < 0 ||
        sd_event_default(&loop) < 0 || sd_bus_attach_event(bus, loop, 0) < 0 ||
        sd_bus_request_name(bus, "org.autorotate.BareIdle", 0) < 0)
        return 1;
    xcb_prefetch_extension_data(screen, &xcb_randr_id);
    xcb_prefetch_extension_data(screen, &xcb_input_id);
    xcb_flush(screen);
    return sd_event_loop(loop) < 0;
}
