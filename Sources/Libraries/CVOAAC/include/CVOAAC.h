// AAC of low complexity by libvo-aacenc, which is looked for when it is first asked for: where it is not there, everything
// else works.
#ifndef CVOAAC_H
#define CVOAAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An encoder of one stream.
typedef struct aac_encoder aac_encoder;

/// Frames in front of the first one that a decoder gives besides.
enum { AAC_PRIMING_FRAMES = 1600, AAC_PACKET_FRAMES = 1024, AAC_MOST_PACKET_BYTES = 1536 };

/// True when the library is on this machine.
bool aac_encoder_is_there(void);

/// An encoder of one or two channels at a rate of AAC's; NULL where the library is not there, takes neither the rate nor the
/// bits a second, or has no memory.
aac_encoder *_Nullable aac_encoder_new(int32_t sample_rate, int16_t channels, int32_t bits_per_second);

void aac_encoder_free(aac_encoder *_Nullable encoder);

/// Encodes AAC_PACKET_FRAMES interleaved frames; `packet` has room for AAC_MOST_PACKET_BYTES.
/// Returns the bytes of the packet, or -1 where the library fails.
int32_t aac_encoder_encode(aac_encoder *_Nonnull encoder, const int16_t *_Nonnull frames, uint8_t *_Nonnull packet);

#endif
