// aubench-decode: turns packets of codecs that no library of aubench decodes (AAC and others) into samples, by FFmpeg's
// libavcodec. It is a program of its own: its library and what hostile packets do to it stay out of the processes of
// aubench, of libAudioToolbox and of hosts. It talks over descriptor 0, a socket, in numbers of 32 bits of this machine:
//
//   'O' codec-name-bytes name rate channels bytes-a-block bits extra-bytes extra   opens a decoder in place of the last
//   'P' bytes packet                                                               decodes a packet
//   'E'                                                                            gives what the decoder holds back
//
// To the first comes 0, or the length of a text that says why not, with the text. To the others: frames, hertz,
// channels, the loudspeakers as two halves of a mask, and the frames, interleaved, in floats; or 0xFFFFFFFF where the
// packet cannot be decoded. It ends with the socket.

#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/opt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 24, MOST_FRAMES = 1 << 20, MOST_CHANNELS = 64, DAMAGED = -1 };

static AVCodecContext *decoder;
static AVPacket *packet;
static AVFrame *frame;

// The samples of one answer.
static struct {
  float *values;
  size_t count, room;
  uint32_t rate, channels;
  uint64_t mask;
} answer;

static void readAll(void *bytes, size_t count) {
  for (char *next = bytes; count > 0;) {
    ssize_t got = read(0, next, count);
    if (got <= 0) exit(0);
    next += got;
    count -= (size_t)got;
  }
}

static void writeAll(const void *bytes, size_t count) {
  for (const char *next = bytes; count > 0;) {
    ssize_t done = send(0, next, count, MSG_NOSIGNAL);
    if (done <= 0) exit(0);
    next += done;
    count -= (size_t)done;
  }
}

static uint32_t readNumber(void) {
  uint32_t number;
  readAll(&number, sizeof number);
  return number;
}

static void writeNumber(uint32_t number) { writeAll(&number, sizeof number); }

// A length that is not to be believed ends the program.
static uint32_t readLength(void) {
  uint32_t length = readNumber();
  if (length > MOST_BYTES) exit(2);
  return length;
}

static void answerOpening(const char *reason) {
  writeNumber((uint32_t)strlen(reason));
  writeAll(reason, strlen(reason));
}

static void openDecoder(void) {
  char name[64] = {0};
  uint32_t length = readNumber();
  if (length >= sizeof name) exit(2);
  readAll(name, length);
  uint32_t rate = readNumber(), channels = readNumber(), block = readNumber(), bits = readNumber(), extra = readLength();
  avcodec_free_context(&decoder);
  const AVCodec *codec = avcodec_find_decoder_by_name(name);
  if (codec) decoder = avcodec_alloc_context3(codec);
  uint8_t *bytes = av_mallocz((size_t)extra + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!bytes) exit(2);
  readAll(bytes, extra);
  if (!decoder) {
    av_free(bytes);
    answerOpening("libavcodec has no such decoder");
    return;
  }
  if (extra > 0) {
    decoder->extradata = bytes;
    decoder->extradata_size = (int)extra;
  } else {
    av_free(bytes);
  }
  decoder->sample_rate = rate <= INT32_MAX ? (int)rate : 0;
  decoder->block_align = block <= MOST_BYTES ? (int)block : 0;
  decoder->bits_per_coded_sample = bits <= 64 ? (int)bits : 0;
  if (channels > 0 && channels <= MOST_CHANNELS) av_channel_layout_default(&decoder->ch_layout, (int)channels);
  decoder->thread_count = 1;
  // The same samples on every machine, and all of them: what is left out is the reader's affair.
  decoder->flags |= AV_CODEC_FLAG_BITEXACT;
  decoder->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
  int number = avcodec_open2(decoder, codec, NULL);
  if (number < 0) {
    char reason[AV_ERROR_MAX_STRING_SIZE] = {0};
    avcodec_free_context(&decoder);
    av_strerror(number, reason, sizeof reason);
    answerOpening(reason[0] ? reason : "libavcodec does not open it");
    return;
  }
  answerOpening("");
}

static float sample(const AVFrame *from, int channel, int index) {
  const int channels = from->ch_layout.nb_channels;
  const enum AVSampleFormat format = (enum AVSampleFormat)from->format;
  const int isPlanar = av_sample_fmt_is_planar(format);
  const uint8_t *plane = from->extended_data[isPlanar ? channel : 0];
  const size_t at = isPlanar ? (size_t)index : (size_t)index * (size_t)channels + (size_t)channel;
  switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_U8: return (float)(plane[at] - 128) / 128;
    case AV_SAMPLE_FMT_S16: return (float)((const int16_t *)plane)[at] / 32768;
    case AV_SAMPLE_FMT_S32: return (float)((double)((const int32_t *)plane)[at] / 2147483648.0);
    case AV_SAMPLE_FMT_FLT: return ((const float *)plane)[at];
    case AV_SAMPLE_FMT_DBL: return (float)((const double *)plane)[at];
    default: return 0;
  }
}

// Adds a frame to the answer; DAMAGED where its form differs from that of the frames before it.
static int take(void) {
  const int channels = frame->ch_layout.nb_channels;
  if (channels < 1 || channels > MOST_CHANNELS || frame->nb_samples < 0) return DAMAGED;
  const uint64_t mask = frame->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? frame->ch_layout.u.mask : 0;
  const size_t count = (size_t)frame->nb_samples * (size_t)channels;
  if (answer.count > 0 && (answer.channels != (uint32_t)channels || answer.rate != (uint32_t)frame->sample_rate)) return DAMAGED;
  if (answer.count + count > (size_t)MOST_FRAMES * (size_t)channels) return DAMAGED;
  if (answer.count + count > answer.room) {
    size_t room = (answer.count + count) * 2;
    float *values = realloc(answer.values, room * sizeof *values);
    if (!values) exit(2);
    answer.values = values;
    answer.room = room;
  }
  for (int index = 0; index < frame->nb_samples; ++index)
    for (int channel = 0; channel < channels; ++channel) answer.values[answer.count++] = sample(frame, channel, index);
  answer.rate = (uint32_t)frame->sample_rate;
  answer.channels = (uint32_t)channels;
  answer.mask = mask;
  return 0;
}

// Sends a packet (NULL: the end) through the decoder, and what comes out of it.
static void decode(const AVPacket *given) {
  answer.count = 0;
  answer.rate = answer.channels = 0;
  answer.mask = 0;
  int number = decoder ? avcodec_send_packet(decoder, given) : DAMAGED;
  while (number >= 0 && (number = avcodec_receive_frame(decoder, frame)) >= 0) number = take();
  if (number != AVERROR(EAGAIN) && number != AVERROR_EOF) {
    writeNumber(UINT32_MAX);
    return;
  }
  writeNumber(answer.channels ? (uint32_t)(answer.count / answer.channels) : 0);
  writeNumber(answer.rate);
  writeNumber(answer.channels);
  writeNumber((uint32_t)answer.mask);
  writeNumber((uint32_t)(answer.mask >> 32));
  writeAll(answer.values, answer.count * sizeof *answer.values);
}

static void decodePacket(void) {
  uint32_t length = readLength();
  // To the library an empty packet is the end.
  if (length == 0) {
    writeNumber(UINT32_MAX);
    return;
  }
  if (av_new_packet(packet, (int)length) < 0) exit(2);
  readAll(packet->data, length);
  decode(packet);
  av_packet_unref(packet);
}

int main(void) {
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(0, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    fputs("aubench-decode is started by aubench and libAudioToolbox, to decode packets\n", stderr);
    return 64;
  }
  av_log_set_level(AV_LOG_QUIET);
  // Sums in another order give other last bits.
  av_force_cpu_flags(0);
  packet = av_packet_alloc();
  frame = av_frame_alloc();
  if (!packet || !frame) return 2;
  for (;;) {
    char order;
    readAll(&order, 1);
    switch (order) {
      case 'O': openDecoder(); break;
      case 'P': decodePacket(); break;
      case 'E': decode(NULL); break;
      default: return 2;
    }
  }
}
