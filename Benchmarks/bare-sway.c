/* SPDX-License-Identifier: MIT
 *
 * Measures the minimum cost of rotating an output of sway: one command with the transform and the neighbour's new
 * position over the i3-IPC socket, and its answer. No state is read before or after. With "look", the outputs are
 * requested in the same message, and the end is when they have arrived, unparsed.
 *
 *   usage: bare-sway OUTPUT NEIGHBOUR WIDTH HEIGHT COUNT [look]
 *
 * Benchmarks/rotations compiles and runs it. WIDTH and HEIGHT are those of the unrotated OUTPUT, which lies at
 * 0,0. COUNT rotations go left, inverted, right, normal and so on. Prints the microseconds of each, a line each.
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

static size_t put(char *at, uint32_t type, const char *text) {
  uint32_t header[2] = {(uint32_t)strlen(text), type};
  memcpy(at, "i3-ipc", 6);
  memcpy(at + 6, header, sizeof header);
  memcpy(at + 14, text, header[0]);
  return 14 + header[0];
}

static void take(int socket, char *answer, size_t room) {
  char head[14];
  uint32_t length;
  read_all(socket, head, sizeof head);
  memcpy(&length, head + 6, sizeof length);
  if (length >= room) die("the answer of sway is too long");
  read_all(socket, answer, length);
  answer[length] = 0;
}

static void run(int socket, const char *command, int looks) {
  static char message[1024], answer[65536];
  size_t length = put(message, 0, command);
  if (looks) length += put(message + length, 3, "");
  if (write(socket, message, length) < 0) die("cannot write to sway");
  take(socket, answer, sizeof answer);
  if (strstr(answer, "false")) die(answer);
  if (looks) take(socket, answer, sizeof answer);
}

int main(int count, char **words) {
  static const char *const transforms[] = {"270", "180", "90", "normal"};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count < 6 || !getenv("SWAYSOCK"))
    die("usage: bare-sway OUTPUT NEIGHBOUR WIDTH HEIGHT COUNT [look], with SWAYSOCK");
  snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("SWAYSOCK"));
  int file = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) die("no sway");
  for (int rotation = 0; rotation < atoi(words[5]); rotation++) {
    char command[256];
    snprintf(command, sizeof command, "output %s transform %s, output %s position %s 0", words[1],
             transforms[rotation % 4], words[2], words[rotation % 2 == 0 ? 4 : 3]);
    int64_t began = now();
    run(file, command, count > 6);
    printf("%lld\n", (long long)(now() - began));
    usleep(300000);
  }
  return 0;
}
