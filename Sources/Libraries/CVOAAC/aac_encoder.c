#include "CVOAAC.h"

#include <COptionalLibrary.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <vo-aacenc/voAAC.h>

static VO_S32 (*get_functions)(VO_AUDIO_CODECAPI *);

static void look_up(void) {
  const optional_function functions[] = {{"voGetAACEncAPI", (void **)&get_functions}};
  if (!optional_library_load("libvo-aacenc.so.0", functions, 1)) { get_functions = NULL; }
}

bool aac_encoder_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_up);
  return get_functions != NULL;
}

// MARK: Memory for the library

static VO_U32 allocate(VO_S32 id, VO_MEM_INFO *memory) {
  (void)id;
  if (memory == NULL || memory->Size == 0) { return VO_ERR_INVALID_ARG; }
  // The library relies on zeros.
  memory->VBuffer = calloc(1, memory->Size);
  return memory->VBuffer == NULL ? VO_ERR_OUTOF_MEMORY : VO_ERR_NONE;
}

static VO_U32 release(VO_S32 id, VO_PTR memory) {
  (void)id;
  free(memory);
  return VO_ERR_NONE;
}

static VO_U32 fill(VO_S32 id, VO_PTR memory, VO_U8 value, VO_U32 size) {
  (void)id;
  memset(memory, value, size);
  return VO_ERR_NONE;
}

static VO_U32 copy(VO_S32 id, VO_PTR to, VO_PTR from, VO_U32 size) {
  (void)id;
  memcpy(to, from, size);
  return VO_ERR_NONE;
}

static VO_U32 check(VO_S32 id, VO_PTR memory, VO_U32 size) {
  (void)id;
  (void)memory;
  (void)size;
  return VO_ERR_NONE;
}

static VO_S32 compare(VO_S32 id, VO_PTR first, VO_PTR second, VO_U32 size) {
  (void)id;
  return memcmp(first, second, size);
}

static VO_U32 move(VO_S32 id, VO_PTR to, VO_PTR from, VO_U32 size) {
  (void)id;
  memmove(to, from, size);
  return VO_ERR_NONE;
}

// MARK: The encoder

struct aac_encoder {
  VO_AUDIO_CODECAPI functions;
  VO_MEM_OPERATOR memory;
  VO_HANDLE codec;
  int16_t channels;
};

aac_encoder *aac_encoder_new(int32_t sample_rate, int16_t channels, int32_t bits_per_second) {
  if (!aac_encoder_is_there()) { return NULL; }
  aac_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) { return NULL; }
  encoder->channels = channels;
  encoder->memory = (VO_MEM_OPERATOR){allocate, release, fill, copy, check, compare, move};
  VO_CODEC_INIT_USERDATA data = {.memflag = VO_IMF_USERMEMOPERATOR, .memData = &encoder->memory};
  AACENC_PARAM order = {
      .sampleRate = sample_rate, .bitRate = bits_per_second, .nChannels = channels, .adtsUsed = 0};
  if (get_functions(&encoder->functions) != VO_ERR_NONE ||
      encoder->functions.Init(&encoder->codec, VO_AUDIO_CodingAAC, &data) != VO_ERR_NONE) {
    free(encoder);
    return NULL;
  }
  if (encoder->functions.SetParam(encoder->codec, VO_PID_AAC_ENCPARAM, &order) != VO_ERR_NONE) {
    aac_encoder_free(encoder);
    return NULL;
  }
  return encoder;
}

void aac_encoder_free(aac_encoder *encoder) {
  if (encoder == NULL) { return; }
  encoder->functions.Uninit(encoder->codec);
  free(encoder);
}

int32_t aac_encoder_encode(aac_encoder *encoder, const int16_t *frames, uint8_t *packet) {
  VO_CODECBUFFER input = {
      .Buffer = (VO_PBYTE)(void *)frames, .Length = (VO_U32)AAC_PACKET_FRAMES * encoder->channels * sizeof *frames};
  VO_CODECBUFFER output = {.Buffer = packet, .Length = AAC_MOST_PACKET_BYTES};
  VO_AUDIO_OUTPUTINFO info = {0};
  encoder->functions.SetInputData(encoder->codec, &input);
  if (encoder->functions.GetOutputData(encoder->codec, &output, &info) != VO_ERR_NONE) { return -1; }
  return (int32_t)output.Length;
}
