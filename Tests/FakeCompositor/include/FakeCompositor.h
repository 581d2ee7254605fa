// SPDX-License-Identifier: MIT
// A compositor for tests: wlr-output-management, wlr-foreign-toplevel-management and KWin's outputs on a thread of its
// own, with the answers that a test wants.
#pragma once
#include <stddef.h>

struct fake_compositor;

// Listens on the socket at path. NULL if it cannot.
struct fake_compositor *fake_start(const char *path);

// Ends it as a crash would. It may have ended before.
void fake_stop(struct fake_compositor *fake);

// Runs one of these commands, and returns when it is done; 0 if the command is unknown or fails:
//   head NAME WIDTH HEIGHT X Y     an enabled output; NAME - for one without, WIDTH 0 for one without modes
//   set NAME enabled|transform|x VALUE
//   unplug NAME
//   done                           sends all of that
//   where                          logs "at NAME X Y" for each
//   output NAME WIDTH HEIGHT       a wl_output; remove NAME removes it
//   power NAME 0|1|2               another client switches a wl_output off, on, or on without an event, as on labwc;
//                                  0 if a client holds the output's power object
//   share                          lets several clients hold an output's power, and reports it to the first, as
//                                  Hyprland does
//   seat                           before clients connect: offers a seat, and idle notifications
//   idle, touch                    reports that the user is idle, and active again; 0 if no client has asked
//   toplevel ID APP                APP - for none
//   state ID [activated] [minimized] [fullscreen]
//   enter ID NAME, parent ID ID (0 for none), close ID
//   offer outputs|toplevels 0|1    before clients connect
//   answer WORD...                 to the next configurations, repeating the last word: succeed, fail, cancel,
//                                  silent, die, lie (succeeds without effect), unplug (the output to be rotated, then
//                                  cancels), slow (sends the change after the success), undo (succeeds, then another
//                                  program resets the transforms), astray (succeeds, but the first has another
//                                  position), half (succeeds, but the first keeps its transform), resize (succeeds,
//                                  but the first has another mode), error
//   error                          disconnects all clients with a protocol error
//   finish                         withdraws the outputs
//   kwin offer DEVICES MANAGEMENT  before clients connect: offers KWin's output interfaces in these versions; with
//                                  DEVICES 21 or more, a registry lists the outputs
//   kwin output NAME WIDTH HEIGHT X CAPABILITIES
//   kwin set NAME transform|x|policy|enabled|scale|power VALUE    and sends it
//   kwin unplug NAME
//                                  KWin's answers are succeed, fail, silent, die, lie, slow, and unplug (the last
//                                  output, and fails)
//   hang                           stops reading until it is ended
int fake_run(struct fake_compositor *fake, const char *command);

// The requests in configurations, a line each: "enable NAME", "transform NAME N", "position NAME X Y", "disable
// NAME", "apply"; of KWin's also "x NAME X" and "policy NAME N".
void fake_log(struct fake_compositor *fake, char *text, size_t size);
