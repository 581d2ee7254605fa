/* SPDX-License-Identifier: MIT
 *
 * What it costs to turn an output of sway with nothing around it: one command with the transform and the
 * neighbour's new place over the i3-IPC socket, and its answer. No looking before or after.
 *
 *   usage: bare-sway OUTPUT NEIGHBOUR WIDTH HEIGHT COUNT
 *
 * Benchmarks/turns-on-sway compiles and runs it. WIDTH and HEIGHT are those of the unturned OUTPUT, which lies at
 * 0,0. COUNT turns go left, inverted, right, normal and so on. Prints the microseconds of each, a line each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void die(const char *why) {
  fprintf(stderr, "bare-sway: %s\n", why);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void read_all(int socket, void *into, size_t count) {
  for (char *at = into; count > 0;) {
    ssize_t part = read(socket, at, count);
    if (part <= 0) die("sway has ended");
    at += part;
    count -= (size_t)part;
  }
}

static void run(int socket, const char *command) {
  char message[512] = "i3-ipc", answer[4096];
  uint32_t header[2] = {(uint32_t)strlen(command), 0};
  memcpy(message + 6, header, sizeof header);
  memcpy(message + 14, command, header[0]);
  if (write(socket, message, 14 + header[0]) < 0) die("sway takes nothing");
  read_all(socket, message, 14);
  memcpy(header, message + 6, sizeof header);
  if (header[0] >= sizeof answer) die("sway says too much");
  read_all(socket, answer, header[0]);
  answer[header[0]] = 0;
  if (strstr(answer, "false")) die(answer);
}

int main(int count, char **words) {
  static const char *const transforms[] = {"270", "180", "90", "normal"};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 6 || !getenv("SWAYSOCK")) die("usage: bare-sway OUTPUT NEIGHBOUR WIDTH HEIGHT COUNT, with SWAYSOCK");
  snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("SWAYSOCK"));
  int file = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) die("no sway");
  for (int turn = 0; turn < atoi(words[5]); turn++) {
    char command[256];
    snprintf(command, sizeof command, "output %s transform %s, output %s position %s 0", words[1],
             transforms[turn % 4], words[2], words[turn % 2 == 0 ? 4 : 3]);
    int64_t began = now();
    run(file, command);
    printf("%lld\n", (long long)(now() - began));
    usleep(300000);
  }
  return 0;
}
