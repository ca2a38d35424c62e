// Runs the scenarios of a file on all threads and writes where every walker has come to:
//   walkers SCENARIOS RESULT THREADS SECONDS tickwise|periodwise
// SCENARIOS (written by src/host/bench/native/scenarioFile.ts) and RESULT are 32-bit words, little-endian, in the order of
// `read_scenarios` and `write_result`. The scenarios are run again and again until SECONDS have passed; the one line on stdout is
// JSON: runs, and the seconds and CPU seconds that they took, without reading and writing.
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "walkers.h"

enum { FORMAT_VERSION = 1, MOST_THREADS = 1024, TAKEN_AT_ONCE = 8 };

typedef struct {
  Rules rules;
  int32_t environment_count, segment_count;
  Segment *segments;
  Environment *environments;
  int32_t *starts;    // [environment, walker, WALKER_WORDS]
  int32_t *walkers;   // likewise, as they stand now
  int64_t *offsets;   // of an environment in both, in words
  Counts *counts;
  CoarseGrid grid;
  Stepping stepping;
  atomic_int next;
} Scenarios;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "walkers: %s: %s\n", name, what);
  exit(2);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) fail("out of memory", "scenarios");
  return memory;
}

static void read_words(FILE *file, void *target, size_t words, const char *name) {
  if (fread(target, sizeof(int32_t), words, file) != words) fail("the file ends too early", name);
}

static void read_scenarios(Scenarios *scenarios, const char *name) {
  FILE *file = fopen(name, "rb");
  if (file == NULL) fail(strerror(errno), name);
  int32_t header[3];
  read_words(file, header, 3, name);
  if (header[0] != FORMAT_VERSION) fail("not a file of scenarios of this version", name);
  scenarios->environment_count = header[1];
  scenarios->segment_count = header[2];
  read_words(file, &scenarios->rules, sizeof(Rules) / sizeof(int32_t), name);
  scenarios->segments = allocate(header[2], sizeof(Segment));
  read_words(file, scenarios->segments, (size_t)header[2] * SEGMENT_WORDS, name);
  scenarios->environments = allocate(header[1], sizeof(Environment));
  read_words(file, scenarios->environments, header[1] * sizeof(Environment) / sizeof(int32_t), name);
  scenarios->offsets = allocate(header[1] + 1, sizeof(int64_t));
  for (int i = 0; i < header[1]; i++) {
    if (scenarios->environments[i].walkers > MOST_WALKERS) fail("too many walkers", name);
    scenarios->offsets[i + 1] = scenarios->offsets[i] + (int64_t)scenarios->environments[i].walkers * WALKER_WORDS;
  }
  int64_t words = scenarios->offsets[header[1]];
  scenarios->starts = allocate(words, sizeof(int32_t));
  scenarios->walkers = allocate(words, sizeof(int32_t));
  read_words(file, scenarios->starts, words, name);
  fclose(file);
  scenarios->counts = allocate(header[1], sizeof(Counts));
  scenarios->grid = coarse_grid(scenarios->segments, header[2]);
}

static void write_result(const Scenarios *scenarios, const char *name) {
  FILE *file = fopen(name, "wb");
  size_t count = scenarios->environment_count, words = scenarios->offsets[count];
  if (file == NULL || fwrite(scenarios->counts, sizeof(Counts), count, file) != count ||
      fwrite(scenarios->walkers, sizeof(int32_t), words, file) != words || fclose(file) != 0) {
    fail("cannot be written", name);
  }
}

static void *work(void *argument) {
  Scenarios *s = argument;
  for (;;) {
    int first = atomic_fetch_add(&s->next, TAKEN_AT_ONCE);
    if (first >= s->environment_count) return NULL;
    int end = first + TAKEN_AT_ONCE < s->environment_count ? first + TAKEN_AT_ONCE : s->environment_count;
    memcpy(s->walkers + s->offsets[first], s->starts + s->offsets[first], (s->offsets[end] - s->offsets[first]) * sizeof(int32_t));
    for (int i = first; i < end; i++) {
      s->counts[i] = run_environment(&s->rules, s->segments, &s->grid, &s->environments[i], s->stepping, s->walkers + s->offsets[i]);
    }
  }
}

static void run_once(Scenarios *scenarios, int threads) {
  pthread_t others[MOST_THREADS];
  atomic_store(&scenarios->next, 0);
  for (int i = 1; i < threads; i++) {
    if (pthread_create(&others[i], NULL, work, scenarios) != 0) fail("cannot start a thread", "walkers");
  }
  work(scenarios);
  for (int i = 1; i < threads; i++) pthread_join(others[i], NULL);
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 6) fail("found the wrong number of arguments, allowed is SCENARIOS RESULT THREADS SECONDS tickwise|periodwise", "walkers");
  int threads = atoi(arguments[3]);
  if (threads < 1 || threads > MOST_THREADS) fail("allowed are 1 to 1024 threads", arguments[3]);
  double wanted = atof(arguments[4]);
  static Scenarios scenarios;
  read_scenarios(&scenarios, arguments[1]);
  bool periodwise = strcmp(arguments[5], "periodwise") == 0;
  if (!periodwise && strcmp(arguments[5], "tickwise") != 0) fail("allowed are tickwise and periodwise", arguments[5]);
  scenarios.stepping = periodwise ? PERIODWISE : TICKWISE;
  run_once(&scenarios, threads);  // warm-up
  double begin = now(CLOCK_MONOTONIC), cpu_begin = now(CLOCK_PROCESS_CPUTIME_ID);
  int runs = 0;
  do {
    run_once(&scenarios, threads);
    runs++;
  } while (now(CLOCK_MONOTONIC) - begin < wanted);
  printf("{\"runs\":%d,\"seconds\":%.9f,\"cpuSeconds\":%.9f}\n", runs, now(CLOCK_MONOTONIC) - begin, now(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
  write_result(&scenarios, arguments[2]);
  return 0;
}
