/* SPDX-License-Identifier: MIT
 *
 * Measures a rotation without the bus in between: a library to preload into the daemon, before others. It records when
 * the daemon writes WillRotate, DidRotate and PropertiesChanged to its socket. A listener on the bus would receive the
 * first one late, while the rotation is under way, and so measure too little. It also records what is sent to sway and
 * to an X server.
 *
 * Appends lines to $AUTOROTATE_STAMPS, by the monotonic clock: "SECONDS WillRotate", "SECONDS sway 0 3" for a command
 * and a query in one write, "SECONDS X11" for any write. Tests/Bench compiles it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int notes = -1;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("AUTOROTATE_STAMPS");
  if (path) notes = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(const char *word) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  dprintf(notes, "%lld.%06ld %s\n", (long long)now.tv_sec, now.tv_nsec / 1000, word);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  static const char *const words[] = {"WillRotate", "DidRotate", "PropertiesChanged"};
  static ssize_t (*real)(int, const struct msghdr *, int);
  if (!real) real = (ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
  for (size_t i = 0; notes >= 0 && i < message->msg_iovlen; i++)
    for (int word = 0; word < 3; word++)
      if (memmem(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len, words[word], strlen(words[word]) + 1))
        note(words[word]);
  return real(socket, message, flags);
}

/* The types of the messages in one write; "" if it is not i3-IPC. */
static void read_types(const char *bytes, size_t count, char *into, size_t room) {
  uint32_t header[2];
  *into = 0;
  while (count >= 14 && !memcmp(bytes, "i3-ipc", 6) && room > 12) {
    memcpy(header, bytes + 6, sizeof header);
    int length = snprintf(into, room, " %u", header[1]);
    if (header[0] > count - 14) return;
    into += length, room -= length;
    bytes += 14 + header[0], count -= 14 + header[0];
  }
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  static ssize_t (*real)(int, const void *, size_t, int);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
  char line[128] = "sway";
  read_types(bytes, count, line + 4, sizeof line - 4);
  if (notes >= 0 && line[4]) note(line);
  return real(socket, bytes, count, flags);
}

/* Only xcb sends queued requests like this; the rotation itself is sent by sendmsg. */
ssize_t writev(int socket, const struct iovec *pieces, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (notes >= 0) note("X11");
  return real(socket, pieces, count);
}
