// SPDX-License-Identifier: MIT
// A compositor for tests: wlr-output-management and wlr-foreign-toplevel-management on a thread of its own,
// and whatever answers a test wants.
#pragma once
#include <stddef.h>

struct fake_compositor;

// Listens on the socket at path. NULL if it cannot.
struct fake_compositor *fake_start(const char *path);

// Ends it as a crash would. It may have ended before.
void fake_stop(struct fake_compositor *fake);

// Does one of these, and returns when it is done; 0 if the words are none of them:
//   head NAME WIDTH HEIGHT X Y     a lit output; NAME - for one without, WIDTH 0 for one without modes
//   set NAME enabled|transform|x VALUE
//   unplug NAME
//   done                           tells all of that
//   where                          logs "at NAME X Y" for each
//   output NAME WIDTH HEIGHT       a wl_output; remove NAME takes it away
//   power NAME 0|1|2               another client switches a wl_output dark, on, or on without telling anybody, as labwc
//                                  lets it; 0 if somebody holds the output's power, who must not
//   share                          lets several clients hold an output's power, and reports it to the first, as
//                                  Hyprland does
//   seat                           before clients come: offers a seat, and to tell who touches it
//   idle, touch                    tells that it is left alone, and touched again; 0 if nobody wants to know
//   toplevel ID APP                APP - for none
//   state ID [activated] [minimized] [fullscreen]
//   enter ID NAME, parent ID ID (0 for none), close ID
//   offer outputs|toplevels 0|1    before clients come
//   answer WORD                    to the next configurations, the last word for ever: succeed, fail, cancel,
//                                  silent, die, lie (succeeds, and changes nothing), unplug (the output that is to
//                                  turn, then cancels), slow (succeeds, and tells the change after), undo
//                                  (succeeds, and somebody turns all back at once), astray (succeeds, and the first
//                                  lies elsewhere), half (succeeds, and the first keeps its transform), resize
//                                  (succeeds, and the first has another mode), error
//   error                          throws all clients out
//   finish                         withdraws the outputs
//   hang                           does not read any more, until it is stopped
int fake_say(struct fake_compositor *fake, const char *words);

// What clients asked in configurations, a line each: "enable NAME", "transform NAME N",
// "position NAME X Y", "disable NAME", "apply".
void fake_log(struct fake_compositor *fake, char *text, size_t size);
