// A segment of a stream under a window, and sums of squared spectra, in double.
#ifndef CKERNELS_SEGMENTS_H
#define CKERNELS_SEGMENTS_H
#include <stddef.h>

/// out[i] = in[i] · window[i]. `out` overlaps with nothing.
void segments_window_f32(const float *in, const double *window, double *out, size_t count);
void segments_window_f64(const double *in, const double *window, double *out, size_t count);

/// sum[i] += part[i]², each rounded: the bits are the same with every instruction set.
void segments_add_squares(const double *part, double *sum, size_t count);

#endif
