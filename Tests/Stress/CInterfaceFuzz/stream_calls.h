// Calls of file streams, the functions that streams call, and the bytes that they parse. Included by fuzz.c alone.

static void stream_property(void *context, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                            AudioFileStreamPropertyFlags *flags) {
  (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  *flags |= kAudioFileStreamPropertyFlag_CacheProperty;
  UInt32 size = 0;
  AudioFileStreamGetPropertyInfo(stream, id, &size, NULL);
  if (one_in(fuzz, 64)) AudioFileStreamClose(stream);
}
static AudioFileStream_PropertyListenerProc draw_AudioFileStream_PropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : stream_property;
}

static volatile UInt8 last_byte;
static void stream_packets(void *context, UInt32 bytes, UInt32 count, const void *input,
                           AudioStreamPacketDescription *descriptions) {
  (void)context;
  meddle(mine());
  // All that is said to be there can be read, and every packet lies in it.
  for (UInt32 index = 0; index < bytes; index += 509) last_byte = ((const UInt8 *)input)[index];
  for (UInt32 index = 0; descriptions != NULL && index < count; ++index) {
    if ((UInt64)descriptions[index].mStartOffset + descriptions[index].mDataByteSize > bytes) abort();
  }
}
static AudioFileStream_PacketsProc draw_AudioFileStream_PacketsProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : stream_packets;
}

static const Property stream_properties[] = {
    {kAudioFileStreamProperty_ReadyToProducePackets, NUMBER},
    {kAudioFileStreamProperty_FileFormat, NUMBER},
    {kAudioFileStreamProperty_DataFormat, FORMAT},
    {kAudioFileStreamProperty_FormatList, BYTES},
    {kAudioFileStreamProperty_MagicCookieData, BYTES},
    {kAudioFileStreamProperty_AudioDataByteCount, BYTES},
    {kAudioFileStreamProperty_AudioDataPacketCount, BYTES},
    {kAudioFileStreamProperty_MaximumPacketSize, NUMBER},
    {kAudioFileStreamProperty_DataOffset, BYTES},
    {kAudioFileStreamProperty_ChannelLayout, LAYOUT},
    {kAudioFileStreamProperty_PacketToFrame, BYTES},
    {kAudioFileStreamProperty_FrameToPacket, BYTES},
    {kAudioFileStreamProperty_PacketToByte, BYTES},
    {kAudioFileStreamProperty_ByteToPacket, BYTES},
    {kAudioFileStreamProperty_PacketTableInfo, BYTES},
    {kAudioFileStreamProperty_PacketSizeUpperBound, NUMBER},
    {kAudioFileStreamProperty_AverageBytesPerPacket, FLOAT64},
    {kAudioFileStreamProperty_BitRate, NUMBER},
    {kAudioFileStreamProperty_InfoDictionary, DICTIONARY},
    {9999, BYTES},
};
static UInt32 draw_stream_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, stream_properties).id; }
GET_AND_SET(AudioFileStream, stream_properties, stream)

// The beginning of a file of some kind, with fields of any value now and then.
static UInt32 stream_beginning(Fuzz *fuzz, UInt8 *bytes) {
  static const UInt8 wave[] = "RIFF\x24\x10\0\0WAVEfmt \x10\0\0\0\1\0\2\0\x44\xAC\0\0\x10\xB1\2\0\4\0\x10\0data\0\x10\0\0";
  static const UInt8 aiff[] = "FORM\0\0\x10\x2E" "AIFFCOMM\0\0\0\x12\0\2\0\0\4\0\0\x10\x40\x0E\xAC\x44\0\0\0\0\0\0SSND\0\0\x10\x08\0\0\0\0\0\0\0\0";
  static const UInt8 caff[] = "caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xE5\x88\x80\0\0\0\0lpcm\0\0\0\2\0\0\0\4\0\0\0\1\0\0\0\2\0\0\0\x10" "data\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0";
  static const UInt8 frames[][8] = {
      {0xFF, 0xFB, 0x90, 0x00, 0, 0, 0, 0}, {0xFF, 0xF1, 0x50, 0x80, 0x0D, 0xFF, 0xFC, 0},
      {0x0B, 0x77, 0, 0, 0x4C, 0x40, 0x40, 0}, {0x56, 0xE0, 0x60, 0x20, 0, 0x24, 0x20, 0}};
  static const UInt32 lengths[] = {417, 111, 416, 99};
  UInt32 size = 0;
  switch (roll(fuzz, 4)) {
    case 0: memcpy(bytes, wave, size = sizeof wave - 1); break;
    case 1: memcpy(bytes, aiff, size = sizeof aiff - 1); break;
    case 2: memcpy(bytes, caff, size = sizeof caff - 1); break;
    default: {
      UInt32 kind = roll(fuzz, 4);
      for (int frame = 0; frame < 4; ++frame, size += lengths[kind]) {
        memset(bytes + size, (int)roll(fuzz, 128), lengths[kind]);
        memcpy(bytes + size, frames[kind], 8);
      }
    }
  }
  while (one_in(fuzz, 3)) bytes[roll(fuzz, size)] = (UInt8)draw_number(fuzz);
  return size;
}

static void parse_some(Fuzz *fuzz, AudioFileStreamID stream) {
  UInt8 bytes[2048];
  UInt32 size = one_in(fuzz, 2) ? stream_beginning(fuzz, bytes) : roll(fuzz, sizeof bytes);
  if (one_in(fuzz, 4)) size = roll(fuzz, size + 1);
  if (size > sizeof bytes) size = sizeof bytes;
  for (UInt32 index = one_in(fuzz, 2) ? size / 2 : size; index < size; ++index) bytes[index] = (UInt8)roll(fuzz, 256);
  note(fuzz, AudioFileStreamParseBytes(
      stream, size, one_in(fuzz, 32) ? NULL : bytes, one_in(fuzz, 16) ? draw_number(fuzz) : 0));
}

static void call_AudioFileStreamParseBytes(Fuzz *fuzz) { parse_some(fuzz, draw_stream(fuzz)); }

static void build_stream(Fuzz *fuzz) {
  AudioFileStreamID stream = NULL;
  AudioFileStreamOpen(NULL, stream_property, stream_packets, one_in(fuzz, 2) ? 0 : draw_file_type(fuzz), &stream);
  if (stream == NULL) return;
  UInt8 bytes[2048];
  UInt32 size = stream_beginning(fuzz, bytes);
  for (UInt32 done = 0, piece; done < size; done += piece) {
    piece = 1 + roll(fuzz, 200);
    if (piece > size - done) piece = size - done;
    AudioFileStreamParseBytes(stream, piece, bytes + done, 0);
  }
  keep(fuzz, STREAM, (uintptr_t)stream);
}
