// SPDX-License-Identifier: MIT
// KWin's outputs, as a part of the compositor in fake.c.
#pragma once
#include <wayland-server.h>

struct fake_compositor;
struct kwin;

struct kwin *kwin_create(struct fake_compositor *fake, struct wl_display *display);
// Only memory: the resources have been released with their clients.
void kwin_free(struct kwin *kwin);
// Runs a command, without its first word; 0 if it is unknown or fails.
int kwin_run(struct kwin *kwin, const char *command);

// In fake.c:
void fake_note(struct fake_compositor *fake, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The next word that a test has set as an answer.
void fake_next_answer(struct fake_compositor *fake, char word[32]);
// The name of a wl_output.
const char *fake_output_name(struct wl_resource *output);
