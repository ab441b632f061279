// Delay lines that feed each other through a Hadamard matrix: one block of a reverb.
#ifndef CKERNELS_FEEDBACK_NETWORK_H
#define CKERNELS_FEEDBACK_NETWORK_H

#include <stddef.h>

enum { FEEDBACK_LINES = 16, FEEDBACK_CHANNELS = 2, FEEDBACK_LANES = 8 };

/// One line: where the block's frames are read and written, and its low pass of one zero.
typedef struct {
  /// The frame before it is read too.
  const float *_Nonnull read;
  float *_Nonnull write;
  float present;
  float former;
} feedback_line;

/// Computes frames, none of the operations fused. With H the Hadamard matrix whose element of row r and column i is −1
/// where r & i has an odd number of ones, else 1:
///
///     u[i][n] = present[i] * read[i][n] + former[i] * read[i][n - 1]
///     output[c][n] = sum over i, from 0 up, of H[5 + 5c][i] * u[i][n]
///     write[i][n] = 0.25 * (sum over j of H[i][j] * u[j][n] + sum over c of H[1 + c][i] * input[c][n])
///
/// As many frames as are a multiple of `FEEDBACK_LANES` are read and written. The bits do not depend on the instruction
/// set.
///
/// - channels: 1 or 2.
void feedback_network_process(
    const feedback_line lines[_Nonnull FEEDBACK_LINES], const float *_Nonnull const *_Nonnull inputs,
    float *_Nonnull const *_Nonnull outputs, ptrdiff_t channels, ptrdiff_t frames);

/// All frequencies as loud as they were, each echo many; none of the operations fused:
///
///     write[n] = samples[n] + gain * read[n]
///     samples[n] = read[n] - gain * write[n]
///
/// None overlaps another.
void feedback_all_pass(
    float *_Nonnull samples, const float *_Nonnull read, float *_Nonnull write, float gain, ptrdiff_t frames);

#endif
