// libmpg123, which libsndfile decodes MP3 with: without its words on standard error, and frame by frame.
#ifndef CMPEGDECODER_H
#define CMPEGDECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Does nothing: who calls it has the library's functions of this module in front of its own.
void mpeg_decoder_stay_quiet(void);

/// A decoder of frames that are handed in one by one; NULL where libmpg123 is not loaded, or there is no memory. It gives
/// what libsndfile gives, but neither skips the frame of a Xing header nor the frames of an encoder's delay.
void *mpeg_stream_new(void);

void mpeg_stream_delete(void *stream);

/// Forgets all frames before.
/// Returns false where that fails.
bool mpeg_stream_restart(void *stream);

/// The samples that a frame has made.
typedef struct {
  /// Interleaved samples written.
  size_t count;
  /// Hertz.
  int32_t sample_rate;
  int32_t channels;
} mpeg_samples;

/// Decodes a frame. Writes at most `room` samples.
/// Returns false for a frame that cannot be decoded.
bool mpeg_stream_decode(
    void *stream, const uint8_t *frame, size_t bytes, float *samples, size_t room, mpeg_samples *made);

#endif
