// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CXCBShims.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct cxcb_limit {
  timer_t timer;
  int descriptor;
  // The end of a connection whose other end is closed.
  int ended;
  bool is_running;
  volatile sig_atomic_t is_inside;
  volatile sig_atomic_t has_cut;
};

static const int64_t nanoseconds_in_second = 1000000000;
// The signal can come a moment before libxcb begins to wait, so it comes again.
static const int64_t repetition = 100000000;

static bool is_starved(int descriptor) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  return poll(&wanted, 1, 0) == 0;
}

static void time_is_up(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  cxcb_limit *limit = info->si_code == SI_TIMER ? info->si_value.sival_ptr : NULL;
  if (!limit || !limit->is_inside || limit->has_cut) return;
  int before = errno;
  if (is_starved(limit->descriptor) && dup2(limit->ended, limit->descriptor) >= 0) limit->has_cut = 1;
  errno = before;
}

static int connection_that_ended(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
  close(ends[1]);
  return ends[0];
}

static bool start_timer(cxcb_limit *limit) {
  struct sigaction action = {.sa_sigaction = time_is_up, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigevent event = {
      .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM, .sigev_value.sival_ptr = limit};
  event._sigev_un._tid = gettid();
  return sigaction(SIGALRM, &action, NULL) == 0 &&
         timer_create(CLOCK_MONOTONIC, &event, &limit->timer) == 0;
}

static void set_timer(cxcb_limit *limit, int64_t nanoseconds, int64_t interval) {
  struct itimerspec times = {
      .it_value = {nanoseconds / nanoseconds_in_second, nanoseconds % nanoseconds_in_second},
      .it_interval = {0, interval}};
  timer_settime(limit->timer, 0, &times, NULL);
}

cxcb_limit *cxcb_limit_create(int descriptor) {
  cxcb_limit *limit = calloc(1, sizeof *limit);
  if (!limit) return NULL;
  limit->descriptor = descriptor;
  limit->ended = connection_that_ended();
  if (limit->ended >= 0 && start_timer(limit)) return limit;
  if (limit->ended >= 0) close(limit->ended);
  free(limit);
  return NULL;
}

void cxcb_limit_destroy(cxcb_limit *limit) {
  timer_delete(limit->timer);
  close(limit->ended);
  free(limit);
}

static void set_alarm_mask(int how) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(how, &alarm, NULL);
}

// What is held back is inherited from whoever started this process; and a library that holds all signals back for
// a moment, and keeps in one place for all threads what was before, has been seen to leave them so (umockdev).
// One that came since the last reading is not this one's.
void cxcb_limit_enter(cxcb_limit *limit, int64_t nanoseconds) {
  set_alarm_mask(SIG_UNBLOCK);
  limit->is_inside = 1;
  if (limit->is_running) return;
  limit->is_running = true;
  set_timer(limit, nanoseconds, repetition);
}

// Outside of a reading the signal would break off what others wait for: libsystemd before 253 gives a call up then.
void cxcb_limit_leave(cxcb_limit *limit) {
  limit->is_inside = 0;
  set_alarm_mask(SIG_BLOCK);
}

void cxcb_limit_stop(cxcb_limit *limit) {
  if (!limit->is_running) return;
  limit->is_running = false;
  set_timer(limit, 0, 0);
}

bool cxcb_limit_has_cut(const cxcb_limit *limit) { return limit->has_cut; }
