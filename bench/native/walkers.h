// The walkers of one environment, and the ticks over them (docs/rules.md, sections 5.1 and 5.3), while the agent stands still.
// Lengths are in units (16 per centimetre), times in ticks of 0.1 s, as everywhere in the project.
#ifndef WALKERS_H
#define WALKERS_H
#include <stdint.h>

// Fields of a walker as the kernels have them: x, y, link, along, speed, status, timer, mark.
enum { WALKER_WORDS = 8, SEGMENT_WORDS = 8, MOST_WALKERS = 256, DISTANCES = 3 };

// The rules that the tick needs, in the order of the scenario file.
typedef struct {
  int32_t human_contact, release_margin, contact_repeat_ticks, follow_gap, follow_half_width, patience_ticks, passing_ticks;
  int32_t clearance[DISTANCES];  // intimate, personal, social
  int32_t set_pose_touches, dogs_repeat;
} Rules;

// A straight piece of a walking path, as the kernels have it; direction is a packed Q14 unit vector.
typedef struct {
  int32_t x, y;
  uint32_t direction;
  int32_t length;
  uint32_t next, spare[3];
} Segment;

// One environment: what is shared and what it starts from, in the order of the scenario file.
typedef struct {
  int32_t first_segment, agent_x, agent_y, pedestrians, walkers, ticks;
} Environment;

// What happened in one environment, in the order of the result file.
typedef struct {
  uint32_t contacts, incidents, close_ticks[DISTANCES], impact_maximum, impact_sum;
} Counts;

// Coordinates to 16 bits for the neighbour search: (x - origin_x) >> shift.
typedef struct {
  int32_t origin_x, origin_y, shift;
} CoarseGrid;

// How many ticks a walker far from the agent takes at once: TICKWISE one, PERIODWISE the whole time between two looks.
typedef enum { TICKWISE, PERIODWISE } Stepping;

CoarseGrid coarse_grid(const Segment *segments, int count);

// Runs environment->ticks ticks from world tick 0. `words` is [walker, WALKER_WORDS], read and written.
Counts run_environment(const Rules *rules, const Segment *segments, const CoarseGrid *grid, const Environment *environment,
                       Stepping stepping, int32_t *words);
#endif
