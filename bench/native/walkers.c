#include "walkers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PRESENT = 1, TOUCHING = 2, HELD = 4 };
enum { NEIGHBOUR_PERIOD = 5, MOST_CORNERS = 4 };
// Walkers are handled in whole vectors of 16-bit numbers; the places that are left over stand far away and never move.
enum { LANES = 16 };
// Coarse coordinates end at the first; the second, which no walker has, is beyond the reach of every one.
enum { MOST_COARSE = 24000, NOWHERE = 40000 };

typedef uint16_t Lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));

// More than rounding adds to a distance.
enum { SLACK = 64 };

// Present walkers, one array a field, so that a vector instruction takes several walkers.
typedef struct {
  int32_t x[MOST_WALKERS], y[MOST_WALKERS], along[MOST_WALKERS], speed[MOST_WALKERS], timer[MOST_WALKERS], mark[MOST_WALKERS];
  int32_t held[MOST_WALKERS], touching[MOST_WALKERS], link[MOST_WALKERS], runs_once[MOST_WALKERS];
  // Of the segment that the walker is on.
  int32_t start_x[MOST_WALKERS], start_y[MOST_WALKERS], unit_x[MOST_WALKERS], unit_y[MOST_WALKERS], length[MOST_WALKERS];
  int32_t must_step[MOST_WALKERS];  // what `leap` leaves to `step_walker`
  _Alignas(sizeof(Lanes)) uint16_t coarse_x[MOST_WALKERS];
  _Alignas(sizeof(Lanes)) uint16_t coarse_y[MOST_WALKERS];
  int32_t slot[MOST_WALKERS];
  int count, padded;
} Walkers;

// What one call of run_environment works with.
typedef struct {
  const Rules *rules;
  const Segment *segments;
  int32_t agent_x, agent_y;
  Counts counts;
  uint32_t near;  // bit 3 * tick + distance class, of this period
  Walkers walkers;
} Run;

static inline int32_t mul_q14(int32_t a, int32_t b) { return (a >> 14) * b + (((a & 16383) * b) >> 14); }

static inline bool within(int32_t dx, int32_t dy, int32_t radius) {
  return abs(dx) <= radius && abs(dy) <= radius && dx * dx + dy * dy <= radius * radius;
}

static uint32_t integer_square_root(uint32_t value) {
  uint32_t root = (uint32_t)sqrt((double)value);
  while ((uint64_t)root * root > value) root--;
  while ((uint64_t)(root + 1) * (root + 1) <= value) root++;
  return root;
}

static inline bool is_ahead(int32_t dx, int32_t dy, int32_t unit_x, int32_t unit_y, const Rules *rules) {
  int32_t along = mul_q14(dx, unit_x) + mul_q14(dy, unit_y);
  return along > 0 && along <= rules->follow_gap && abs(mul_q14(dy, unit_x) - mul_q14(dx, unit_y)) <= rules->follow_half_width;
}

CoarseGrid coarse_grid(const Segment *segments, int count) {
  int32_t low_x = INT32_MAX, low_y = INT32_MAX, high_x = INT32_MIN, high_y = INT32_MIN;
  for (int i = 0; i < count; i++) {
    if (segments[i].x < low_x) low_x = segments[i].x;
    if (segments[i].x > high_x) high_x = segments[i].x;
    if (segments[i].y < low_y) low_y = segments[i].y;
    if (segments[i].y > high_y) high_y = segments[i].y;
  }
  // Paths are closed, so every position lies between the starts of segments, but for rounding.
  CoarseGrid grid = {low_x - SLACK, low_y - SLACK, 0};
  int64_t extent = (int64_t)high_x - low_x > (int64_t)high_y - low_y ? (int64_t)high_x - low_x : (int64_t)high_y - low_y;
  while (((extent + 2 * SLACK) >> grid.shift) > MOST_COARSE) grid.shift++;
  return grid;
}

static void take_segment(Run *run, int i, const Segment *segment) {
  Walkers *w = &run->walkers;
  w->start_x[i] = segment->x;
  w->start_y[i] = segment->y;
  w->unit_x[i] = (int16_t)(segment->direction & 0xffff);
  w->unit_y[i] = (int16_t)(segment->direction >> 16);
  w->length[i] = segment->length;
}

static void load_walkers(Run *run, const Environment *environment, const int32_t *words) {
  Walkers *w = &run->walkers;
  w->count = 0;
  for (int slot = 0; slot < environment->walkers; slot++) {
    const int32_t *word = words + slot * WALKER_WORDS;
    if ((word[5] & PRESENT) == 0) continue;
    int i = w->count++;
    w->slot[i] = slot;
    w->x[i] = word[0];
    w->y[i] = word[1];
    w->link[i] = word[2];
    w->along[i] = word[3];
    w->speed[i] = word[4];
    w->touching[i] = (word[5] & TOUCHING) != 0;
    w->held[i] = (word[5] & HELD) != 0;
    w->timer[i] = word[6];
    w->mark[i] = word[7];
    w->runs_once[i] = run->rules->dogs_repeat == 0 && slot >= environment->pedestrians;
    take_segment(run, i, &run->segments[word[2]]);
  }
  w->padded = (w->count + LANES - 1) / LANES * LANES;
  for (int i = w->count; i < w->padded; i++) {
    w->along[i] = w->speed[i] = w->timer[i] = w->mark[i] = w->held[i] = w->touching[i] = 0;
    w->unit_x[i] = w->unit_y[i] = 0;
    w->length[i] = 1;
    w->x[i] = w->y[i] = w->start_x[i] = w->start_y[i] = INT32_MAX / 2;
  }
}

static void store_walkers(const Run *run, int32_t *words) {
  const Walkers *w = &run->walkers;
  for (int i = 0; i < w->count; i++) {
    int32_t *word = words + w->slot[i] * WALKER_WORDS;
    word[0] = w->x[i];
    word[1] = w->y[i];
    word[2] = w->link[i];
    word[3] = w->along[i];
    word[4] = w->speed[i];
    word[5] = PRESENT | (w->touching[i] ? TOUCHING : 0) | (w->held[i] ? HELD : 0);
    word[6] = w->timer[i];
    word[7] = w->mark[i];
  }
}

// Both of a pair, i < j, that may be in each other's way. The lower index goes first where each is ahead of the other.
static void look_at_each_other(Run *run, int i, int j) {
  Walkers *w = &run->walkers;
  int32_t dx = w->x[j] - w->x[i], dy = w->y[j] - w->y[i];
  bool i_behind = is_ahead(dx, dy, w->unit_x[i], w->unit_y[i], run->rules);
  bool j_behind = is_ahead(-dx, -dy, w->unit_x[j], w->unit_y[j], run->rules);
  if (i_behind && !j_behind) w->held[i] = 1;
  if (j_behind) w->held[j] = 1;
}

// Of a pair, i is here; which of a vector of others are within reach along both axes? All bits of a lane are set, or none.
static inline Lanes near_lanes(const Walkers *w, int first, uint16_t low_x, uint16_t low_y, uint16_t width) {
  Lanes x = *(const Lanes *)&w->coarse_x[first], y = *(const Lanes *)&w->coarse_y[first];
  return (Lanes)((x - low_x <= width) & (y - low_y <= width));
}

// Is any bit set?
static inline bool any_lane(Lanes lanes) {
  union {
    Lanes lanes;
    uint64_t words[sizeof(Lanes) / sizeof(uint64_t)];
  } all = {lanes};
  uint64_t any = 0;
  for (unsigned i = 0; i < sizeof(Lanes) / sizeof(uint64_t); i++) any |= all.words[i];
  return any != 0;
}

// Every pair once, by coarse coordinates: with some 70 walkers an environment, comparing all in vectors beats cells.
static void look_ahead(Run *run, const CoarseGrid *grid) {
  Walkers *w = &run->walkers;
  double gap = run->rules->follow_gap, half_width = run->rules->follow_half_width;
  uint16_t reach = (uint16_t)((((int32_t)sqrt(gap * gap + half_width * half_width) + SLACK) >> grid->shift) + 1);
  for (int i = 0; i < w->padded; i++) {
    w->held[i] = 0;
    w->coarse_x[i] = (uint16_t)((w->x[i] - grid->origin_x) >> grid->shift);
    w->coarse_y[i] = (uint16_t)((w->y[i] - grid->origin_y) >> grid->shift);
  }
  for (int i = w->count; i < w->padded; i++) w->coarse_x[i] = NOWHERE;
  Lanes place;
  for (int lane = 0; lane < LANES; lane++) place[lane] = (uint16_t)lane;
  for (int i = 0; i < w->count; i++) {
    // Unsigned: what is below the lowest comes out large.
    uint16_t low_x = (uint16_t)(w->coarse_x[i] - reach), low_y = (uint16_t)(w->coarse_y[i] - reach), width = (uint16_t)(2 * reach);
    int own = i / LANES * LANES;
    Lanes later = (Lanes)(place > (uint16_t)(i - own)), any = near_lanes(w, own, low_x, low_y, width) & later;
    for (int first = own + LANES; first < w->padded; first += LANES) any |= near_lanes(w, first, low_x, low_y, width);
    if (!any_lane(any)) continue;
    for (int first = own; first < w->padded; first += LANES) {
      Lanes near = near_lanes(w, first, low_x, low_y, width);
      if (first == own) near &= later;
      if (!any_lane(near)) continue;
      for (int lane = 0; lane < LANES; lane++) {
        if (near[lane] != 0) look_at_each_other(run, i, first + lane);
      }
    }
  }
}

// Walkers to which nothing happens in these ticks: far from the agent, no corner, the timer turns nothing. Says how many
// are left for step_walker, and marks them.
static int leap(Run *run, int ticks) {
  Walkers *w = &run->walkers;
  const Rules *rules = run->rules;
  int32_t range = rules->human_contact + rules->clearance[DISTANCES - 1] + SLACK, patience = rules->patience_ticks;
  int32_t agent_x = run->agent_x, agent_y = run->agent_y;
  int left = 0;
  for (int i = 0; i < w->padded; i++) {
    int32_t timer = w->timer[i], passing = timer < 0, moves = passing | (w->held[i] == 0);
    int32_t way = ticks * w->speed[i], along = w->along[i] + (moves ? way : 0);
    int32_t dx = abs(w->x[i] - agent_x), dy = abs(w->y[i] - agent_y);
    int32_t is_far = (dx > range + way) | (dy > range + way);
    int32_t keeps = (passing & (timer + ticks <= 0)) | ((passing ^ 1) & (moves | (timer + ticks < patience)));
    int32_t leaps = is_far & keeps & (along < w->length[i]) & (w->touching[i] == 0);
    int32_t x = w->start_x[i] + mul_q14(along, w->unit_x[i]), y = w->start_y[i] + mul_q14(along, w->unit_y[i]);
    int32_t later = (moves & (passing ^ 1)) ? 0 : timer + ticks, mark = moves ? w->mark[i] + ticks : 0;
    w->along[i] = leaps ? along : w->along[i];
    w->x[i] = leaps ? x : w->x[i];
    w->y[i] = leaps ? y : w->y[i];
    w->timer[i] = leaps ? later : timer;
    w->mark[i] = leaps ? mark : w->mark[i];
    w->must_step[i] = leaps ^ 1;
    left += leaps ^ 1;
  }
  return left;
}

static void begin_contact(Run *run, int i, int32_t dx, int32_t dy) {
  run->walkers.touching[i] = 1;
  run->walkers.mark[i] = 0;
  run->counts.contacts++;
  run->counts.incidents++;
  uint32_t impact = integer_square_root((uint32_t)(dx * dx + dy * dy));
  if (impact > run->counts.impact_maximum) run->counts.impact_maximum = impact;
  run->counts.impact_sum += impact;
}

// One tick of one walker under all rules; `tick` counts from the last look.
static void step_walker(Run *run, int i, int tick) {
  Walkers *w = &run->walkers;
  const Rules *rules = run->rules;
  bool passing = w->timer[i] < 0;
  int32_t along = w->along[i] + w->speed[i], link = w->link[i];
  const Segment *next = &run->segments[link];
  for (int corner = 0; corner < MOST_CORNERS && along >= next->length; corner++) {
    if (w->runs_once[i] && (int32_t)next->next <= link) {
      along = next->length - 1;
      break;
    }
    along -= next->length;
    link = (int32_t)next->next;
    next = &run->segments[link];
  }
  int32_t x = next->x + mul_q14(along, (int16_t)(next->direction & 0xffff));
  int32_t y = next->y + mul_q14(along, (int16_t)(next->direction >> 16));
  int32_t from_x = w->x[i] - run->agent_x, from_y = w->y[i] - run->agent_y;
  int32_t to_x = x - run->agent_x, to_y = y - run->agent_y;
  int32_t contact = rules->human_contact;
  bool presses = !passing && within(to_x, to_y, contact) && to_x * to_x + to_y * to_y < from_x * from_x + from_y * from_y;
  bool moves = (passing || !w->held[i]) && !presses;
  int32_t dx = moves ? to_x : from_x, dy = moves ? to_y : from_y;
  bool steps = moves || presses;
  bool touched = within(dx, dy, contact) && (w->touching[i] || rules->set_pose_touches == 1);
  if ((presses || touched) && !w->touching[i]) {
    begin_contact(run, i, steps ? x - w->x[i] : 0, steps ? y - w->y[i] : 0);
  } else if (presses) {
    w->mark[i]++;
    if (rules->contact_repeat_ticks > 0 && w->mark[i] % rules->contact_repeat_ticks == 0) run->counts.contacts++;
  } else if (!touched && w->touching[i] && !within(dx, dy, contact + rules->release_margin)) {
    w->touching[i] = 0;
    w->mark[i] = 0;
  }
  for (int distance = 0; distance < DISTANCES; distance++) {
    if (within(dx, dy, contact + rules->clearance[distance])) run->near |= 1u << (DISTANCES * tick + distance);
  }
  if (!w->touching[i]) w->mark[i] = moves && link == w->link[i] ? w->mark[i] + 1 : 0;
  if (moves) {
    w->along[i] = along;
    w->x[i] = x;
    w->y[i] = y;
    if (link != w->link[i]) take_segment(run, i, next);
    w->link[i] = link;
  }
  if (passing || !moves) {
    w->timer[i]++;
    if (!passing && w->timer[i] >= rules->patience_ticks) w->timer[i] = -rules->passing_ticks;
  } else {
    w->timer[i] = 0;
  }
}

Counts run_environment(const Rules *rules, const Segment *segments, const CoarseGrid *grid, const Environment *environment,
                       Stepping stepping, int32_t *words) {
  Run run = {.rules = rules, .segments = segments + environment->first_segment, .agent_x = environment->agent_x, .agent_y = environment->agent_y};
  load_walkers(&run, environment, words);
  for (int32_t tick = 0; tick < environment->ticks; tick += NEIGHBOUR_PERIOD) {
    int left = environment->ticks - tick, period = left < NEIGHBOUR_PERIOD ? left : NEIGHBOUR_PERIOD;
    look_ahead(&run, grid);
    run.near = 0;
    int stride = stepping == PERIODWISE ? period : 1;
    for (int from = 0; from < period; from += stride) {
      int todo = leap(&run, stride);
      for (int i = 0; todo > 0; i++) {
        if (!run.walkers.must_step[i]) continue;
        todo--;
        for (int step = from; step < from + stride; step++) step_walker(&run, i, step);
      }
    }
    for (int distance = 0; distance < DISTANCES; distance++) {
      for (int step = 0; step < period; step++) run.counts.close_ticks[distance] += run.near >> (DISTANCES * step + distance) & 1;
    }
  }
  store_walkers(&run, words);
  return run.counts;
}
