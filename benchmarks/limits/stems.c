// What the stem mix costs in plain C: stems PLAN OUT. Each stem's ten peaking filters in double precision, a level for each
// channel, the sum in single precision, 24 bits; nothing checked, nothing counted, no choice of formats.
//
// A line of the plan: FILE, the left and the right level, and for each band FREQUENCY OCTAVES DECIBELS.
//
// A filter cannot begin a frame before it has ended the one before it, so the ten filters of both channels work side by
// side on different frames: band b is b frames behind.
//
//     clang -O3 -march=native stems.c -o stems -lsndfile -lm
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stems = 16, bands = 10, block = 512, group = 4, groups = 5 };

// Twenty lanes: the left channel's bands, then the right one's.
typedef double lanes __attribute__((vector_size(32)));

typedef struct {
  SNDFILE *file;
  float level[2];
  lanes b0[groups], b1[groups], b2[groups], a1[groups], a2[groups], s1[groups], s2[groups], y[groups];
  long ended;
} stem;

static void set(lanes *field, int lane, double value) { field[lane / group][lane % group] = value; }

static void design(stem *s, int band, double frequency, double octaves, double decibels) {
  const double w = 2 * M_PI * frequency / 48000, a = pow(10, decibels / 40);
  const double alpha = sin(w) * sinh(log(2) / 2 * octaves * w / sin(w)), a0 = 1 + alpha / a;
  for (int channel = 0; channel < 2; channel++) {
    const int lane = channel * bands + band;
    set(s->b0, lane, (1 + alpha * a) / a0);
    set(s->b1, lane, -2 * cos(w) / a0);
    set(s->b2, lane, (1 - alpha * a) / a0);
    set(s->a1, lane, -2 * cos(w) / a0);
    set(s->a2, lane, (1 - alpha / a) / a0);
  }
}

// One frame into the first bands, one frame out of the last ones, which are nine frames behind.
static inline __attribute__((always_inline)) void step(stem *s, float left, float right, float out[2]) {
  lanes x[groups], previous[groups];
  memcpy(previous, s->y, sizeof previous);
  x[0] = __builtin_shufflevector(previous[0], (lanes){left}, 4, 0, 1, 2);
  x[1] = __builtin_shufflevector(previous[0], previous[1], 3, 4, 5, 6);
  x[2] = __builtin_shufflevector(previous[1], previous[2], 3, 4, -1, 6);
  x[2][2] = right;
  x[3] = __builtin_shufflevector(previous[2], previous[3], 3, 4, 5, 6);
  x[4] = __builtin_shufflevector(previous[3], previous[4], 3, 4, 5, 6);
  for (int g = 0; g < groups; g++) {
    const lanes y = s->b0[g] * x[g] + s->s1[g];
    s->s1[g] = (s->b1[g] * x[g] + s->s2[g]) - s->a1[g] * y;
    s->s2[g] = s->b2[g] * x[g] - s->a2[g] * y;
    s->y[g] = y;
  }
  out[0] = (float)s->y[2][1];
  out[1] = (float)s->y[4][3];
}

int main(int count, char **words) {
  if (count != 3) return 2;
  FILE *plan = fopen(words[1], "r");
  if (!plan) return 3;
  static stem all[stems];
  SF_INFO info = {0};
  for (int k = 0; k < stems; k++) {
    char path[4096];
    if (fscanf(plan, "%4095s %f %f", path, &all[k].level[0], &all[k].level[1]) != 3) return 3;
    for (int band = 0; band < bands; band++) {
      double frequency, octaves, decibels;
      if (fscanf(plan, "%lf %lf %lf", &frequency, &octaves, &decibels) != 3) return 3;
      design(&all[k], band, frequency, octaves, decibels);
    }
    all[k].file = sf_open(path, SFM_READ, &info);
    if (!all[k].file || info.channels != 2) return 4;
  }
  SF_INFO made = {.samplerate = 48000, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_24};
  SNDFILE *out = sf_open(words[2], SFM_WRITE, &made);
  if (!out) return 5;
  static float both[2 * block], mix[2 * block];
  // The filters are nine frames behind: the first nine frames out are dropped, and nine frames of silence go in at the end.
  const long delay = bands - 1;
  for (long done = 0; done < info.frames + delay; done += block) {
    const long frames = info.frames + delay - done < block ? info.frames + delay - done : block;
    memset(mix, 0, sizeof mix);
    for (int k = 0; k < stems; k++) {
      const long got = sf_readf_float(all[k].file, both, frames);
      memset(both + 2 * got, 0, sizeof(float) * 2 * (frames - got));
      stem s = all[k];
      for (long i = 0; i < frames; i++) {
        float y[2];
        step(&s, both[2 * i], both[2 * i + 1], y);
        mix[2 * i] += y[0] * s.level[0];
        mix[2 * i + 1] += y[1] * s.level[1];
      }
      all[k] = s;
    }
    const long skip = done == 0 ? delay : 0;
    sf_writef_float(out, mix + 2 * skip, frames - skip);
  }
  return sf_close(out) != 0;
}
