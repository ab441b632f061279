// Objects that programs build, for random calls to use: random calls alone seldom make anything that plays. Included by
// fuzz.c alone.

static OSStatus set_format(AudioUnit unit, UInt32 scope, UInt32 bus, double rate, UInt32 channels) {
  AudioStreamBasicDescription format = {
      rate, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
      4,    1, 4, channels, 32, 0};
  return AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, sizeof format);
}

static AudioUnit a_unit(Fuzz *fuzz, UInt32 type, UInt32 subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit);
  keep(fuzz, UNIT, (uintptr_t)unit);
  return unit;
}

// A unit that a callback feeds, at the output's rate or at another.
static void build_unit(Fuzz *fuzz) {
  static const UInt32 types[][2] = {
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput}, {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer},
      {kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ},       {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
      {kAudioUnitType_Output, kAudioUnitSubType_HALOutput}};
  const UInt32 *type = types[roll(fuzz, 5)];
  AudioUnit unit = a_unit(fuzz, type[0], type[1]);
  double rate = one_in(fuzz, 2) ? 48000 : 44100;
  set_format(unit, kAudioUnitScope_Input, 0, rate, 1 + roll(fuzz, 2));
  set_format(unit, kAudioUnitScope_Output, 0, type[0] == kAudioUnitType_Effect ? rate : 44100, 2);
  AURenderCallbackStruct callback = {render, NULL};
  for (UInt32 bus = 0; bus < 3; ++bus) {
    AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback, sizeof callback);
  }
  AudioUnitInitialize(unit);
}

// Two units, one of which pulls the other.
static void build_chain(Fuzz *fuzz) {
  AudioUnit source = a_unit(fuzz, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  AudioUnit head = a_unit(fuzz, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  AudioUnitConnection connection = {source, 0, 0};
  AudioUnitSetProperty(head, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection);
  AURenderCallbackStruct callback = {render, NULL};
  AudioUnitSetProperty(source, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback);
  AudioUnitInitialize(source);
  AudioUnitInitialize(head);
}

static void build_graph(Fuzz *fuzz) {
  static const UInt32 types[][2] = {
      {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer}, {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ},
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput}};
  AUGraph graph = NULL;
  NewAUGraph(&graph);
  AUNode nodes[3] = {0};
  for (int index = 0; index < 3; ++index) {
    AudioComponentDescription description = {types[index][0], types[index][1], kAudioUnitManufacturer_Apple, 0, 0};
    AUGraphAddNode(graph, &description, &nodes[index]);
  }
  AUGraphConnectNodeInput(graph, nodes[0], 0, nodes[1], 0);
  AUGraphConnectNodeInput(graph, nodes[1], 0, nodes[2], 0);
  AURenderCallbackStruct callback = {render, NULL};
  AUGraphSetNodeInputCallback(graph, nodes[0], roll(fuzz, 3), &callback);
  AUGraphOpen(graph);
  for (int index = 0; index < 3; ++index) {
    AudioUnit unit = NULL;
    AUGraphNodeInfo(graph, nodes[index], NULL, &unit);
    keep(fuzz, UNIT, (uintptr_t)unit);
  }
  AUGraphInitialize(graph);
  keep(fuzz, GRAPH, (uintptr_t)graph);
}

static void build_converter(Fuzz *fuzz) {
  AudioStreamBasicDescription from = a_format(fuzz), to = a_format(fuzz);
  AudioConverterRef converter = NULL;
  AudioConverterNew(&from, &to, &converter);
  keep(fuzz, CONVERTER, (uintptr_t)converter);
}

// An extended file that reads or writes, in a format of the client's.
static void build_file(Fuzz *fuzz) {
  const FuzzObjects *objects = fuzz->objects;
  ExtAudioFileRef file = NULL;
  AudioStreamBasicDescription client = {
      one_in(fuzz, 2) ? 48000 : 44100, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 8, 1, 8, 2, 32, 0};
  if (one_in(fuzz, 2)) {
    ExtAudioFileOpenURL((CFURLRef)objects->urls[0], &file);
  } else {
    AudioStreamBasicDescription format = {
        44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
    ExtAudioFileCreateWithURL(
        (CFURLRef)objects->urls[objects->urlCount - 1 - roll(fuzz, 4)], kAudioFileWAVEType, &format, NULL,
        kAudioFileFlags_EraseFile, &file);
  }
  ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client);
  keep(fuzz, EXTENDED, (uintptr_t)file);
}

static void build_any(Fuzz *fuzz) {
  static void (*const builders[])(Fuzz *) = {build_unit, build_unit, build_chain, build_graph, build_converter, build_file, build_queue,
                                            build_stream};
  ONE_OF(fuzz, builders)(fuzz);
}
