// Calls of units and graphs whose arguments belong together. Included by fuzz.c alone.

static void call_AudioUnitSetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, unit_properties);
  char *memory = chunk(fuzz);
  UInt32 size = bent(fuzz, fill(fuzz, property->value, memory));
  note(fuzz, AudioUnitSetProperty(
      draw_unit(fuzz), property->id, draw_scope(fuzz), draw_element(fuzz), one_in(fuzz, 32) ? NULL : memory, size));
}

static void call_AudioUnitGetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, unit_properties);
  char *memory = chunk(fuzz);
  UInt32 whole = fill(fuzz, property->value, memory);
  if (property->value == STRING || property->value == PRESET || property->value == DICTIONARY) memset(memory, 0, 64);
  UInt32 size = property->value >= CONNECTION ? whole : draw_size(fuzz);
  OSStatus status = AudioUnitGetProperty(
      draw_unit(fuzz), property->id, draw_scope(fuzz), draw_element(fuzz), one_in(fuzz, 32) ? NULL : memory,
      one_in(fuzz, 32) ? NULL : &size);
  note(fuzz, status);
  if (status == noErr) release_out(fuzz, property->value, memory);
}

static void call_AudioUnitProcessMultiple(Fuzz *fuzz) {
  const AudioBufferList *inputs[8];
  AudioBufferList *outputs[8];
  for (int index = 0; index < 8; ++index) {
    inputs[index] = draw_buffers(fuzz);
    outputs[index] = draw_buffers(fuzz);
  }
  AudioUnitRenderActionFlags flags = 0;
  note(fuzz, AudioUnitProcessMultiple(
      draw_unit(fuzz), one_in(fuzz, 4) ? NULL : &flags, draw_time(fuzz), draw_frames(fuzz), roll(fuzz, 9), inputs,
      roll(fuzz, 9), outputs));
}

static void call_AUGraphNewNode(Fuzz *fuzz) {
  // A property list, which need not be that of a unit.
  const void *state = draw_string(fuzz);
  note(fuzz, AUGraphNewNode(
      draw_graph(fuzz), draw_description(fuzz), one_in(fuzz, 4) ? 8 * roll(fuzz, 2) : 0, one_in(fuzz, 4) ? NULL : &state,
      draw_memory(fuzz)));
}

static void call_AUGraphGetNodeInfo(Fuzz *fuzz) {
  void *state = NULL;
  AudioUnit unit = NULL;
  note(fuzz, AUGraphGetNodeInfo(
      draw_graph(fuzz), draw_node(fuzz), draw_description(fuzz), draw_memory(fuzz), one_in(fuzz, 4) ? NULL : &state,
      one_in(fuzz, 4) ? NULL : &unit));
  if (state != NULL) fuzz->objects->release(state);
  keep(fuzz, UNIT, (uintptr_t)unit);
}

// Buffers that a unit's output takes, as a rule.
static AudioBufferList *buffers_of_unit(Fuzz *fuzz, AudioUnit unit, UInt32 bus) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (one_in(fuzz, 8) || AudioUnitGetProperty(
                             unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus, &format, &size) != noErr) {
    return draw_buffers(fuzz);
  }
  return buffers_of(fuzz, &format);
}

static void call_AudioUnitRender(Fuzz *fuzz) {
  AudioUnit unit = draw_unit(fuzz);
  UInt32 bus = one_in(fuzz, 6) ? draw_element(fuzz) : 0;
  AudioUnitRenderActionFlags flags = one_in(fuzz, 12) ? draw_number(fuzz) : 0;
  note(fuzz, AudioUnitRender(
      unit, one_in(fuzz, 8) ? NULL : &flags, draw_time(fuzz), bus, draw_frames(fuzz), buffers_of_unit(fuzz, unit, bus)));
}

static void call_AudioUnitProcess(Fuzz *fuzz) {
  AudioUnit unit = draw_unit(fuzz);
  AudioUnitRenderActionFlags flags = 0;
  note(fuzz, AudioUnitProcess(
      unit, one_in(fuzz, 8) ? NULL : &flags, draw_time(fuzz), draw_frames(fuzz), buffers_of_unit(fuzz, unit, 0)));
}
