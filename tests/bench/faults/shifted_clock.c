/* Shifts the clocks of a process (LD_PRELOAD) by two numbers of seconds in the file SHIFT_FILE:
   the wall clock, and the timer that goes on while the machine sleeps. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const volatile int64_t *shifts(void) {
  static const volatile int64_t *mapped;
  if (!mapped) {
    int file = open(getenv("SHIFT_FILE"), O_RDONLY);
    mapped = mmap(NULL, 16, PROT_READ, MAP_SHARED, file, 0);
  }
  return mapped;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, at);
  if (clock == CLOCK_REALTIME) at->tv_sec += shifts()[0];
  if (clock == CLOCK_BOOTTIME) at->tv_sec += shifts()[1];
  return result;
}
