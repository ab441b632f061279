// Converters: each property with the value that the formats alone say, its size and what it refuses; calls that a converter does not take. References
// to files that are none.
#include "refused.h"

// The values that the properties of a converter must have, by its formats alone.
static void ask_converter(AudioStreamBasicDescription from, AudioStreamBasicDescription to) {
  AudioConverterRef converter;
  need(AudioConverterNew(&from, &to, &converter), "converter");
  const int same_rate = from.mSampleRate == to.mSampleRate;
  const UInt32 planes = to.mFormatFlags & kAudioFormatFlagIsNonInterleaved && to.mFormatID == 'lpcm' ? to.mChannelsPerFrame : 1;
  const Float64 bits = to.mSampleRate * 8 * to.mBytesPerFrame * planes;
  const UInt32 whole_in = (UInt32)ceil(from.mSampleRate / to.mSampleRate) * from.mBytesPerFrame, whole_out = (UInt32)ceil(to.mSampleRate / from.mSampleRate) * to.mBytesPerFrame;
  const UInt32 best = 127, norm = 'norm', one = 1, none = 0, depth = to.mFormatID == 'lpcm' ? to.mBitsPerChannel : 8;
  const SInt32 in_bits = from.mFormatID != 'lpcm' ? 8 : from.mFormatFlags & 1 ? -(SInt32)from.mBitsPerChannel : (SInt32)from.mBitsPerChannel;
  const Float64 phase = 0, range[2] = {bits, bits}, rates[2] = {to.mSampleRate, to.mSampleRate};
  const UInt32 bit_rate = (UInt32)bits;
  SInt32 map[8];
  for (UInt32 channel = 0; channel < to.mChannelsPerFrame; ++channel) map[channel] = channel < from.mChannelsPerFrame ? (SInt32)channel : -1;
  const struct {
    const char *id;
    UInt32 size;
    const void *value;
    int is_set;
  } rows[] = {{"mibs", 4, &whole_in, 0}, {"mobs", 4, &whole_out, 0}, {"xips", 4, &from.mBytesPerFrame, 0}, {"xops", 4, &to.mBytesPerFrame, 0}, {"srca", 4, &norm, 1}, {"srci", 4, &norm, 1}, {"srcq", 4, &best, 1}, {"srcp", 8, &phase, 1}, {"prmm", 4, &one, 1}, {"chmp", 4 * to.mChannelsPerFrame, map, 1}, {"acid", 40, &from, 0}, {"acod", 40, &to, 0}, {"dith", 4, &none, 1}, {"dbit", 4, &depth, 1}, {"crfi", 4, &one, 0}, {"brat", 4, &bit_rate, 0}, {"aebr", 16, range, 0}, {"vebr", 16, range, 0}, {"aesr", 16, rates, 0}, {"ajsr", 8, &to.mSampleRate, 0}, {"cdqu", 4, &best, 0}, {"acbd", 4, &in_bits, 1}, {"dmix", 4, &none, 1}};
  unsigned char bytes[256];
  char text[96];
  UInt32 size;
  for (size_t at = 0; at < sizeof rows / sizeof rows[0]; ++at) {
    const UInt32 id = four(rows[at].id);
    Boolean writable = 9;
    size = 0;
    snprintf(text, sizeof text, "%s of a converter from %u to %u channels", rows[at].id, (unsigned)from.mChannelsPerFrame, (unsigned)to.mChannelsPerFrame);
    judge(text, AudioConverterGetPropertyInfo(converter, id, &size, &writable), 0);
    judge(text, (OSStatus)(size * 2 + writable), (OSStatus)(rows[at].size * 2 + (UInt32)rows[at].is_set));
    memset(bytes, 0x77, sizeof bytes), size = sizeof bytes;
    judge(text, AudioConverterGetProperty(converter, id, &size, bytes), 0);
    judge(text, size == rows[at].size && memcmp(bytes, rows[at].value, size) == 0, 1);
    size = rows[at].size - 1;
    judge(text, AudioConverterGetProperty(converter, id, &size, bytes), '!siz');
    judge(text, AudioConverterSetProperty(converter, id, rows[at].size - 1, bytes), rows[at].is_set ? '!siz' : unsupported);
    judge(text, AudioConverterSetProperty(converter, id, rows[at].size + 1, bytes), rows[at].is_set ? '!siz' : unsupported);
    // Its own value is no change.
    judge(text, AudioConverterSetProperty(converter, id, rows[at].size, rows[at].value), rows[at].is_set ? 0 : unsupported);
  }
  static const char *const absent[] = {"icdp", "ocdp", "dmgc", "cmgc", "icl ", "ocl ", "zzzz"};
  for (size_t at = 0; at < sizeof absent / sizeof absent[0]; ++at) {
    size = sizeof bytes;
    ANSWERS('prop', AudioConverterGetProperty(converter, four(absent[at]), &size, bytes));
    ANSWERS('prop', AudioConverterGetPropertyInfo(converter, four(absent[at]), &size, NULL));
  }
  ANSWERS('prop', AudioConverterSetProperty(converter, 'zzzz', 4, bytes));
  // Values that mean nothing, and those that there are not.
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srca', 4, "xxxx"));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srcq', 4, &(UInt32){128}));
  ANSWERS(0, AudioConverterSetProperty(converter, 'srcq', 4, &(UInt32){0}));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'prmm', 4, &(UInt32){3}));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srcp', 8, &(Float64){1}));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srcp', 8, &(Float64){-0.1}));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srcp', 8, &(Float64){NAN}));
  ANSWERS(unsupported, AudioConverterSetProperty(converter, 'srcp', 8, &(Float64){0.5}));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'dith', 4, &(UInt32){3}));
  ANSWERS(unsupported, AudioConverterSetProperty(converter, 'dith', 4, &(UInt32){2}));
  ANSWERS(unsupported, AudioConverterSetProperty(converter, 'dbit', 4, &(UInt32){depth + 1}));
  map[0] = (SInt32)from.mChannelsPerFrame;
  ANSWERS(-50, AudioConverterSetProperty(converter, 'chmp', 4 * to.mChannelsPerFrame, map));
  map[0] = -2;
  ANSWERS(-50, AudioConverterSetProperty(converter, 'chmp', 4 * to.mChannelsPerFrame, map));
  map[0] = -1;
  ANSWERS(0, AudioConverterSetProperty(converter, 'chmp', 4 * to.mChannelsPerFrame, map));
  const AudioChannelLayout in = {.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | from.mChannelsPerFrame}, wrong = {.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | (from.mChannelsPerFrame + 1)};
  const AudioChannelLayout out = {.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | to.mChannelsPerFrame}, wrong_out = {.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | (to.mChannelsPerFrame + 1)};
  ANSWERS(-50, AudioConverterSetProperty(converter, 'icl ', sizeof wrong, &wrong)), ANSWERS(-50, AudioConverterSetProperty(converter, 'ocl ', sizeof wrong_out, &wrong_out));
  ANSWERS('!siz', AudioConverterSetProperty(converter, 'icl ', 3, &in)), ANSWERS('!siz', AudioConverterSetProperty(converter, 'ocl ', 3, &out));
  ANSWERS(0, AudioConverterSetProperty(converter, 'icl ', sizeof in, &in)), ANSWERS(0, AudioConverterSetProperty(converter, 'ocl ', sizeof out, &out));
  size = sizeof bytes;
  ANSWERS(0, AudioConverterGetProperty(converter, 'icl ', &size, bytes)), HOLDS(size == sizeof in && memcmp(bytes, &in, size) == 0);
  size = sizeof bytes;
  ANSWERS(0, AudioConverterGetProperty(converter, 'ocl ', &size, bytes)), HOLDS(size == sizeof out && memcmp(bytes, &out, size) == 0);
  // Sizes that are asked: whole frames, and an answer that 32 bits can say.
  UInt32 asked = to.mBytesPerFrame * 100;
  size = 4;
  ANSWERS(0, AudioConverterGetProperty(converter, 'cibs', &size, &asked));
  HOLDS(same_rate ? asked == 100 * from.mBytesPerFrame : asked >= (UInt32)(100 * from.mSampleRate / to.mSampleRate) * from.mBytesPerFrame);
  asked = from.mBytesPerFrame * 100;
  ANSWERS(0, AudioConverterGetProperty(converter, 'cobs', &size, &asked));
  HOLDS(asked == (UInt32)floor(100 * to.mSampleRate / from.mSampleRate + 0.5) * to.mBytesPerFrame);
  if (to.mBytesPerFrame > 1) asked = to.mBytesPerFrame + 1, size = 4, judge("cibs of a part of a frame", AudioConverterGetProperty(converter, 'cibs', &size, &asked), 'otsz');
  if (from.mBytesPerFrame > 1) asked = from.mBytesPerFrame + 1, size = 4, judge("cobs of a part of a frame", AudioConverterGetProperty(converter, 'cobs', &size, &asked), 'insz');
  ANSWERS(-50, AudioConverterGetProperty(converter, 'srcq', (UInt32 *)nothing, bytes));
  ANSWERS(-50, AudioConverterGetProperty(converter, 'srcq', &size, nothing));
  ANSWERS(-50, AudioConverterSetProperty(converter, 'srcq', 4, nothing));
  ANSWERS(0, AudioConverterGetPropertyInfo(converter, 'srcq', NULL, NULL));
  // The calls that convert at once do not convert rates.
  UInt32 room = sizeof bytes, packets = 1;
  const int one_buffer = planes == 1 && (from.mFormatID != 'lpcm' || !(from.mFormatFlags & kAudioFormatFlagIsNonInterleaved) || from.mChannelsPerFrame == 1);
  unsigned char frame[64] = {0};
  ANSWERS(same_rate && one_buffer ? 0 : unsupported, AudioConverterConvertBuffer(converter, from.mBytesPerFrame, frame, &room, bytes));
  if (same_rate && one_buffer) {
    room = to.mBytesPerFrame - 1;
    ANSWERS('otsz', AudioConverterConvertBuffer(converter, from.mBytesPerFrame, frame, &room, bytes));
    if (from.mBytesPerFrame > 1) judge("a part of a frame", AudioConverterConvertBuffer(converter, from.mBytesPerFrame - 1, frame, &room, bytes), 'insz');
  }
  AudioBufferList *list = planes_of(planes, 64)->list;
  list->mBuffers[0].mNumberChannels = to.mChannelsPerFrame / planes;
  if (!same_rate) ANSWERS(unsupported, AudioConverterConvertComplexBuffer(converter, 1, list, list));
  ANSWERS(-50, AudioConverterConvertBuffer(converter, 4, nothing, &room, bytes));
  ANSWERS(-50, AudioConverterConvertBuffer(converter, 4, frame, (UInt32 *)nothing, bytes));
  ANSWERS(-50, AudioConverterConvertBuffer(converter, 4, frame, &room, nothing));
  ANSWERS(-50, AudioConverterConvertComplexBuffer(converter, 1, (const AudioBufferList *)nothing, list));
  ANSWERS(-50, AudioConverterConvertComplexBuffer(converter, 1, list, (AudioBufferList *)nothing));
  ANSWERS(-50, AudioConverterFillComplexBuffer(converter, (AudioConverterComplexInputDataProc)nothing, NULL, &packets, list, NULL));
  ANSWERS(-50, AudioConverterFillComplexBuffer(converter, fetch, NULL, (UInt32 *)nothing, list, NULL));
  ANSWERS(-50, AudioConverterFillComplexBuffer(converter, fetch, NULL, &packets, (AudioBufferList *)nothing, NULL));
  ANSWERS(-50, AudioConverterFillBuffer(converter, (AudioConverterInputDataProc)nothing, NULL, &room, bytes));
  ANSWERS(-50, AudioConverterFillBuffer(converter, fetch_bytes, NULL, (UInt32 *)nothing, bytes));
  ANSWERS(-50, AudioConverterFillBuffer(converter, fetch_bytes, NULL, &room, nothing));
  room = to.mBytesPerFrame * 2;
  ANSWERS(one_buffer ? 0 : unsupported, AudioConverterFillBuffer(converter, fetch_bytes, NULL, &room, bytes));
  if (one_buffer && to.mBytesPerFrame > 1) room = to.mBytesPerFrame + 1, judge("a part of a frame", AudioConverterFillBuffer(converter, fetch_bytes, NULL, &room, bytes), 'otsz');
  for (UInt32 plane = 0; plane < planes; ++plane) list->mBuffers[plane].mDataByteSize = 0;
  packets = 4;
  ANSWERS('otsz', AudioConverterFillComplexBuffer(converter, fetch, NULL, &packets, list, NULL)), HOLDS(packets == 0);
  packets = 4, list->mNumberBuffers = planes + 1;
  ANSWERS(-50, AudioConverterFillComplexBuffer(converter, fetch, NULL, &packets, list, NULL));
  ANSWERS(0, AudioConverterReset(converter));
  ANSWERS(0, AudioConverterDispose(converter));
  ANSWERS(-50, AudioConverterDispose(converter));
}

void wrong_converters(void) {
  const AudioStreamBasicDescription law = {8000, 'ulaw', 0, 1, 1, 1, 1, 8, 0};
  ask_converter(stereo16(), planar(48000, 2)), ask_converter(stereo16(), pcm(48000, 2, 32, 4, floats));
  ask_converter(planar(44100, 1), pcm(48000, 3, 24, 3, integers)), ask_converter(pcm(96000, 4, 64, 8, floats), pcm(22050, 2, 16, 2, integers));
  ask_converter(law, pcm(8000, 1, 16, 2, integers)), ask_converter(pcm(8000, 1, 32, 4, floats), law);
  const AudioStreamBasicDescription from = stereo16(), to = planar(48000, 2), foreign = {48000, 'ilbc', 0, 50, 240, 0, 1, 0, 0};
  AudioStreamBasicDescription odd = stereo16();
  AudioConverterRef converter;
  const AudioClassDescription codec = {'aenc', 'lpcm', 'appl'};
  odd.mSampleRate = NAN;
  ANSWERS('fmt?', AudioConverterNew(&from, &foreign, &converter)), HOLDS(converter == NULL);
  ANSWERS('fmt?', AudioConverterNew(&foreign, &to, &converter));
  ANSWERS('fmt?', AudioConverterNew(&odd, &to, &converter)), ANSWERS('fmt?', AudioConverterNew(&from, &odd, &converter));
  odd = from, odd.mBytesPerFrame = 3;
  ANSWERS('fmt?', AudioConverterNew(&odd, &to, &converter));
  ANSWERS(-50, AudioConverterNew((const AudioStreamBasicDescription *)nothing, &to, &converter));
  ANSWERS(-50, AudioConverterNew(&from, (const AudioStreamBasicDescription *)nothing, &converter));
  ANSWERS(-50, AudioConverterNew(&from, &to, (AudioConverterRef *)nothing));
  ANSWERS(0, AudioConverterNewSpecific(&from, &to, 1, &codec, &converter));
  ANSWERS(0, AudioConverterDispose(converter));
  ANSWERS('fmt?', AudioConverterNewSpecific(&from, &foreign, 1, &codec, &converter));
  ANSWERS(-50, AudioConverterNewSpecific(&from, &to, 1, &codec, (AudioConverterRef *)nothing));
  ANSWERS(-50, AudioConverterNewSpecific(&from, &to, 1, (const AudioClassDescription *)nothing, &converter));
  UInt32 size = 4, word;
  ANSWERS('prop', AudioFormatGetPropertyInfo('zzzz', 0, NULL, &size));
  ANSWERS('prop', AudioFormatGetProperty('zzzz', 0, NULL, &size, &word));
  ANSWERS(-50, AudioFormatGetPropertyInfo('acof', 0, NULL, (UInt32 *)nothing));
  const UInt32 tag = kAudioChannelLayoutTag_MPEG_5_1_A;
  ANSWERS('!spc', AudioFormatGetPropertyInfo('cmpl', 3, &tag, &size));
  ANSWERS('!spc', AudioFormatGetPropertyInfo('cmpl', 4, NULL, &size));
  say_judged("converters and formats");
}

// MARK: Formats

// Questions about formats and layouts: what their specifiers must be, and what has no answer.
void wrong_format_questions(void) {
  static const struct {
    const char *ids[8];
    UInt32 least;
  } rows[] = {{{"cmpl", "cmpb", "bmtg", "tagc", "cnam", "csnm", "aven", "avde"}, 4}, {{"fnam", "flst", "ofls", "fvbr", "fexf", "cryp"}, 40}, {{"nchm", "vacl", "cmpt", "lonm", "lsnm", "chha"}, 12}, {{"chmp", "mmap", "cheq"}, 16}, {{"fpfl"}, sizeof(AudioFormatListItem)}};
  unsigned char about[256] = {0}, room[4096];
  UInt32 size;
  for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row)
    for (int at = 0; at < 8 && rows[row].ids[at]; ++at) {
      const UInt32 id = four(rows[row].ids[at]);
      char text[64];
      snprintf(text, sizeof text, "%s with %u bytes of %u", rows[row].ids[at], (unsigned)rows[row].least - 1, (unsigned)rows[row].least);
      judge(text, AudioFormatGetPropertyInfo(id, rows[row].least - 1, about, &size), '!spc');
      judge(text, AudioFormatGetPropertyInfo(id, rows[row].least, NULL, &size), '!spc'), judge(text, AudioFormatGetPropertyInfo(id, 0, about, &size), '!spc');
      size = sizeof room;
      judge(text, AudioFormatGetProperty(id, rows[row].least - 1, about, &size, room), '!spc');
    }
  const AudioStreamBasicDescription unknown = {44100, 'none', 0, 0, 0, 0, 2, 0, 0}, foreign = {44100, 'ilbc', 0, 50, 240, 0, 1, 0, 0}, plain = stereo16();
  static const char *const about_formats[] = {"flst", "fvbr", "fexf", "cryp"};
  for (int at = 0; at < 4; ++at) size = sizeof room, judge(about_formats[at], AudioFormatGetProperty(four(about_formats[at]), sizeof unknown, &unknown, &size, room), '!fmt');
  size = sizeof room;
  ANSWERS('!fmt', AudioFormatGetPropertyInfo('aven', 4, "enon", &size)), ANSWERS('fmt?', AudioFormatGetPropertyInfo('flst', sizeof foreign, &foreign, &size));
  ANSWERS(0, AudioFormatGetPropertyInfo('flst', sizeof plain, &plain, &size)), HOLDS(size == sizeof(AudioFormatListItem));
  // The first of a list that can be played.
  AudioFormatListItem items[3] = {{foreign, 0}, {plain, 0}, {plain, 0}};
  UInt32 answer = 9;
  size = 4;
  ANSWERS(0, AudioFormatGetProperty('fpfl', sizeof items, items, &size, &answer)), HOLDS(answer == 1);
  ANSWERS('fmt?', AudioFormatGetProperty('fpfl', sizeof items[0], items, &size, &answer));
  // Layouts that are the same and those that are not; tags without a bitmap, and channels without a tag.
  const AudioChannelLayout first = {.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A}, second = {.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_D};
  const void *same[2] = {&first, &first}, *other[2] = {&first, &second}, *missing[2] = {&first, NULL};
  ANSWERS(0, AudioFormatGetProperty('cheq', sizeof same, same, &size, &answer)), HOLDS(answer == 1);
  ANSWERS(0, AudioFormatGetProperty('cheq', sizeof other, other, &size, &answer)), HOLDS(answer == 0);
  ANSWERS(-50, AudioFormatGetProperty('cheq', sizeof missing, missing, &size, &answer));
  const UInt32 unknown_tag = 0x7FFF0006, discrete = kAudioChannelLayoutTag_DiscreteInOrder | 3, surround = kAudioChannelLayoutTag_MPEG_5_1_A;
  ANSWERS('what', AudioFormatGetPropertyInfo('cmpl', 4, &unknown_tag, &size)), ANSWERS('what', AudioFormatGetPropertyInfo('bmtg', 4, &discrete, &size));
  size = 4;
  // L R C LFE Ls Rs are bits 0 to 5.
  ANSWERS(0, AudioFormatGetProperty('bmtg', 4, &surround, &size, &answer)), HOLDS(answer == 0x3F);
  ANSWERS(0, AudioFormatGetProperty('nchm', sizeof first, &first, &size, &answer)), HOLDS(answer == 6);
  ANSWERS(0, AudioFormatGetProperty('cmpt', sizeof second, &second, &size, &answer)), HOLDS(answer == kAudioChannelLayoutTag_MPEG_5_1_D);
  // Too little room, none, and the size alone.
  size = 3;
  ANSWERS('!siz', AudioFormatGetProperty('nchm', sizeof first, &first, &size, &answer));
  size = 0;
  ANSWERS(0, AudioFormatGetProperty('nchm', sizeof first, &first, &size, NULL)), HOLDS(size == 4);
  ANSWERS(0, AudioFormatGetPropertyInfo('cmpl', 4, &surround, &size)), HOLDS(size == 12 + 6 * 20);
  static const char *const freely[] = {"acof", "acif"};
  for (int at = 0; at < 2; ++at) {
    UInt32 ids[64], with[2] = {0, 0};
    size = sizeof ids;
    judge(freely[at], AudioFormatGetProperty(four(freely[at]), 0, NULL, &size, ids), 0);
    for (UInt32 entry = 0; entry < size / 4; ++entry) with[0] += ids[entry] == 'lpcm', with[1] += ids[entry] == 'ulaw' || ids[entry] == 'alaw';
    HOLDS(with[0] == 1 && with[1] == 2);
  }
  say_judged("questions about formats");
}

// MARK: References

void wrong_references(void) {
  FSRef folder, file, none, other;
  AudioFileID id;
  ExtAudioFileRef extended;
  const AudioStreamBasicDescription format = stereo16();
  memset(&none, 0x55, sizeof none);
  need(FSPathMakeRef((const UInt8 *)temporary("folder"), &folder, NULL), "folder"), need(FSPathMakeRef((const UInt8 *)temporary("plain.wav"), &file, NULL), "file");
  remove(temporary("folder/x.wav"));
  CFStringRef text = text_of("x.wav"), odd = text_of(".."), nobody = text_of("");
  ANSWERS(-50, AudioFileOpen(&none, 1, 0, &id)), ANSWERS(-50, AudioFileOpen((const FSRef *)nothing, 1, 0, &id)), ANSWERS(-50, AudioFileOpen(&file, 1, 0, (AudioFileID *)nothing));
  ANSWERS('prm?', AudioFileOpen(&file, 0, 0, &id));
  ANSWERS('typ?', AudioFileOpen(&folder, 1, 0, &id));
  ANSWERS(-50, ExtAudioFileOpen(&none, &extended)), ANSWERS('typ?', ExtAudioFileOpen(&folder, &extended));
  ANSWERS(-50, AudioFileCreate(&none, text, 'WAVE', &format, 0, &other, &id));
  ANSWERS(-37, AudioFileCreate(&folder, odd, 'WAVE', &format, 0, &other, &id)), ANSWERS(-37, AudioFileCreate(&folder, nobody, 'WAVE', &format, 0, &other, &id));
  ANSWERS('typ?', AudioFileCreate(&folder, text, 'MPG3', &format, 0, &other, &id));
  ANSWERS(-50, ExtAudioFileCreateNew(&none, text, 'WAVE', &format, NULL, &extended));
  ANSWERS(-37, ExtAudioFileCreateNew(&folder, odd, 'WAVE', &format, NULL, &extended));
  const AudioChannelLayout mono = {.mChannelLayoutTag = kAudioChannelLayoutTag_Mono};
  ANSWERS(-66564, ExtAudioFileCreateNew(&folder, text, 'WAVE', &format, &mono, &extended));
  ANSWERS(0, ExtAudioFileCreateNew(&folder, text, 'WAVE', &format, NULL, &extended)), ANSWERS(0, ExtAudioFileDispose(extended));
  ANSWERS('prm?', ExtAudioFileCreateNew(&folder, text, 'WAVE', &format, NULL, &extended));
  ANSWERS('prm?', AudioFileCreate(&folder, text, 'WAVE', &format, 0, &other, &id));
  ANSWERS(0, AudioFileCreate(&folder, text, 'WAVE', &format, kAudioFileFlags_EraseFile, &other, &id)), ANSWERS(0, AudioFileClose(id));
  ANSWERS(-50, AudioFileInitialize(&none, 'WAVE', &format, 0, &id)), ANSWERS('typ?', AudioFileInitialize(&other, 'MPG3', &format, 0, &id));
  ANSWERS(0, AudioFileInitialize(&other, 'WAVE', &format, 0, &id)), ANSWERS(0, AudioFileClose(id));
  ANSWERS(0, FSCompareFSRefs(&other, &other)), ANSWERS(-1420, FSCompareFSRefs(&other, &file)), ANSWERS(-1401, FSCompareFSRefs(&none, &file)), ANSWERS(-1401, FSCompareFSRefs(&file, &none));
  UInt8 path[4096];
  ANSWERS(-1401, FSRefMakePath(&none, path, sizeof path)), ANSWERS(-2110, FSRefMakePath(&file, path, 5)), ANSWERS(0, FSRefMakePath(&file, path, sizeof path));
  ANSWERS(-1401, FSDeleteObject(&none)), ANSWERS(0, FSDeleteObject(&other)), ANSWERS(-43, FSDeleteObject(&other)), ANSWERS(-43, FSCompareFSRefs(&other, &file));
  ANSWERS(-43, AudioFileOpen(&other, 1, 0, &id));
  ANSWERS(-43, FSPathMakeRef((const UInt8 *)temporary("nowhere"), &none, NULL));
  ANSWERS(0, FSDeleteObject(&folder));
  CFRelease(text), CFRelease(odd), CFRelease(nobody);
  say_judged("references to files");
}
