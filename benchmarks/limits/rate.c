// What a conversion from 44.1 kHz to 48 kHz costs in plain C: rate IN OUT. A windowed sinc of as many taps as libsamplerate's
// best has (308), in single precision, by phases; nothing checked, nothing counted, no choice of formats.
//
//     clang -O3 -march=native -ffast-math rate.c -o rate -lsndfile -lm
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { phases = 160, advance = 147, taps = 308, block = 16384, room = block + taps };

static _Alignas(64) float filter[phases][taps];
static float input[2][room], output[2][block * phases / advance + phases];

static void design(void) {
  for (int phase = 0; phase < phases; phase++) {
    const double fraction = (double)(phase * advance % phases) / phases;
    for (int tap = 0; tap < taps; tap++) {
      const double x = tap - (taps / 2 - 1) - fraction, w = x / (taps / 2);
      const double sinc = x == 0 ? 1 : sin(M_PI * 0.96 * x) / (M_PI * x) / 0.96;
      filter[phase][tap] = (float)(fabs(w) < 1 ? sinc * 0.96 * (0.5 + 0.5 * cos(M_PI * w)) : 0);
    }
  }
}

int main(int count, char **words) {
  if (count != 3) return 2;
  SF_INFO info = {0};
  SNDFILE *in = sf_open(words[1], SFM_READ, &info);
  if (!in || info.channels != 2 || info.samplerate != 44100) return 3;
  const long frames = (info.frames * 160 + 73) / 147;
  SF_INFO made = {.samplerate = 48000, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_24};
  SNDFILE *out = sf_open(words[2], SFM_WRITE, &made);
  if (!out) return 4;
  design();
  float *both = malloc(sizeof(float) * 2 * (block * 2));
  // `have` input frames are there; output frame 0 lies half a filter behind the first of them.
  long have = taps / 2 - 1, written = 0, phase = 0, position = 0;
  while (written < frames) {
    const long wanted = room - have;
    long got = sf_readf_float(in, both, wanted);
    memset(both + 2 * got, 0, sizeof(float) * 2 * (wanted - got));
    for (long i = 0; i < wanted; i++) {
      input[0][have + i] = both[2 * i];
      input[1][have + i] = both[2 * i + 1];
    }
    have += wanted;
    long made_frames = 0;
    while (position + taps <= have && written + made_frames < frames) {
      const float *h = filter[phase], *a = input[0] + position, *b = input[1] + position;
      float left = 0, right = 0;
      for (int tap = 0; tap < taps; tap++) {
        left += h[tap] * a[tap];
        right += h[tap] * b[tap];
      }
      output[0][made_frames] = left;
      output[1][made_frames++] = right;
      const long next = phase + 1 == phases ? 0 : phase + 1;
      position += next ? next * advance / phases - phase * advance / phases : advance - phase * advance / phases;
      phase = next;
    }
    for (long i = 0; i < made_frames; i++) {
      both[2 * i] = output[0][i];
      both[2 * i + 1] = output[1][i];
    }
    sf_writef_float(out, both, made_frames);
    written += made_frames;
    for (int channel = 0; channel < 2; channel++) {
      memmove(input[channel], input[channel] + position, sizeof(float) * (have - position));
    }
    have -= position;
    position = 0;
  }
  sf_close(in);
  return sf_close(out) != 0;
}
