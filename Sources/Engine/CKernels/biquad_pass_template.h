// The wide biquad recursion, a template: include it with LANES, CHANNELS, VECTORS (1, 2 or 5: how many at most) and
// NAME(x) defined, inside the target
// attribute of the instruction set. No guard: it is included once per layout.
//
// A recurrence waits for itself, about twelve cycles a sample; the machine has room for many of them. So the lanes run
// different sections at once: in step t the lanes of section k work on sample t - k, and take what the lanes of section
// k - 1 put out in step t - 1. The first and last steps, in which some sections are before their first sample or past
// their last one, are masked: their state stays. Hence the state at the end of a call is that of every section after
// the same sample, and a stream may be cut anywhere.
//
// If sections fill the vectors without rest, neighbouring sections lie in neighbouring vectors (`spread`): then a
// vector's input is the output of the vector before it a step ago, as it is, and only the first one needs a shuffle.

typedef double NAME(vec) __attribute__((vector_size(LANES * 8)));
typedef long long NAME(mask) __attribute__((vector_size(LANES * 8)));

/// The last CHANNELS lanes of `a`, then the first lanes of `b`: every section sees its predecessor's output.
#if LANES == CHANNELS
#define SHIFTED(a, b) (a)
#elif LANES == 2 && CHANNELS == 1
#define SHIFTED(a, b) __builtin_shufflevector(a, b, 1, 2)
#elif LANES == 4 && CHANNELS == 1
#define SHIFTED(a, b) __builtin_shufflevector(a, b, 3, 4, 5, 6)
#elif LANES == 4 && CHANNELS == 2
#define SHIFTED(a, b) __builtin_shufflevector(a, b, 2, 3, 4, 5)
#else
#error "no such layout"
#endif

typedef struct {
  NAME(vec) y[biquad_max_vectors], s1[biquad_max_vectors], s2[biquad_max_vectors];
} NAME(lanes);

typedef struct {
  NAME(vec) b0, b1, b2, a1, a2, stage;
} NAME(section);

/// The section in group `group` of CHANNELS lanes of vector `v`.
static inline __attribute__((always_inline)) ptrdiff_t NAME(section_at)(
    const int vectors, const int spread, ptrdiff_t v, ptrdiff_t group) {
  return spread ? group * vectors + v : v * (LANES / CHANNELS) + group;
}

/// Lays sections and their state into lanes: lane l is of channel l % CHANNELS. Lanes past the last section hold zeros,
/// and their output is not used.
static void NAME(gather)(
    const biquad_pass *pass, int vectors, int spread, NAME(lanes) *lanes, NAME(section) *sections) {
  for (int v = 0; v < vectors; v++) {
#pragma clang loop unroll(full)
    for (int l = 0; l < LANES; l++) {
      const ptrdiff_t s = NAME(section_at)(vectors, spread, v, l / CHANNELS);
      const int exists = s < pass->section_count;
      const biquad_coefficients section = exists ? pass->sections[s] : (biquad_coefficients){0};
      const biquad_state held = exists ? pass->state[(l % CHANNELS) * pass->state_stride + s] : (biquad_state){0};
      sections[v].b0[l] = section.b0;
      sections[v].b1[l] = section.b1;
      sections[v].b2[l] = section.b2;
      sections[v].a1[l] = section.a1;
      sections[v].a2[l] = section.a2;
      sections[v].stage[l] = (double)s;
      lanes->s1[v][l] = held.s1;
      lanes->s2[v][l] = held.s2;
      lanes->y[v][l] = 0;
    }
  }
}

/// Puts the state in the lanes back where ``gather`` found it.
static void NAME(scatter)(const biquad_pass *pass, int vectors, int spread, const NAME(lanes) *lanes) {
  for (int v = 0; v < vectors; v++) {
    for (int group = 0; group < LANES / CHANNELS; group++) {
      const ptrdiff_t s = NAME(section_at)(vectors, spread, v, group);
      if (s >= pass->section_count) continue;
#pragma clang loop unroll(full)
      for (int c = 0; c < CHANNELS; c++) {
        const int l = group * CHANNELS + c;
        pass->state[c * pass->state_stride + s] = (biquad_state){.s1 = lanes->s1[v][l], .s2 = lanes->s2[v][l]};
      }
    }
  }
}

/// Step t of `vectors` vectors. `masked`: some sections may be outside their frames.
static inline __attribute__((always_inline)) void NAME(step)(
    const int vectors, const int spread, const int masked, NAME(lanes) *restrict l, const NAME(section) *restrict sections,
    const biquad_pass *pass, float *const *input, float *const *output, ptrdiff_t t) {
  NAME(vec) entering = {0};
  if (!masked || t < pass->frames) {
    if (pass->reads_bridge) {
#pragma clang loop unroll(full)
      for (int c = 0; c < CHANNELS; c++) entering[LANES - CHANNELS + c] = pass->bridge[t * CHANNELS + c];
    } else {
#pragma clang loop unroll(full)
      for (int c = 0; c < CHANNELS; c++) entering[LANES - CHANNELS + c] = (double)input[c][t];
    }
  }
  const NAME(vec) first = SHIFTED(entering, l->y[spread ? vectors - 1 : 0]);
#pragma clang loop unroll(full)
  for (int v = vectors - 1; v >= 0; v--) {
    const NAME(vec) x = v == 0 ? first : spread ? l->y[v - 1] : SHIFTED(l->y[v - 1], l->y[v]);
    const NAME(vec) y = sections[v].b0 * x + l->s1[v];
    const NAME(vec) s1 = (sections[v].b1 * x + l->s2[v]) - sections[v].a1 * y;
    const NAME(vec) s2 = sections[v].b2 * x - sections[v].a2 * y;
    l->y[v] = y;
    if (masked) {
      const NAME(mask) active =
          (sections[v].stage <= (double)t) & (sections[v].stage > (double)(t - pass->frames));
      l->s1[v] = (NAME(vec))((active & (NAME(mask))s1) | (~active & (NAME(mask))l->s1[v]));
      l->s2[v] = (NAME(vec))((active & (NAME(mask))s2) | (~active & (NAME(mask))l->s2[v]));
    } else {
      l->s1[v] = s1;
      l->s2[v] = s2;
    }
  }
  const ptrdiff_t leaving = t - (pass->section_count - 1);
  if (masked && leaving < 0) return;
  _Alignas(64) double last[LANES];
  if (pass->writes_bridge) {
    *(NAME(vec) *)last = l->y[vectors - 1];
#pragma clang loop unroll(full)
    for (int c = 0; c < CHANNELS; c++) pass->bridge[leaving * CHANNELS + c] = last[pass->last_lane + c];
  } else {
    *(NAME(vec) *)last = l->y[vectors - 1] * pass->gain;
#pragma clang loop unroll(full)
    for (int c = 0; c < CHANNELS; c++) output[c][leaving] = (float)last[pass->last_lane + c];
  }
}

static inline __attribute__((always_inline)) void NAME(run)(
    const int vectors, const int spread, const biquad_pass *pass) {
  NAME(lanes) gathered, l;
  NAME(section) sections[biquad_max_vectors];
  NAME(gather)(pass, vectors, spread, &gathered, sections);
#pragma clang loop unroll(full)
  for (int v = 0; v < vectors; v++) {
    l.y[v] = gathered.y[v];
    l.s1[v] = gathered.s1[v];
    l.s2[v] = gathered.s2[v];
  }
  float *input[CHANNELS], *output[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) {
    input[c] = pass->input[c] + pass->offset;
    output[c] = pass->output[c] + pass->offset;
  }
  const ptrdiff_t lag = pass->section_count - 1, frames = pass->frames;
  ptrdiff_t t = 0;
  for (; t < lag; t++) NAME(step)(vectors, spread, 1, &l, sections, pass, input, output, t);
  for (; t < frames; t++) NAME(step)(vectors, spread, 0, &l, sections, pass, input, output, t);
  for (; t < frames + lag; t++) NAME(step)(vectors, spread, 1, &l, sections, pass, input, output, t);
#pragma clang loop unroll(full)
  for (int v = 0; v < vectors; v++) {
    gathered.s1[v] = l.s1[v];
    gathered.s2[v] = l.s2[v];
  }
  NAME(scatter)(pass, vectors, spread, &gathered);
}

static inline __attribute__((always_inline)) void NAME(run_any)(const int vectors, const biquad_pass *pass) {
  if (LANES > CHANNELS && vectors > 1 && pass->section_count == vectors * (LANES / CHANNELS)) {
    NAME(run)(vectors, 1, pass);
  } else {
    NAME(run)(vectors, 0, pass);
  }
}

static void NAME(run_1)(const biquad_pass *pass) { NAME(run_any)(1, pass); }
#if VECTORS >= 2
static void NAME(run_2)(const biquad_pass *pass) { NAME(run_any)(2, pass); }
#endif
#if VECTORS >= 5
static void NAME(run_3)(const biquad_pass *pass) { NAME(run_any)(3, pass); }
static void NAME(run_4)(const biquad_pass *pass) { NAME(run_any)(4, pass); }
static void NAME(run_5)(const biquad_pass *pass) { NAME(run_any)(5, pass); }
#endif

#undef SHIFTED
#undef NAME
#undef LANES
#undef VECTORS
#undef CHANNELS
