// Made by Scripts/make-function-client from the headers.
// Included by fuzz.c, which draws the arguments.

static void call_AudioUnitInitialize(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  note(fuzz, AudioUnitInitialize(a0));
}

static void call_AudioUnitUninitialize(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  note(fuzz, AudioUnitUninitialize(a0));
}

static void call_AudioUnitGetPropertyInfo(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitPropertyID a1 = (AudioUnitPropertyID)draw_property_id(fuzz);
  AudioUnitScope a2 = (AudioUnitScope)draw_scope(fuzz);
  AudioUnitElement a3 = (AudioUnitElement)draw_element(fuzz);
  UInt32 * a4 = (UInt32 *)draw_memory(fuzz);
  Boolean * a5 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioUnitGetPropertyInfo(a0, a1, a2, a3, a4, a5));
}

static void call_AudioUnitAddPropertyListener(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitPropertyID a1 = (AudioUnitPropertyID)draw_property_id(fuzz);
  AudioUnitPropertyListenerProc a2 = (AudioUnitPropertyListenerProc)draw_AudioUnitPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioUnitAddPropertyListener(a0, a1, a2, a3));
}

static void call_AudioUnitRemovePropertyListenerWithUserData(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitPropertyID a1 = (AudioUnitPropertyID)draw_property_id(fuzz);
  AudioUnitPropertyListenerProc a2 = (AudioUnitPropertyListenerProc)draw_AudioUnitPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioUnitRemovePropertyListenerWithUserData(a0, a1, a2, a3));
}

static void call_AudioUnitRemovePropertyListener(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitPropertyID a1 = (AudioUnitPropertyID)draw_property_id(fuzz);
  AudioUnitPropertyListenerProc a2 = (AudioUnitPropertyListenerProc)draw_AudioUnitPropertyListenerProc(fuzz);
  note(fuzz, AudioUnitRemovePropertyListener(a0, a1, a2));
}

static void call_AudioUnitAddRenderNotify(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AURenderCallback a1 = (AURenderCallback)draw_AURenderCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioUnitAddRenderNotify(a0, a1, a2));
}

static void call_AudioUnitRemoveRenderNotify(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AURenderCallback a1 = (AURenderCallback)draw_AURenderCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioUnitRemoveRenderNotify(a0, a1, a2));
}

static void call_AudioUnitGetParameter(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitParameterID a1 = (AudioUnitParameterID)draw_parameter_id(fuzz);
  AudioUnitScope a2 = (AudioUnitScope)draw_scope(fuzz);
  AudioUnitElement a3 = (AudioUnitElement)draw_element(fuzz);
  AudioUnitParameterValue * a4 = (AudioUnitParameterValue *)draw_memory(fuzz);
  note(fuzz, AudioUnitGetParameter(a0, a1, a2, a3, a4));
}

static void call_AudioUnitSetParameter(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitParameterID a1 = (AudioUnitParameterID)draw_parameter_id(fuzz);
  AudioUnitScope a2 = (AudioUnitScope)draw_scope(fuzz);
  AudioUnitElement a3 = (AudioUnitElement)draw_element(fuzz);
  AudioUnitParameterValue a4 = (AudioUnitParameterValue)draw_value(fuzz);
  UInt32 a5 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioUnitSetParameter(a0, a1, a2, a3, a4, a5));
}

static void call_AudioUnitScheduleParameters(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  const AudioUnitParameterEvent * a1 = (const AudioUnitParameterEvent *)draw_events(fuzz);
  UInt32 a2 = (UInt32)draw_count(fuzz);
  note(fuzz, AudioUnitScheduleParameters(a0, a1, a2));
}

static void call_AudioUnitReset(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  AudioUnitScope a1 = (AudioUnitScope)draw_scope(fuzz);
  AudioUnitElement a2 = (AudioUnitElement)draw_element(fuzz);
  note(fuzz, AudioUnitReset(a0, a1, a2));
}

static void call_NewAUGraph(Fuzz *fuzz) {
  AUGraph * a0 = (AUGraph *)draw_out_graph(fuzz);
  note(fuzz, NewAUGraph(a0));
  keep_graph(fuzz, a0);
}

static void call_DisposeAUGraph(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, DisposeAUGraph(a0));
  fuzz->disposals++;
}

static void call_AUGraphAddNode(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  const AudioComponentDescription * a1 = (const AudioComponentDescription *)draw_description(fuzz);
  AUNode * a2 = (AUNode *)draw_memory(fuzz);
  note(fuzz, AUGraphAddNode(a0, a1, a2));
}

static void call_AUGraphRemoveNode(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  note(fuzz, AUGraphRemoveNode(a0, a1));
}

static void call_AUGraphGetNodeCount(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 * a1 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetNodeCount(a0, a1));
}

static void call_AUGraphGetIndNode(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  AUNode * a2 = (AUNode *)draw_memory(fuzz);
  note(fuzz, AUGraphGetIndNode(a0, a1, a2));
}

static void call_AUGraphNodeInfo(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  AudioComponentDescription * a2 = (AudioComponentDescription *)draw_description(fuzz);
  AudioUnit * a3 = (AudioUnit *)draw_out_unit(fuzz);
  note(fuzz, AUGraphNodeInfo(a0, a1, a2, a3));
  keep_unit(fuzz, a3);
}

static void call_AUGraphNewNodeSubGraph(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode * a1 = (AUNode *)draw_memory(fuzz);
  note(fuzz, AUGraphNewNodeSubGraph(a0, a1));
}

static void call_AUGraphGetNodeInfoSubGraph(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  AUGraph * a2 = (AUGraph *)draw_out_graph(fuzz);
  note(fuzz, AUGraphGetNodeInfoSubGraph(a0, a1, a2));
  keep_graph(fuzz, a2);
}

static void call_AUGraphIsNodeSubGraph(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  Boolean * a2 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AUGraphIsNodeSubGraph(a0, a1, a2));
}

static void call_AUGraphConnectNodeInput(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  AUNode a3 = (AUNode)draw_node(fuzz);
  UInt32 a4 = (UInt32)draw_number(fuzz);
  note(fuzz, AUGraphConnectNodeInput(a0, a1, a2, a3, a4));
}

static void call_AUGraphSetNodeInputCallback(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  const AURenderCallbackStruct * a3 = (const AURenderCallbackStruct *)draw_callback(fuzz);
  note(fuzz, AUGraphSetNodeInputCallback(a0, a1, a2, a3));
}

static void call_AUGraphDisconnectNodeInput(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  note(fuzz, AUGraphDisconnectNodeInput(a0, a1, a2));
}

static void call_AUGraphClearConnections(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphClearConnections(a0));
}

static void call_AUGraphGetNumberOfInteractions(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 * a1 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetNumberOfInteractions(a0, a1));
}

static void call_AUGraphGetInteractionInfo(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  AUNodeInteraction * a2 = (AUNodeInteraction *)draw_memory(fuzz);
  note(fuzz, AUGraphGetInteractionInfo(a0, a1, a2));
}

static void call_AUGraphCountNodeInteractions(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphCountNodeInteractions(a0, a1, a2));
}

static void call_AUGraphGetNodeInteractions(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 * a2 = (UInt32 *)draw_io_size(fuzz);
  AUNodeInteraction * a3 = (AUNodeInteraction *)draw_memory(fuzz);
  note(fuzz, AUGraphGetNodeInteractions(a0, a1, a2, a3));
}

static void call_AUGraphUpdate(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Boolean * a1 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AUGraphUpdate(a0, a1));
}

static void call_AUGraphOpen(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphOpen(a0));
}

static void call_AUGraphClose(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphClose(a0));
}

static void call_AUGraphInitialize(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphInitialize(a0));
}

static void call_AUGraphUninitialize(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphUninitialize(a0));
}

static void call_AUGraphStart(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphStart(a0));
}

static void call_AUGraphStop(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  note(fuzz, AUGraphStop(a0));
}

static void call_AUGraphIsOpen(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Boolean * a1 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AUGraphIsOpen(a0, a1));
}

static void call_AUGraphIsInitialized(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Boolean * a1 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AUGraphIsInitialized(a0, a1));
}

static void call_AUGraphIsRunning(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Boolean * a1 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AUGraphIsRunning(a0, a1));
}

static void call_AUGraphGetCPULoad(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Float32 * a1 = (Float32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetCPULoad(a0, a1));
}

static void call_AUGraphGetMaxCPULoad(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  Float32 * a1 = (Float32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetMaxCPULoad(a0, a1));
}

static void call_AUGraphAddRenderNotify(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AURenderCallback a1 = (AURenderCallback)draw_AURenderCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AUGraphAddRenderNotify(a0, a1, a2));
}

static void call_AUGraphRemoveRenderNotify(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AURenderCallback a1 = (AURenderCallback)draw_AURenderCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AUGraphRemoveRenderNotify(a0, a1, a2));
}

static void call_AUGraphGetNumberOfConnections(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 * a1 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetNumberOfConnections(a0, a1));
}

static void call_AUGraphGetConnectionInfo(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  AUNode * a2 = (AUNode *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_memory(fuzz);
  AUNode * a4 = (AUNode *)draw_memory(fuzz);
  UInt32 * a5 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphGetConnectionInfo(a0, a1, a2, a3, a4, a5));
}

static void call_AUGraphCountNodeConnections(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AUGraphCountNodeConnections(a0, a1, a2));
}

static void call_AUGraphGetNodeConnections(Fuzz *fuzz) {
  AUGraph a0 = (AUGraph)draw_graph(fuzz);
  AUNode a1 = (AUNode)draw_node(fuzz);
  AudioUnitNodeConnection * a2 = (AudioUnitNodeConnection *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  note(fuzz, AUGraphGetNodeConnections(a0, a1, a2, a3));
}

static void call_AudioComponentFindNext(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  const AudioComponentDescription * a1 = (const AudioComponentDescription *)draw_description(fuzz);
  (void)AudioComponentFindNext(a0, a1);
}

static void call_AudioComponentCount(Fuzz *fuzz) {
  const AudioComponentDescription * a0 = (const AudioComponentDescription *)draw_description(fuzz);
  (void)AudioComponentCount(a0);
}

static void call_AudioComponentCopyName(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  CFStringRef * a1 = (CFStringRef *)draw_out_object(fuzz);
  note(fuzz, AudioComponentCopyName(a0, a1));
  keep_object(fuzz, a1);
}

static void call_AudioComponentGetDescription(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  AudioComponentDescription * a1 = (AudioComponentDescription *)draw_description(fuzz);
  note(fuzz, AudioComponentGetDescription(a0, a1));
}

static void call_AudioComponentGetVersion(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  UInt32 * a1 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioComponentGetVersion(a0, a1));
}

static void call_AudioComponentInstanceNew(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  AudioComponentInstance * a1 = (AudioComponentInstance *)draw_out_unit(fuzz);
  note(fuzz, AudioComponentInstanceNew(a0, a1));
  keep_unit(fuzz, a1);
}

static void call_AudioComponentInstanceDispose(Fuzz *fuzz) {
  AudioComponentInstance a0 = (AudioComponentInstance)draw_unit(fuzz);
  note(fuzz, AudioComponentInstanceDispose(a0));
  fuzz->disposals++;
}

static void call_AudioComponentInstanceGetComponent(Fuzz *fuzz) {
  AudioComponentInstance a0 = (AudioComponentInstance)draw_unit(fuzz);
  (void)AudioComponentInstanceGetComponent(a0);
}

static void call_AudioComponentInstanceCanDo(Fuzz *fuzz) {
  AudioComponentInstance a0 = (AudioComponentInstance)draw_unit(fuzz);
  SInt16 a1 = (SInt16)draw_number(fuzz);
  (void)AudioComponentInstanceCanDo(a0, a1);
}

static void call_AudioComponentCopyConfigurationInfo(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  CFDictionaryRef * a1 = (CFDictionaryRef *)draw_out_object(fuzz);
  note(fuzz, AudioComponentCopyConfigurationInfo(a0, a1));
  keep_object(fuzz, a1);
}

static void call_AudioComponentValidate(Fuzz *fuzz) {
  AudioComponent a0 = (AudioComponent)draw_component(fuzz);
  CFDictionaryRef a1 = (CFDictionaryRef)draw_dictionary(fuzz);
  AudioComponentValidationResult * a2 = (AudioComponentValidationResult *)draw_memory(fuzz);
  note(fuzz, AudioComponentValidate(a0, a1, a2));
}

static void call_AudioConverterNew(Fuzz *fuzz) {
  const AudioStreamBasicDescription * a0 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioStreamBasicDescription * a1 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioConverterRef * a2 = (AudioConverterRef *)draw_out_converter(fuzz);
  note(fuzz, AudioConverterNew(a0, a1, a2));
  keep_converter(fuzz, a2);
}

static void call_AudioConverterNewSpecific(Fuzz *fuzz) {
  const AudioStreamBasicDescription * a0 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioStreamBasicDescription * a1 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  UInt32 a2 = (UInt32)draw_count(fuzz);
  const AudioClassDescription * a3 = (const AudioClassDescription *)draw_memory(fuzz);
  AudioConverterRef * a4 = (AudioConverterRef *)draw_out_converter(fuzz);
  note(fuzz, AudioConverterNewSpecific(a0, a1, a2, a3, a4));
  keep_converter(fuzz, a4);
}

static void call_AudioConverterNewWithOptions(Fuzz *fuzz) {
  const AudioStreamBasicDescription * a0 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioStreamBasicDescription * a1 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioConverterOptions a2 = (AudioConverterOptions)draw_number(fuzz);
  AudioConverterRef * a3 = (AudioConverterRef *)draw_out_converter(fuzz);
  note(fuzz, AudioConverterNewWithOptions(a0, a1, a2, a3));
  keep_converter(fuzz, a3);
}

static void call_AudioConverterDispose(Fuzz *fuzz) {
  AudioConverterRef a0 = (AudioConverterRef)draw_converter(fuzz);
  note(fuzz, AudioConverterDispose(a0));
  fuzz->disposals++;
}

static void call_AudioConverterReset(Fuzz *fuzz) {
  AudioConverterRef a0 = (AudioConverterRef)draw_converter(fuzz);
  note(fuzz, AudioConverterReset(a0));
}

static void call_AudioConverterGetPropertyInfo(Fuzz *fuzz) {
  AudioConverterRef a0 = (AudioConverterRef)draw_converter(fuzz);
  AudioConverterPropertyID a1 = (AudioConverterPropertyID)draw_converter_property_id(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  Boolean * a3 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioConverterGetPropertyInfo(a0, a1, a2, a3));
}

static void call_AudioConverterFillBuffer(Fuzz *fuzz) {
  AudioConverterRef a0 = (AudioConverterRef)draw_converter(fuzz);
  AudioConverterInputDataProc a1 = (AudioConverterInputDataProc)draw_AudioConverterInputDataProc(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  void * a4 = (void *)draw_memory(fuzz);
  note(fuzz, AudioConverterFillBuffer(a0, a1, a2, a3, a4));
}

static void call_AudioConverterConvertBuffer(Fuzz *fuzz) {
  AudioConverterRef a0 = (AudioConverterRef)draw_converter(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  const void * a2 = (const void *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  void * a4 = (void *)draw_memory(fuzz);
  note(fuzz, AudioConverterConvertBuffer(a0, a1, a2, a3, a4));
}

static void call_AudioFileCreateWithURL(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  AudioFileTypeID a1 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a2 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioFileFlags a3 = (AudioFileFlags)draw_number(fuzz);
  AudioFileID * a4 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileCreateWithURL(a0, a1, a2, a3, a4));
  keep_file(fuzz, a4);
}

static void call_AudioFileOpenURL(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  AudioFilePermissions a1 = (AudioFilePermissions)draw_permissions(fuzz);
  AudioFileTypeID a2 = (AudioFileTypeID)draw_file_type(fuzz);
  AudioFileID * a3 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileOpenURL(a0, a1, a2, a3));
  keep_file(fuzz, a3);
}

static void call_AudioFileOpen(Fuzz *fuzz) {
  const struct FSRef * a0 = (const struct FSRef *)draw_file_reference(fuzz);
  SInt8 a1 = (SInt8)draw_number(fuzz);
  AudioFileTypeID a2 = (AudioFileTypeID)draw_file_type(fuzz);
  AudioFileID * a3 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileOpen(a0, a1, a2, a3));
  keep_file(fuzz, a3);
}

static void call_AudioFileCreate(Fuzz *fuzz) {
  const struct FSRef * a0 = (const struct FSRef *)draw_file_reference(fuzz);
  CFStringRef a1 = (CFStringRef)draw_string(fuzz);
  AudioFileTypeID a2 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a3 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioFileFlags a4 = (AudioFileFlags)draw_number(fuzz);
  struct FSRef * a5 = (struct FSRef *)draw_memory(fuzz);
  AudioFileID * a6 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileCreate(a0, a1, a2, a3, a4, a5, a6));
  keep_file(fuzz, a6);
}

static void call_AudioFileInitialize(Fuzz *fuzz) {
  const struct FSRef * a0 = (const struct FSRef *)draw_file_reference(fuzz);
  AudioFileTypeID a1 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a2 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioFileFlags a3 = (AudioFileFlags)draw_number(fuzz);
  AudioFileID * a4 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileInitialize(a0, a1, a2, a3, a4));
  keep_file(fuzz, a4);
}

static void call_AudioFileInitializeWithCallbacks(Fuzz *fuzz) {
  void * a0 = (void *)draw_context(fuzz);
  AudioFile_ReadProc a1 = (AudioFile_ReadProc)draw_AudioFile_ReadProc(fuzz);
  AudioFile_WriteProc a2 = (AudioFile_WriteProc)draw_AudioFile_WriteProc(fuzz);
  AudioFile_GetSizeProc a3 = (AudioFile_GetSizeProc)draw_AudioFile_GetSizeProc(fuzz);
  AudioFile_SetSizeProc a4 = (AudioFile_SetSizeProc)draw_AudioFile_SetSizeProc(fuzz);
  AudioFileTypeID a5 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a6 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioFileFlags a7 = (AudioFileFlags)draw_number(fuzz);
  AudioFileID * a8 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileInitializeWithCallbacks(a0, a1, a2, a3, a4, a5, a6, a7, a8));
  keep_file(fuzz, a8);
}

static void call_AudioFileOpenWithCallbacks(Fuzz *fuzz) {
  void * a0 = (void *)draw_context(fuzz);
  AudioFile_ReadProc a1 = (AudioFile_ReadProc)draw_AudioFile_ReadProc(fuzz);
  AudioFile_WriteProc a2 = (AudioFile_WriteProc)draw_AudioFile_WriteProc(fuzz);
  AudioFile_GetSizeProc a3 = (AudioFile_GetSizeProc)draw_AudioFile_GetSizeProc(fuzz);
  AudioFile_SetSizeProc a4 = (AudioFile_SetSizeProc)draw_AudioFile_SetSizeProc(fuzz);
  AudioFileTypeID a5 = (AudioFileTypeID)draw_file_type(fuzz);
  AudioFileID * a6 = (AudioFileID *)draw_out_file(fuzz);
  note(fuzz, AudioFileOpenWithCallbacks(a0, a1, a2, a3, a4, a5, a6));
  keep_file(fuzz, a6);
}

static void call_AudioFileClose(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  note(fuzz, AudioFileClose(a0));
  fuzz->disposals++;
}

static void call_AudioFileOptimize(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  note(fuzz, AudioFileOptimize(a0));
}

static void call_AudioFileReadBytes(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  SInt64 a2 = (SInt64)draw_position(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  void * a4 = (void *)draw_memory(fuzz);
  note(fuzz, AudioFileReadBytes(a0, a1, a2, a3, a4));
}

static void call_AudioFileWriteBytes(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  SInt64 a2 = (SInt64)draw_position(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  const void * a4 = (const void *)draw_memory(fuzz);
  note(fuzz, AudioFileWriteBytes(a0, a1, a2, a3, a4));
}

static void call_AudioFileReadPacketData(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  UInt32 * a2 = (UInt32 *)draw_io_size(fuzz);
  AudioStreamPacketDescription * a3 = (AudioStreamPacketDescription *)draw_memory(fuzz);
  SInt64 a4 = (SInt64)draw_position(fuzz);
  UInt32 * a5 = (UInt32 *)draw_packets(fuzz);
  void * a6 = (void *)draw_memory(fuzz);
  note(fuzz, AudioFileReadPacketData(a0, a1, a2, a3, a4, a5, a6));
}

static void call_AudioFileReadPackets(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  AudioStreamPacketDescription * a3 = (AudioStreamPacketDescription *)draw_memory(fuzz);
  SInt64 a4 = (SInt64)draw_position(fuzz);
  UInt32 * a5 = (UInt32 *)draw_packets(fuzz);
  void * a6 = (void *)draw_memory(fuzz);
  note(fuzz, AudioFileReadPackets(a0, a1, a2, a3, a4, a5, a6));
}

static void call_AudioFileWritePackets(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  const AudioStreamPacketDescription * a3 = (const AudioStreamPacketDescription *)draw_memory(fuzz);
  SInt64 a4 = (SInt64)draw_position(fuzz);
  UInt32 * a5 = (UInt32 *)draw_packets(fuzz);
  const void * a6 = (const void *)draw_memory(fuzz);
  note(fuzz, AudioFileWritePackets(a0, a1, a2, a3, a4, a5, a6));
}

static void call_AudioFileCountUserData(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioFileCountUserData(a0, a1, a2));
}

static void call_AudioFileGetUserDataSize(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  UInt32 * a3 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioFileGetUserDataSize(a0, a1, a2, a3));
}

static void call_AudioFileGetUserDataSize64(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  UInt64 * a3 = (UInt64 *)draw_memory(fuzz);
  note(fuzz, AudioFileGetUserDataSize64(a0, a1, a2, a3));
}

static void call_AudioFileGetUserData(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  void * a4 = (void *)draw_memory(fuzz);
  note(fuzz, AudioFileGetUserData(a0, a1, a2, a3, a4));
}

static void call_AudioFileGetUserDataAtOffset(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  SInt64 a3 = (SInt64)draw_position(fuzz);
  UInt32 * a4 = (UInt32 *)draw_io_size(fuzz);
  void * a5 = (void *)draw_memory(fuzz);
  note(fuzz, AudioFileGetUserDataAtOffset(a0, a1, a2, a3, a4, a5));
}

static void call_AudioFileSetUserData(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  UInt32 a3 = (UInt32)draw_size(fuzz);
  const void * a4 = (const void *)draw_memory(fuzz);
  note(fuzz, AudioFileSetUserData(a0, a1, a2, a3, a4));
}

static void call_AudioFileRemoveUserData(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioFileRemoveUserData(a0, a1, a2));
}

static void call_AudioFileGetPropertyInfo(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  AudioFilePropertyID a1 = (AudioFilePropertyID)draw_file_property_id(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioFileGetPropertyInfo(a0, a1, a2, a3));
}

static void call_AudioFileStreamOpen(Fuzz *fuzz) {
  void * a0 = (void *)draw_context(fuzz);
  AudioFileStream_PropertyListenerProc a1 = (AudioFileStream_PropertyListenerProc)draw_AudioFileStream_PropertyListenerProc(fuzz);
  AudioFileStream_PacketsProc a2 = (AudioFileStream_PacketsProc)draw_AudioFileStream_PacketsProc(fuzz);
  AudioFileTypeID a3 = (AudioFileTypeID)draw_file_type(fuzz);
  AudioFileStreamID * a4 = (AudioFileStreamID *)draw_out_stream(fuzz);
  note(fuzz, AudioFileStreamOpen(a0, a1, a2, a3, a4));
  keep_stream(fuzz, a4);
}

static void call_AudioFileStreamClose(Fuzz *fuzz) {
  AudioFileStreamID a0 = (AudioFileStreamID)draw_stream(fuzz);
  note(fuzz, AudioFileStreamClose(a0));
  fuzz->disposals++;
}

static void call_AudioFileStreamSeek(Fuzz *fuzz) {
  AudioFileStreamID a0 = (AudioFileStreamID)draw_stream(fuzz);
  SInt64 a1 = (SInt64)draw_position(fuzz);
  SInt64 * a2 = (SInt64 *)draw_memory(fuzz);
  AudioFileStreamSeekFlags * a3 = (AudioFileStreamSeekFlags *)draw_memory(fuzz);
  note(fuzz, AudioFileStreamSeek(a0, a1, a2, a3));
}

static void call_AudioFileStreamGetPropertyInfo(Fuzz *fuzz) {
  AudioFileStreamID a0 = (AudioFileStreamID)draw_stream(fuzz);
  AudioFileStreamPropertyID a1 = (AudioFileStreamPropertyID)draw_stream_property_id(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  Boolean * a3 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioFileStreamGetPropertyInfo(a0, a1, a2, a3));
}

static void call_AudioHardwareServiceHasProperty(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  (void)AudioHardwareServiceHasProperty(a0, a1);
}

static void call_AudioHardwareServiceIsPropertySettable(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  Boolean * a2 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioHardwareServiceIsPropertySettable(a0, a1, a2));
}

static void call_AudioHardwareServiceGetPropertyDataSize(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  const void * a3 = (const void *)draw_memory(fuzz);
  UInt32 * a4 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioHardwareServiceGetPropertyDataSize(a0, a1, a2, a3, a4));
}

static void call_AudioHardwareServiceSetPropertyData(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  const void * a3 = (const void *)draw_memory(fuzz);
  UInt32 a4 = (UInt32)draw_size(fuzz);
  const void * a5 = (const void *)draw_memory(fuzz);
  note(fuzz, AudioHardwareServiceSetPropertyData(a0, a1, a2, a3, a4, a5));
}

static void call_AudioHardwareServiceAddPropertyListener(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  AudioObjectPropertyListenerProc a2 = (AudioObjectPropertyListenerProc)draw_AudioObjectPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioHardwareServiceAddPropertyListener(a0, a1, a2, a3));
}

static void call_AudioHardwareServiceRemovePropertyListener(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  AudioObjectPropertyListenerProc a2 = (AudioObjectPropertyListenerProc)draw_AudioObjectPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioHardwareServiceRemovePropertyListener(a0, a1, a2, a3));
}

static void call_AudioOutputUnitStart(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  note(fuzz, AudioOutputUnitStart(a0));
}

static void call_AudioOutputUnitStop(Fuzz *fuzz) {
  AudioUnit a0 = (AudioUnit)draw_unit(fuzz);
  note(fuzz, AudioOutputUnitStop(a0));
}

static void call_AudioQueueNewOutput(Fuzz *fuzz) {
  const AudioStreamBasicDescription * a0 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioQueueOutputCallback a1 = (AudioQueueOutputCallback)draw_AudioQueueOutputCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  CFRunLoopRef a3 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a4 = (CFStringRef)draw_string(fuzz);
  UInt32 a5 = (UInt32)draw_number(fuzz);
  AudioQueueRef * a6 = (AudioQueueRef *)draw_out_queue(fuzz);
  note(fuzz, AudioQueueNewOutput(a0, a1, a2, a3, a4, a5, a6));
  keep_queue(fuzz, a6);
}

static void call_AudioQueueNewInput(Fuzz *fuzz) {
  const AudioStreamBasicDescription * a0 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  AudioQueueInputCallback a1 = (AudioQueueInputCallback)draw_AudioQueueInputCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  CFRunLoopRef a3 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a4 = (CFStringRef)draw_string(fuzz);
  UInt32 a5 = (UInt32)draw_number(fuzz);
  AudioQueueRef * a6 = (AudioQueueRef *)draw_out_queue(fuzz);
  note(fuzz, AudioQueueNewInput(a0, a1, a2, a3, a4, a5, a6));
  keep_queue(fuzz, a6);
}

static void call_AudioQueueDispose(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  note(fuzz, AudioQueueDispose(a0, a1));
  fuzz->disposals++;
}

static void call_AudioQueueAllocateBuffer(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  AudioQueueBufferRef * a2 = (AudioQueueBufferRef *)draw_out_queueBuffer(fuzz);
  note(fuzz, AudioQueueAllocateBuffer(a0, a1, a2));
  keep_queueBuffer(fuzz, a2);
}

static void call_AudioQueueAllocateBufferWithPacketDescriptions(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  UInt32 a2 = (UInt32)draw_count(fuzz);
  AudioQueueBufferRef * a3 = (AudioQueueBufferRef *)draw_out_queueBuffer(fuzz);
  note(fuzz, AudioQueueAllocateBufferWithPacketDescriptions(a0, a1, a2, a3));
  keep_queueBuffer(fuzz, a3);
}

static void call_AudioQueueStart(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  const AudioTimeStamp * a1 = (const AudioTimeStamp *)draw_time(fuzz);
  note(fuzz, AudioQueueStart(a0, a1));
}

static void call_AudioQueuePrime(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioQueuePrime(a0, a1, a2));
}

static void call_AudioQueueStop(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  note(fuzz, AudioQueueStop(a0, a1));
}

static void call_AudioQueuePause(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  note(fuzz, AudioQueuePause(a0));
}

static void call_AudioQueueFlush(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  note(fuzz, AudioQueueFlush(a0));
}

static void call_AudioQueueReset(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  note(fuzz, AudioQueueReset(a0));
}

static void call_AudioQueueGetParameter(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueParameterID a1 = (AudioQueueParameterID)draw_number(fuzz);
  AudioQueueParameterValue * a2 = (AudioQueueParameterValue *)draw_memory(fuzz);
  note(fuzz, AudioQueueGetParameter(a0, a1, a2));
}

static void call_AudioQueueSetParameter(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueParameterID a1 = (AudioQueueParameterID)draw_number(fuzz);
  AudioQueueParameterValue a2 = (AudioQueueParameterValue)draw_value(fuzz);
  note(fuzz, AudioQueueSetParameter(a0, a1, a2));
}

static void call_AudioQueueGetPropertySize(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueuePropertyID a1 = (AudioQueuePropertyID)draw_queue_property_id(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioQueueGetPropertySize(a0, a1, a2));
}

static void call_AudioQueueAddPropertyListener(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueuePropertyID a1 = (AudioQueuePropertyID)draw_queue_property_id(fuzz);
  AudioQueuePropertyListenerProc a2 = (AudioQueuePropertyListenerProc)draw_AudioQueuePropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioQueueAddPropertyListener(a0, a1, a2, a3));
}

static void call_AudioQueueRemovePropertyListener(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueuePropertyID a1 = (AudioQueuePropertyID)draw_queue_property_id(fuzz);
  AudioQueuePropertyListenerProc a2 = (AudioQueuePropertyListenerProc)draw_AudioQueuePropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioQueueRemovePropertyListener(a0, a1, a2, a3));
}

static void call_AudioQueueCreateTimeline(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueTimelineRef * a1 = (AudioQueueTimelineRef *)draw_out_timeline(fuzz);
  note(fuzz, AudioQueueCreateTimeline(a0, a1));
  keep_timeline(fuzz, a1);
}

static void call_AudioQueueDisposeTimeline(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueTimelineRef a1 = (AudioQueueTimelineRef)draw_timeline(fuzz);
  note(fuzz, AudioQueueDisposeTimeline(a0, a1));
  fuzz->disposals++;
}

static void call_AudioQueueGetCurrentTime(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueTimelineRef a1 = (AudioQueueTimelineRef)draw_timeline(fuzz);
  AudioTimeStamp * a2 = (AudioTimeStamp *)draw_time(fuzz);
  Boolean * a3 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioQueueGetCurrentTime(a0, a1, a2, a3));
}

static void call_AudioQueueDeviceGetCurrentTime(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioTimeStamp * a1 = (AudioTimeStamp *)draw_time(fuzz);
  note(fuzz, AudioQueueDeviceGetCurrentTime(a0, a1));
}

static void call_AudioQueueDeviceTranslateTime(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  const AudioTimeStamp * a1 = (const AudioTimeStamp *)draw_time(fuzz);
  AudioTimeStamp * a2 = (AudioTimeStamp *)draw_time(fuzz);
  note(fuzz, AudioQueueDeviceTranslateTime(a0, a1, a2));
}

static void call_AudioQueueDeviceGetNearestStartTime(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioTimeStamp * a1 = (AudioTimeStamp *)draw_time(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioQueueDeviceGetNearestStartTime(a0, a1, a2));
}

static void call_AudioQueueSetOfflineRenderFormat(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  const AudioStreamBasicDescription * a1 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioChannelLayout * a2 = (const AudioChannelLayout *)draw_layout(fuzz);
  note(fuzz, AudioQueueSetOfflineRenderFormat(a0, a1, a2));
}

static void call_AudioQueueProcessingTapNew(Fuzz *fuzz) {
  AudioQueueRef a0 = (AudioQueueRef)draw_queue(fuzz);
  AudioQueueProcessingTapCallback a1 = (AudioQueueProcessingTapCallback)draw_AudioQueueProcessingTapCallback(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  AudioQueueProcessingTapFlags a3 = (AudioQueueProcessingTapFlags)draw_number(fuzz);
  UInt32 * a4 = (UInt32 *)draw_memory(fuzz);
  AudioStreamBasicDescription * a5 = (AudioStreamBasicDescription *)draw_format(fuzz);
  AudioQueueProcessingTapRef * a6 = (AudioQueueProcessingTapRef *)draw_out_tap(fuzz);
  note(fuzz, AudioQueueProcessingTapNew(a0, a1, a2, a3, a4, a5, a6));
  keep_tap(fuzz, a6);
}

static void call_AudioQueueProcessingTapDispose(Fuzz *fuzz) {
  AudioQueueProcessingTapRef a0 = (AudioQueueProcessingTapRef)draw_tap(fuzz);
  note(fuzz, AudioQueueProcessingTapDispose(a0));
  fuzz->disposals++;
}

static void call_AudioQueueProcessingTapGetSourceAudio(Fuzz *fuzz) {
  AudioQueueProcessingTapRef a0 = (AudioQueueProcessingTapRef)draw_tap(fuzz);
  UInt32 a1 = (UInt32)draw_frames(fuzz);
  AudioTimeStamp * a2 = (AudioTimeStamp *)draw_time(fuzz);
  AudioQueueProcessingTapFlags * a3 = (AudioQueueProcessingTapFlags *)draw_memory(fuzz);
  UInt32 * a4 = (UInt32 *)draw_memory(fuzz);
  AudioBufferList * a5 = (AudioBufferList *)draw_buffers(fuzz);
  note(fuzz, AudioQueueProcessingTapGetSourceAudio(a0, a1, a2, a3, a4, a5));
}

static void call_AudioQueueProcessingTapGetQueueTime(Fuzz *fuzz) {
  AudioQueueProcessingTapRef a0 = (AudioQueueProcessingTapRef)draw_tap(fuzz);
  Float64 * a1 = (Float64 *)draw_memory(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioQueueProcessingTapGetQueueTime(a0, a1, a2));
}

static void call_AudioServicesCreateSystemSoundID(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  SystemSoundID * a1 = (SystemSoundID *)draw_memory(fuzz);
  note(fuzz, AudioServicesCreateSystemSoundID(a0, a1));
}

static void call_AudioServicesDisposeSystemSoundID(Fuzz *fuzz) {
  SystemSoundID a0 = (SystemSoundID)draw_number(fuzz);
  note(fuzz, AudioServicesDisposeSystemSoundID(a0));
}

static void call_AudioServicesPlaySystemSound(Fuzz *fuzz) {
  SystemSoundID a0 = (SystemSoundID)draw_number(fuzz);
  AudioServicesPlaySystemSound(a0);
}

static void call_AudioServicesPlayAlertSound(Fuzz *fuzz) {
  SystemSoundID a0 = (SystemSoundID)draw_number(fuzz);
  AudioServicesPlayAlertSound(a0);
}

static void call_AudioServicesAddSystemSoundCompletion(Fuzz *fuzz) {
  SystemSoundID a0 = (SystemSoundID)draw_number(fuzz);
  CFRunLoopRef a1 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a2 = (CFStringRef)draw_string(fuzz);
  AudioServicesSystemSoundCompletionProc a3 = (AudioServicesSystemSoundCompletionProc)draw_AudioServicesSystemSoundCompletionProc(fuzz);
  void * a4 = (void *)draw_context(fuzz);
  note(fuzz, AudioServicesAddSystemSoundCompletion(a0, a1, a2, a3, a4));
}

static void call_AudioServicesRemoveSystemSoundCompletion(Fuzz *fuzz) {
  SystemSoundID a0 = (SystemSoundID)draw_number(fuzz);
  AudioServicesRemoveSystemSoundCompletion(a0);
}

static void call_AudioServicesGetPropertyInfo(Fuzz *fuzz) {
  AudioServicesPropertyID a0 = (AudioServicesPropertyID)draw_number(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  const void * a2 = (const void *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_memory(fuzz);
  Boolean * a4 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioServicesGetPropertyInfo(a0, a1, a2, a3, a4));
}

static void call_AudioServicesGetProperty(Fuzz *fuzz) {
  AudioServicesPropertyID a0 = (AudioServicesPropertyID)draw_number(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  const void * a2 = (const void *)draw_memory(fuzz);
  UInt32 * a3 = (UInt32 *)draw_io_size(fuzz);
  void * a4 = (void *)draw_memory(fuzz);
  note(fuzz, AudioServicesGetProperty(a0, a1, a2, a3, a4));
}

static void call_AudioServicesSetProperty(Fuzz *fuzz) {
  AudioServicesPropertyID a0 = (AudioServicesPropertyID)draw_number(fuzz);
  UInt32 a1 = (UInt32)draw_size(fuzz);
  const void * a2 = (const void *)draw_memory(fuzz);
  UInt32 a3 = (UInt32)draw_number(fuzz);
  const void * a4 = (const void *)draw_memory(fuzz);
  note(fuzz, AudioServicesSetProperty(a0, a1, a2, a3, a4));
}

static void call_AudioSessionInitialize(Fuzz *fuzz) {
  CFRunLoopRef a0 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a1 = (CFStringRef)draw_string(fuzz);
  AudioSessionInterruptionListener a2 = (AudioSessionInterruptionListener)draw_AudioSessionInterruptionListener(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioSessionInitialize(a0, a1, a2, a3));
}

static void call_AudioSessionSetActive(Fuzz *fuzz) {
  Boolean a0 = (Boolean)draw_number(fuzz);
  note(fuzz, AudioSessionSetActive(a0));
}

static void call_AudioSessionSetActiveWithFlags(Fuzz *fuzz) {
  Boolean a0 = (Boolean)draw_number(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioSessionSetActiveWithFlags(a0, a1));
}

static void call_AudioSessionGetPropertySize(Fuzz *fuzz) {
  AudioSessionPropertyID a0 = (AudioSessionPropertyID)draw_session_property_id(fuzz);
  UInt32 * a1 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioSessionGetPropertySize(a0, a1));
}

static void call_AudioSessionAddPropertyListener(Fuzz *fuzz) {
  AudioSessionPropertyID a0 = (AudioSessionPropertyID)draw_session_property_id(fuzz);
  AudioSessionPropertyListener a1 = (AudioSessionPropertyListener)draw_AudioSessionPropertyListener(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioSessionAddPropertyListener(a0, a1, a2));
}

static void call_AudioSessionRemovePropertyListener(Fuzz *fuzz) {
  AudioSessionPropertyID a0 = (AudioSessionPropertyID)draw_session_property_id(fuzz);
  note(fuzz, AudioSessionRemovePropertyListener(a0));
}

static void call_AudioSessionRemovePropertyListenerWithUserData(Fuzz *fuzz) {
  AudioSessionPropertyID a0 = (AudioSessionPropertyID)draw_session_property_id(fuzz);
  AudioSessionPropertyListener a1 = (AudioSessionPropertyListener)draw_AudioSessionPropertyListener(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioSessionRemovePropertyListenerWithUserData(a0, a1, a2));
}

static void call_CAShow(Fuzz *fuzz) {
  void * a0 = (void *)draw_context(fuzz);
  CAShow(a0);
}

static void call_CAShowAudioBufferList(Fuzz *fuzz) {
  const AudioBufferList * a0 = (const AudioBufferList *)draw_buffers(fuzz);
  int a1 = (int)draw_number(fuzz);
  int a2 = (int)draw_number(fuzz);
  CAShowAudioBufferList(a0, a1, a2);
}

static void call_CAShowChannelLayout(Fuzz *fuzz) {
  const AudioChannelLayout * a0 = (const AudioChannelLayout *)draw_layout(fuzz);
  CAShowChannelLayout(a0);
}

static void call_CAShowComponentDescription(Fuzz *fuzz) {
  const AudioComponentDescription * a0 = (const AudioComponentDescription *)draw_description(fuzz);
  CAShowComponentDescription(a0);
}

static void call_AUListenerCreate(Fuzz *fuzz) {
  AUParameterListenerProc a0 = (AUParameterListenerProc)draw_AUParameterListenerProc(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  CFRunLoopRef a2 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a3 = (CFStringRef)draw_string(fuzz);
  Float32 a4 = (Float32)draw_value(fuzz);
  AUParameterListenerRef * a5 = (AUParameterListenerRef *)draw_out_parameterListener(fuzz);
  note(fuzz, AUListenerCreate(a0, a1, a2, a3, a4, a5));
  keep_parameterListener(fuzz, a5);
}

static void call_AUListenerDispose(Fuzz *fuzz) {
  AUParameterListenerRef a0 = (AUParameterListenerRef)draw_parameterListener(fuzz);
  note(fuzz, AUListenerDispose(a0));
  fuzz->disposals++;
}

static void call_AUListenerAddParameter(Fuzz *fuzz) {
  AUParameterListenerRef a0 = (AUParameterListenerRef)draw_parameterListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitParameter * a2 = (const AudioUnitParameter *)draw_parameter(fuzz);
  note(fuzz, AUListenerAddParameter(a0, a1, a2));
}

static void call_AUListenerRemoveParameter(Fuzz *fuzz) {
  AUParameterListenerRef a0 = (AUParameterListenerRef)draw_parameterListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitParameter * a2 = (const AudioUnitParameter *)draw_parameter(fuzz);
  note(fuzz, AUListenerRemoveParameter(a0, a1, a2));
}

static void call_AUParameterSet(Fuzz *fuzz) {
  AUParameterListenerRef a0 = (AUParameterListenerRef)draw_parameterListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitParameter * a2 = (const AudioUnitParameter *)draw_parameter(fuzz);
  AudioUnitParameterValue a3 = (AudioUnitParameterValue)draw_value(fuzz);
  UInt32 a4 = (UInt32)draw_number(fuzz);
  note(fuzz, AUParameterSet(a0, a1, a2, a3, a4));
}

static void call_AUParameterListenerNotify(Fuzz *fuzz) {
  AUParameterListenerRef a0 = (AUParameterListenerRef)draw_parameterListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitParameter * a2 = (const AudioUnitParameter *)draw_parameter(fuzz);
  note(fuzz, AUParameterListenerNotify(a0, a1, a2));
}

static void call_AUEventListenerCreate(Fuzz *fuzz) {
  AUEventListenerProc a0 = (AUEventListenerProc)draw_AUEventListenerProc(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  CFRunLoopRef a2 = (CFRunLoopRef)draw_runloop(fuzz);
  CFStringRef a3 = (CFStringRef)draw_string(fuzz);
  Float32 a4 = (Float32)draw_value(fuzz);
  Float32 a5 = (Float32)draw_value(fuzz);
  AUEventListenerRef * a6 = (AUEventListenerRef *)draw_out_eventListener(fuzz);
  note(fuzz, AUEventListenerCreate(a0, a1, a2, a3, a4, a5, a6));
  keep_eventListener(fuzz, a6);
}

static void call_AUEventListenerAddEventType(Fuzz *fuzz) {
  AUEventListenerRef a0 = (AUEventListenerRef)draw_eventListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitEvent * a2 = (const AudioUnitEvent *)draw_event(fuzz);
  note(fuzz, AUEventListenerAddEventType(a0, a1, a2));
}

static void call_AUEventListenerRemoveEventType(Fuzz *fuzz) {
  AUEventListenerRef a0 = (AUEventListenerRef)draw_eventListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitEvent * a2 = (const AudioUnitEvent *)draw_event(fuzz);
  note(fuzz, AUEventListenerRemoveEventType(a0, a1, a2));
}

static void call_AUEventListenerNotify(Fuzz *fuzz) {
  AUEventListenerRef a0 = (AUEventListenerRef)draw_eventListener(fuzz);
  void * a1 = (void *)draw_context(fuzz);
  const AudioUnitEvent * a2 = (const AudioUnitEvent *)draw_event(fuzz);
  note(fuzz, AUEventListenerNotify(a0, a1, a2));
}

static void call_AUParameterValueFromLinear(Fuzz *fuzz) {
  Float32 a0 = (Float32)draw_value(fuzz);
  const AudioUnitParameter * a1 = (const AudioUnitParameter *)draw_parameter(fuzz);
  (void)AUParameterValueFromLinear(a0, a1);
}

static void call_AUParameterValueToLinear(Fuzz *fuzz) {
  AudioUnitParameterValue a0 = (AudioUnitParameterValue)draw_value(fuzz);
  const AudioUnitParameter * a1 = (const AudioUnitParameter *)draw_parameter(fuzz);
  (void)AUParameterValueToLinear(a0, a1);
}

static void call_ExtAudioFileOpenURL(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  ExtAudioFileRef * a1 = (ExtAudioFileRef *)draw_out_extendedFile(fuzz);
  note(fuzz, ExtAudioFileOpenURL(a0, a1));
  keep_extendedFile(fuzz, a1);
}

static void call_ExtAudioFileWrapAudioFileID(Fuzz *fuzz) {
  AudioFileID a0 = (AudioFileID)draw_file(fuzz);
  Boolean a1 = (Boolean)draw_number(fuzz);
  ExtAudioFileRef * a2 = (ExtAudioFileRef *)draw_out_extendedFile(fuzz);
  note(fuzz, ExtAudioFileWrapAudioFileID(a0, a1, a2));
  keep_extendedFile(fuzz, a2);
}

static void call_ExtAudioFileCreateWithURL(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  AudioFileTypeID a1 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a2 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioChannelLayout * a3 = (const AudioChannelLayout *)draw_layout(fuzz);
  UInt32 a4 = (UInt32)draw_number(fuzz);
  ExtAudioFileRef * a5 = (ExtAudioFileRef *)draw_out_extendedFile(fuzz);
  note(fuzz, ExtAudioFileCreateWithURL(a0, a1, a2, a3, a4, a5));
  keep_extendedFile(fuzz, a5);
}

static void call_ExtAudioFileOpen(Fuzz *fuzz) {
  const struct FSRef * a0 = (const struct FSRef *)draw_file_reference(fuzz);
  ExtAudioFileRef * a1 = (ExtAudioFileRef *)draw_out_extendedFile(fuzz);
  note(fuzz, ExtAudioFileOpen(a0, a1));
  keep_extendedFile(fuzz, a1);
}

static void call_ExtAudioFileCreateNew(Fuzz *fuzz) {
  const struct FSRef * a0 = (const struct FSRef *)draw_file_reference(fuzz);
  CFStringRef a1 = (CFStringRef)draw_string(fuzz);
  AudioFileTypeID a2 = (AudioFileTypeID)draw_file_type(fuzz);
  const AudioStreamBasicDescription * a3 = (const AudioStreamBasicDescription *)draw_format(fuzz);
  const AudioChannelLayout * a4 = (const AudioChannelLayout *)draw_layout(fuzz);
  ExtAudioFileRef * a5 = (ExtAudioFileRef *)draw_out_extendedFile(fuzz);
  note(fuzz, ExtAudioFileCreateNew(a0, a1, a2, a3, a4, a5));
  keep_extendedFile(fuzz, a5);
}

static void call_ExtAudioFileDispose(Fuzz *fuzz) {
  ExtAudioFileRef a0 = (ExtAudioFileRef)draw_extendedFile(fuzz);
  note(fuzz, ExtAudioFileDispose(a0));
  fuzz->disposals++;
}

static void call_ExtAudioFileSeek(Fuzz *fuzz) {
  ExtAudioFileRef a0 = (ExtAudioFileRef)draw_extendedFile(fuzz);
  SInt64 a1 = (SInt64)draw_position(fuzz);
  note(fuzz, ExtAudioFileSeek(a0, a1));
}

static void call_ExtAudioFileTell(Fuzz *fuzz) {
  ExtAudioFileRef a0 = (ExtAudioFileRef)draw_extendedFile(fuzz);
  SInt64 * a1 = (SInt64 *)draw_memory(fuzz);
  note(fuzz, ExtAudioFileTell(a0, a1));
}

static void call_ExtAudioFileGetPropertyInfo(Fuzz *fuzz) {
  ExtAudioFileRef a0 = (ExtAudioFileRef)draw_extendedFile(fuzz);
  ExtAudioFilePropertyID a1 = (ExtAudioFilePropertyID)draw_extended_property_id(fuzz);
  UInt32 * a2 = (UInt32 *)draw_memory(fuzz);
  Boolean * a3 = (Boolean *)draw_memory(fuzz);
  note(fuzz, ExtAudioFileGetPropertyInfo(a0, a1, a2, a3));
}

static void call_MusicDeviceMIDIEvent(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  UInt32 a3 = (UInt32)draw_number(fuzz);
  UInt32 a4 = (UInt32)draw_number(fuzz);
  note(fuzz, MusicDeviceMIDIEvent(a0, a1, a2, a3, a4));
}

static void call_MusicDeviceSysEx(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  const UInt8 * a1 = (const UInt8 *)draw_memory(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  note(fuzz, MusicDeviceSysEx(a0, a1, a2));
}

static void call_MusicDeviceMIDIEventList(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  const MIDIEventList * a2 = (const MIDIEventList *)draw_memory(fuzz);
  note(fuzz, MusicDeviceMIDIEventList(a0, a1, a2));
}

static void call_MusicDeviceStartNote(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  MusicDeviceInstrumentID a1 = (MusicDeviceInstrumentID)draw_number(fuzz);
  MusicDeviceGroupID a2 = (MusicDeviceGroupID)draw_number(fuzz);
  NoteInstanceID * a3 = (NoteInstanceID *)draw_memory(fuzz);
  UInt32 a4 = (UInt32)draw_number(fuzz);
  const MusicDeviceNoteParams * a5 = (const MusicDeviceNoteParams *)draw_memory(fuzz);
  note(fuzz, MusicDeviceStartNote(a0, a1, a2, a3, a4, a5));
}

static void call_MusicDeviceStopNote(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  MusicDeviceGroupID a1 = (MusicDeviceGroupID)draw_number(fuzz);
  NoteInstanceID a2 = (NoteInstanceID)draw_number(fuzz);
  UInt32 a3 = (UInt32)draw_number(fuzz);
  note(fuzz, MusicDeviceStopNote(a0, a1, a2, a3));
}

static void call_MusicDevicePrepareInstrument(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  MusicDeviceInstrumentID a1 = (MusicDeviceInstrumentID)draw_number(fuzz);
  note(fuzz, MusicDevicePrepareInstrument(a0, a1));
}

static void call_MusicDeviceReleaseInstrument(Fuzz *fuzz) {
  MusicDeviceComponent a0 = (MusicDeviceComponent)draw_unit(fuzz);
  MusicDeviceInstrumentID a1 = (MusicDeviceInstrumentID)draw_number(fuzz);
  note(fuzz, MusicDeviceReleaseInstrument(a0, a1));
}

static void call_AudioObjectShow(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioObjectShow(a0);
}

static void call_AudioObjectHasProperty(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  (void)AudioObjectHasProperty(a0, a1);
}

static void call_AudioObjectIsPropertySettable(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  Boolean * a2 = (Boolean *)draw_memory(fuzz);
  note(fuzz, AudioObjectIsPropertySettable(a0, a1, a2));
}

static void call_AudioObjectGetPropertyDataSize(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  const void * a3 = (const void *)draw_memory(fuzz);
  UInt32 * a4 = (UInt32 *)draw_memory(fuzz);
  note(fuzz, AudioObjectGetPropertyDataSize(a0, a1, a2, a3, a4));
}

static void call_AudioObjectAddPropertyListener(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  AudioObjectPropertyListenerProc a2 = (AudioObjectPropertyListenerProc)draw_AudioObjectPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioObjectAddPropertyListener(a0, a1, a2, a3));
}

static void call_AudioObjectRemovePropertyListener(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioObjectPropertyAddress * a1 = (const AudioObjectPropertyAddress *)draw_address(fuzz);
  AudioObjectPropertyListenerProc a2 = (AudioObjectPropertyListenerProc)draw_AudioObjectPropertyListenerProc(fuzz);
  void * a3 = (void *)draw_context(fuzz);
  note(fuzz, AudioObjectRemovePropertyListener(a0, a1, a2, a3));
}

static void call_AudioDeviceCreateIOProcID(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioDeviceIOProc a1 = (AudioDeviceIOProc)draw_AudioDeviceIOProc(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  AudioDeviceIOProcID * a3 = (AudioDeviceIOProcID *)draw_memory(fuzz);
  note(fuzz, AudioDeviceCreateIOProcID(a0, a1, a2, a3));
}

static void call_AudioDeviceDestroyIOProcID(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioDeviceIOProcID a1 = (AudioDeviceIOProcID)draw_AudioDeviceIOProcID(fuzz);
  note(fuzz, AudioDeviceDestroyIOProcID(a0, a1));
}

static void call_AudioDeviceStart(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioDeviceIOProcID a1 = (AudioDeviceIOProcID)draw_AudioDeviceIOProcID(fuzz);
  note(fuzz, AudioDeviceStart(a0, a1));
}

static void call_AudioDeviceStop(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioDeviceIOProcID a1 = (AudioDeviceIOProcID)draw_AudioDeviceIOProcID(fuzz);
  note(fuzz, AudioDeviceStop(a0, a1));
}

static void call_AudioDeviceStartAtTime(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioDeviceIOProcID a1 = (AudioDeviceIOProcID)draw_AudioDeviceIOProcID(fuzz);
  AudioTimeStamp * a2 = (AudioTimeStamp *)draw_time(fuzz);
  UInt32 a3 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioDeviceStartAtTime(a0, a1, a2, a3));
}

static void call_AudioDeviceGetCurrentTime(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioTimeStamp * a1 = (AudioTimeStamp *)draw_time(fuzz);
  note(fuzz, AudioDeviceGetCurrentTime(a0, a1));
}

static void call_AudioDeviceTranslateTime(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  const AudioTimeStamp * a1 = (const AudioTimeStamp *)draw_time(fuzz);
  AudioTimeStamp * a2 = (AudioTimeStamp *)draw_time(fuzz);
  note(fuzz, AudioDeviceTranslateTime(a0, a1, a2));
}

static void call_AudioDeviceGetNearestStartTime(Fuzz *fuzz) {
  AudioObjectID a0 = (AudioObjectID)draw_object_id(fuzz);
  AudioTimeStamp * a1 = (AudioTimeStamp *)draw_time(fuzz);
  UInt32 a2 = (UInt32)draw_number(fuzz);
  note(fuzz, AudioDeviceGetNearestStartTime(a0, a1, a2));
}

static void call_AudioHardwareAddPropertyListener(Fuzz *fuzz) {
  AudioHardwarePropertyID a0 = (AudioHardwarePropertyID)draw_number(fuzz);
  AudioHardwarePropertyListenerProc a1 = (AudioHardwarePropertyListenerProc)draw_AudioHardwarePropertyListenerProc(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioHardwareAddPropertyListener(a0, a1, a2));
}

static void call_AudioHardwareRemovePropertyListener(Fuzz *fuzz) {
  AudioHardwarePropertyID a0 = (AudioHardwarePropertyID)draw_number(fuzz);
  AudioHardwarePropertyListenerProc a1 = (AudioHardwarePropertyListenerProc)draw_AudioHardwarePropertyListenerProc(fuzz);
  note(fuzz, AudioHardwareRemovePropertyListener(a0, a1));
}

static void call_AudioDeviceAddPropertyListener(Fuzz *fuzz) {
  AudioDeviceID a0 = (AudioDeviceID)draw_object_id(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  Boolean a2 = (Boolean)draw_number(fuzz);
  AudioDevicePropertyID a3 = (AudioDevicePropertyID)draw_number(fuzz);
  AudioDevicePropertyListenerProc a4 = (AudioDevicePropertyListenerProc)draw_AudioDevicePropertyListenerProc(fuzz);
  void * a5 = (void *)draw_context(fuzz);
  note(fuzz, AudioDeviceAddPropertyListener(a0, a1, a2, a3, a4, a5));
}

static void call_AudioDeviceRemovePropertyListener(Fuzz *fuzz) {
  AudioDeviceID a0 = (AudioDeviceID)draw_object_id(fuzz);
  UInt32 a1 = (UInt32)draw_number(fuzz);
  Boolean a2 = (Boolean)draw_number(fuzz);
  AudioDevicePropertyID a3 = (AudioDevicePropertyID)draw_number(fuzz);
  AudioDevicePropertyListenerProc a4 = (AudioDevicePropertyListenerProc)draw_AudioDevicePropertyListenerProc(fuzz);
  note(fuzz, AudioDeviceRemovePropertyListener(a0, a1, a2, a3, a4));
}

static void call_AudioDeviceAddIOProc(Fuzz *fuzz) {
  AudioDeviceID a0 = (AudioDeviceID)draw_object_id(fuzz);
  AudioDeviceIOProc a1 = (AudioDeviceIOProc)draw_AudioDeviceIOProc(fuzz);
  void * a2 = (void *)draw_context(fuzz);
  note(fuzz, AudioDeviceAddIOProc(a0, a1, a2));
}

static void call_AudioDeviceRemoveIOProc(Fuzz *fuzz) {
  AudioDeviceID a0 = (AudioDeviceID)draw_object_id(fuzz);
  AudioDeviceIOProc a1 = (AudioDeviceIOProc)draw_AudioDeviceIOProc(fuzz);
  note(fuzz, AudioDeviceRemoveIOProc(a0, a1));
}

static void call_FSRefMakePath(Fuzz *fuzz) {
  const FSRef * a0 = (const FSRef *)draw_file_reference(fuzz);
  UInt8 * a1 = (UInt8 *)draw_memory(fuzz);
  UInt32 a2 = (UInt32)draw_size(fuzz);
  note(fuzz, FSRefMakePath(a0, a1, a2));
}

static void call_FSCompareFSRefs(Fuzz *fuzz) {
  const FSRef * a0 = (const FSRef *)draw_file_reference(fuzz);
  const FSRef * a1 = (const FSRef *)draw_file_reference(fuzz);
  (void)FSCompareFSRefs(a0, a1);
}

static void call_FSGetCatalogInfo(Fuzz *fuzz) {
  const FSRef * a0 = (const FSRef *)draw_file_reference(fuzz);
  FSCatalogInfoBitmap a1 = (FSCatalogInfoBitmap)draw_number(fuzz);
  FSCatalogInfo * a2 = (FSCatalogInfo *)draw_memory(fuzz);
  HFSUniStr255 * a3 = (HFSUniStr255 *)draw_memory(fuzz);
  FSSpecPtr a4 = (FSSpecPtr)draw_nothing(fuzz);
  FSRef * a5 = (FSRef *)draw_memory(fuzz);
  (void)FSGetCatalogInfo(a0, a1, a2, a3, a4, a5);
}

static void call_FSDeleteObject(Fuzz *fuzz) {
  const FSRef * a0 = (const FSRef *)draw_file_reference(fuzz);
  (void)FSDeleteObject(a0);
}

static void call_CFURLGetFSRef(Fuzz *fuzz) {
  CFURLRef a0 = (CFURLRef)draw_url(fuzz);
  FSRef * a1 = (FSRef *)draw_memory(fuzz);
  (void)CFURLGetFSRef(a0, a1);
}

typedef struct {
  const char *name;
  void (*call)(Fuzz *);
} Call;

static const Call calls[] = {
    {"AudioUnitInitialize", call_AudioUnitInitialize},
    {"AudioUnitUninitialize", call_AudioUnitUninitialize},
    {"AudioUnitGetPropertyInfo", call_AudioUnitGetPropertyInfo},
    {"AudioUnitGetProperty", call_AudioUnitGetProperty},
    {"AudioUnitSetProperty", call_AudioUnitSetProperty},
    {"AudioUnitAddPropertyListener", call_AudioUnitAddPropertyListener},
    {"AudioUnitRemovePropertyListenerWithUserData", call_AudioUnitRemovePropertyListenerWithUserData},
    {"AudioUnitRemovePropertyListener", call_AudioUnitRemovePropertyListener},
    {"AudioUnitAddRenderNotify", call_AudioUnitAddRenderNotify},
    {"AudioUnitRemoveRenderNotify", call_AudioUnitRemoveRenderNotify},
    {"AudioUnitGetParameter", call_AudioUnitGetParameter},
    {"AudioUnitSetParameter", call_AudioUnitSetParameter},
    {"AudioUnitScheduleParameters", call_AudioUnitScheduleParameters},
    {"AudioUnitRender", call_AudioUnitRender},
    {"AudioUnitProcess", call_AudioUnitProcess},
    {"AudioUnitProcessMultiple", call_AudioUnitProcessMultiple},
    {"AudioUnitReset", call_AudioUnitReset},
    {"NewAUGraph", call_NewAUGraph},
    {"DisposeAUGraph", call_DisposeAUGraph},
    {"AUGraphAddNode", call_AUGraphAddNode},
    {"AUGraphRemoveNode", call_AUGraphRemoveNode},
    {"AUGraphGetNodeCount", call_AUGraphGetNodeCount},
    {"AUGraphGetIndNode", call_AUGraphGetIndNode},
    {"AUGraphNodeInfo", call_AUGraphNodeInfo},
    {"AUGraphNewNodeSubGraph", call_AUGraphNewNodeSubGraph},
    {"AUGraphGetNodeInfoSubGraph", call_AUGraphGetNodeInfoSubGraph},
    {"AUGraphIsNodeSubGraph", call_AUGraphIsNodeSubGraph},
    {"AUGraphConnectNodeInput", call_AUGraphConnectNodeInput},
    {"AUGraphSetNodeInputCallback", call_AUGraphSetNodeInputCallback},
    {"AUGraphDisconnectNodeInput", call_AUGraphDisconnectNodeInput},
    {"AUGraphClearConnections", call_AUGraphClearConnections},
    {"AUGraphGetNumberOfInteractions", call_AUGraphGetNumberOfInteractions},
    {"AUGraphGetInteractionInfo", call_AUGraphGetInteractionInfo},
    {"AUGraphCountNodeInteractions", call_AUGraphCountNodeInteractions},
    {"AUGraphGetNodeInteractions", call_AUGraphGetNodeInteractions},
    {"AUGraphUpdate", call_AUGraphUpdate},
    {"AUGraphOpen", call_AUGraphOpen},
    {"AUGraphClose", call_AUGraphClose},
    {"AUGraphInitialize", call_AUGraphInitialize},
    {"AUGraphUninitialize", call_AUGraphUninitialize},
    {"AUGraphStart", call_AUGraphStart},
    {"AUGraphStop", call_AUGraphStop},
    {"AUGraphIsOpen", call_AUGraphIsOpen},
    {"AUGraphIsInitialized", call_AUGraphIsInitialized},
    {"AUGraphIsRunning", call_AUGraphIsRunning},
    {"AUGraphGetCPULoad", call_AUGraphGetCPULoad},
    {"AUGraphGetMaxCPULoad", call_AUGraphGetMaxCPULoad},
    {"AUGraphAddRenderNotify", call_AUGraphAddRenderNotify},
    {"AUGraphRemoveRenderNotify", call_AUGraphRemoveRenderNotify},
    {"AUGraphNewNode", call_AUGraphNewNode},
    {"AUGraphGetNodeInfo", call_AUGraphGetNodeInfo},
    {"AUGraphGetNumberOfConnections", call_AUGraphGetNumberOfConnections},
    {"AUGraphGetConnectionInfo", call_AUGraphGetConnectionInfo},
    {"AUGraphCountNodeConnections", call_AUGraphCountNodeConnections},
    {"AUGraphGetNodeConnections", call_AUGraphGetNodeConnections},
    {"AudioComponentFindNext", call_AudioComponentFindNext},
    {"AudioComponentCount", call_AudioComponentCount},
    {"AudioComponentCopyName", call_AudioComponentCopyName},
    {"AudioComponentGetDescription", call_AudioComponentGetDescription},
    {"AudioComponentGetVersion", call_AudioComponentGetVersion},
    {"AudioComponentInstanceNew", call_AudioComponentInstanceNew},
    {"AudioComponentInstanceDispose", call_AudioComponentInstanceDispose},
    {"AudioComponentInstanceGetComponent", call_AudioComponentInstanceGetComponent},
    {"AudioComponentInstanceCanDo", call_AudioComponentInstanceCanDo},
    {"AudioComponentInstantiate", call_AudioComponentInstantiate},
    {"AudioComponentRegister", call_AudioComponentRegister},
    {"AudioComponentCopyConfigurationInfo", call_AudioComponentCopyConfigurationInfo},
    {"AudioComponentValidate", call_AudioComponentValidate},
    {"AudioComponentValidateWithResults", call_AudioComponentValidateWithResults},
    {"AudioConverterNew", call_AudioConverterNew},
    {"AudioConverterNewSpecific", call_AudioConverterNewSpecific},
    {"AudioConverterNewWithOptions", call_AudioConverterNewWithOptions},
    {"AudioConverterPrepare", call_AudioConverterPrepare},
    {"AudioConverterDispose", call_AudioConverterDispose},
    {"AudioConverterReset", call_AudioConverterReset},
    {"AudioConverterGetPropertyInfo", call_AudioConverterGetPropertyInfo},
    {"AudioConverterGetProperty", call_AudioConverterGetProperty},
    {"AudioConverterSetProperty", call_AudioConverterSetProperty},
    {"AudioConverterFillBuffer", call_AudioConverterFillBuffer},
    {"AudioConverterConvertBuffer", call_AudioConverterConvertBuffer},
    {"AudioConverterFillComplexBuffer", call_AudioConverterFillComplexBuffer},
    {"AudioConverterConvertComplexBuffer", call_AudioConverterConvertComplexBuffer},
    {"AudioFileCreateWithURL", call_AudioFileCreateWithURL},
    {"AudioFileOpenURL", call_AudioFileOpenURL},
    {"AudioFileOpen", call_AudioFileOpen},
    {"AudioFileCreate", call_AudioFileCreate},
    {"AudioFileInitialize", call_AudioFileInitialize},
    {"AudioFileInitializeWithCallbacks", call_AudioFileInitializeWithCallbacks},
    {"AudioFileOpenWithCallbacks", call_AudioFileOpenWithCallbacks},
    {"AudioFileClose", call_AudioFileClose},
    {"AudioFileOptimize", call_AudioFileOptimize},
    {"AudioFileReadBytes", call_AudioFileReadBytes},
    {"AudioFileWriteBytes", call_AudioFileWriteBytes},
    {"AudioFileReadPacketData", call_AudioFileReadPacketData},
    {"AudioFileReadPackets", call_AudioFileReadPackets},
    {"AudioFileWritePackets", call_AudioFileWritePackets},
    {"AudioFileCountUserData", call_AudioFileCountUserData},
    {"AudioFileGetUserDataSize", call_AudioFileGetUserDataSize},
    {"AudioFileGetUserDataSize64", call_AudioFileGetUserDataSize64},
    {"AudioFileGetUserData", call_AudioFileGetUserData},
    {"AudioFileGetUserDataAtOffset", call_AudioFileGetUserDataAtOffset},
    {"AudioFileSetUserData", call_AudioFileSetUserData},
    {"AudioFileRemoveUserData", call_AudioFileRemoveUserData},
    {"AudioFileGetPropertyInfo", call_AudioFileGetPropertyInfo},
    {"AudioFileGetProperty", call_AudioFileGetProperty},
    {"AudioFileSetProperty", call_AudioFileSetProperty},
    {"AudioFileGetGlobalInfoSize", call_AudioFileGetGlobalInfoSize},
    {"AudioFileGetGlobalInfo", call_AudioFileGetGlobalInfo},
    {"AudioFileStreamOpen", call_AudioFileStreamOpen},
    {"AudioFileStreamClose", call_AudioFileStreamClose},
    {"AudioFileStreamParseBytes", call_AudioFileStreamParseBytes},
    {"AudioFileStreamSeek", call_AudioFileStreamSeek},
    {"AudioFileStreamGetPropertyInfo", call_AudioFileStreamGetPropertyInfo},
    {"AudioFileStreamGetProperty", call_AudioFileStreamGetProperty},
    {"AudioFileStreamSetProperty", call_AudioFileStreamSetProperty},
    {"AudioFormatGetPropertyInfo", call_AudioFormatGetPropertyInfo},
    {"AudioFormatGetProperty", call_AudioFormatGetProperty},
    {"AudioHardwareServiceHasProperty", call_AudioHardwareServiceHasProperty},
    {"AudioHardwareServiceIsPropertySettable", call_AudioHardwareServiceIsPropertySettable},
    {"AudioHardwareServiceGetPropertyDataSize", call_AudioHardwareServiceGetPropertyDataSize},
    {"AudioHardwareServiceGetPropertyData", call_AudioHardwareServiceGetPropertyData},
    {"AudioHardwareServiceSetPropertyData", call_AudioHardwareServiceSetPropertyData},
    {"AudioHardwareServiceAddPropertyListener", call_AudioHardwareServiceAddPropertyListener},
    {"AudioHardwareServiceRemovePropertyListener", call_AudioHardwareServiceRemovePropertyListener},
    {"AudioOutputUnitStart", call_AudioOutputUnitStart},
    {"AudioOutputUnitStop", call_AudioOutputUnitStop},
    {"AudioQueueNewOutput", call_AudioQueueNewOutput},
    {"AudioQueueNewInput", call_AudioQueueNewInput},
    {"AudioQueueNewOutputWithDispatchQueue", call_AudioQueueNewOutputWithDispatchQueue},
    {"AudioQueueNewInputWithDispatchQueue", call_AudioQueueNewInputWithDispatchQueue},
    {"AudioQueueDispose", call_AudioQueueDispose},
    {"AudioQueueAllocateBuffer", call_AudioQueueAllocateBuffer},
    {"AudioQueueAllocateBufferWithPacketDescriptions", call_AudioQueueAllocateBufferWithPacketDescriptions},
    {"AudioQueueFreeBuffer", call_AudioQueueFreeBuffer},
    {"AudioQueueEnqueueBuffer", call_AudioQueueEnqueueBuffer},
    {"AudioQueueEnqueueBufferWithParameters", call_AudioQueueEnqueueBufferWithParameters},
    {"AudioQueueStart", call_AudioQueueStart},
    {"AudioQueuePrime", call_AudioQueuePrime},
    {"AudioQueueStop", call_AudioQueueStop},
    {"AudioQueuePause", call_AudioQueuePause},
    {"AudioQueueFlush", call_AudioQueueFlush},
    {"AudioQueueReset", call_AudioQueueReset},
    {"AudioQueueGetParameter", call_AudioQueueGetParameter},
    {"AudioQueueSetParameter", call_AudioQueueSetParameter},
    {"AudioQueueGetProperty", call_AudioQueueGetProperty},
    {"AudioQueueSetProperty", call_AudioQueueSetProperty},
    {"AudioQueueGetPropertySize", call_AudioQueueGetPropertySize},
    {"AudioQueueAddPropertyListener", call_AudioQueueAddPropertyListener},
    {"AudioQueueRemovePropertyListener", call_AudioQueueRemovePropertyListener},
    {"AudioQueueCreateTimeline", call_AudioQueueCreateTimeline},
    {"AudioQueueDisposeTimeline", call_AudioQueueDisposeTimeline},
    {"AudioQueueGetCurrentTime", call_AudioQueueGetCurrentTime},
    {"AudioQueueDeviceGetCurrentTime", call_AudioQueueDeviceGetCurrentTime},
    {"AudioQueueDeviceTranslateTime", call_AudioQueueDeviceTranslateTime},
    {"AudioQueueDeviceGetNearestStartTime", call_AudioQueueDeviceGetNearestStartTime},
    {"AudioQueueSetOfflineRenderFormat", call_AudioQueueSetOfflineRenderFormat},
    {"AudioQueueOfflineRender", call_AudioQueueOfflineRender},
    {"AudioQueueProcessingTapNew", call_AudioQueueProcessingTapNew},
    {"AudioQueueProcessingTapDispose", call_AudioQueueProcessingTapDispose},
    {"AudioQueueProcessingTapGetSourceAudio", call_AudioQueueProcessingTapGetSourceAudio},
    {"AudioQueueProcessingTapGetQueueTime", call_AudioQueueProcessingTapGetQueueTime},
    {"AudioServicesCreateSystemSoundID", call_AudioServicesCreateSystemSoundID},
    {"AudioServicesDisposeSystemSoundID", call_AudioServicesDisposeSystemSoundID},
    {"AudioServicesPlaySystemSound", call_AudioServicesPlaySystemSound},
    {"AudioServicesPlayAlertSound", call_AudioServicesPlayAlertSound},
    {"AudioServicesPlaySystemSoundWithCompletion", call_AudioServicesPlaySystemSoundWithCompletion},
    {"AudioServicesPlayAlertSoundWithCompletion", call_AudioServicesPlayAlertSoundWithCompletion},
    {"AudioServicesAddSystemSoundCompletion", call_AudioServicesAddSystemSoundCompletion},
    {"AudioServicesRemoveSystemSoundCompletion", call_AudioServicesRemoveSystemSoundCompletion},
    {"AudioServicesGetPropertyInfo", call_AudioServicesGetPropertyInfo},
    {"AudioServicesGetProperty", call_AudioServicesGetProperty},
    {"AudioServicesSetProperty", call_AudioServicesSetProperty},
    {"AudioSessionInitialize", call_AudioSessionInitialize},
    {"AudioSessionSetActive", call_AudioSessionSetActive},
    {"AudioSessionSetActiveWithFlags", call_AudioSessionSetActiveWithFlags},
    {"AudioSessionGetProperty", call_AudioSessionGetProperty},
    {"AudioSessionSetProperty", call_AudioSessionSetProperty},
    {"AudioSessionGetPropertySize", call_AudioSessionGetPropertySize},
    {"AudioSessionAddPropertyListener", call_AudioSessionAddPropertyListener},
    {"AudioSessionRemovePropertyListener", call_AudioSessionRemovePropertyListener},
    {"AudioSessionRemovePropertyListenerWithUserData", call_AudioSessionRemovePropertyListenerWithUserData},
    {"CAShow", call_CAShow},
    {"CAShowFile", call_CAShowFile},
    {"CAShowAudioBufferList", call_CAShowAudioBufferList},
    {"CAShowChannelLayout", call_CAShowChannelLayout},
    {"CAShowComponentDescription", call_CAShowComponentDescription},
    {"AUListenerCreate", call_AUListenerCreate},
    {"AUListenerDispose", call_AUListenerDispose},
    {"AUListenerAddParameter", call_AUListenerAddParameter},
    {"AUListenerRemoveParameter", call_AUListenerRemoveParameter},
    {"AUParameterSet", call_AUParameterSet},
    {"AUParameterListenerNotify", call_AUParameterListenerNotify},
    {"AUEventListenerCreate", call_AUEventListenerCreate},
    {"AUEventListenerAddEventType", call_AUEventListenerAddEventType},
    {"AUEventListenerRemoveEventType", call_AUEventListenerRemoveEventType},
    {"AUEventListenerNotify", call_AUEventListenerNotify},
    {"AUListenerCreateWithDispatchQueue", call_AUListenerCreateWithDispatchQueue},
    {"AUEventListenerCreateWithDispatchQueue", call_AUEventListenerCreateWithDispatchQueue},
    {"AUParameterValueFromLinear", call_AUParameterValueFromLinear},
    {"AUParameterValueToLinear", call_AUParameterValueToLinear},
    {"AUParameterFormatValue", call_AUParameterFormatValue},
    {"ExtAudioFileOpenURL", call_ExtAudioFileOpenURL},
    {"ExtAudioFileWrapAudioFileID", call_ExtAudioFileWrapAudioFileID},
    {"ExtAudioFileCreateWithURL", call_ExtAudioFileCreateWithURL},
    {"ExtAudioFileOpen", call_ExtAudioFileOpen},
    {"ExtAudioFileCreateNew", call_ExtAudioFileCreateNew},
    {"ExtAudioFileDispose", call_ExtAudioFileDispose},
    {"ExtAudioFileRead", call_ExtAudioFileRead},
    {"ExtAudioFileWrite", call_ExtAudioFileWrite},
    {"ExtAudioFileWriteAsync", call_ExtAudioFileWriteAsync},
    {"ExtAudioFileSeek", call_ExtAudioFileSeek},
    {"ExtAudioFileTell", call_ExtAudioFileTell},
    {"ExtAudioFileGetPropertyInfo", call_ExtAudioFileGetPropertyInfo},
    {"ExtAudioFileGetProperty", call_ExtAudioFileGetProperty},
    {"ExtAudioFileSetProperty", call_ExtAudioFileSetProperty},
    {"MusicDeviceMIDIEvent", call_MusicDeviceMIDIEvent},
    {"MusicDeviceSysEx", call_MusicDeviceSysEx},
    {"MusicDeviceMIDIEventList", call_MusicDeviceMIDIEventList},
    {"MusicDeviceStartNote", call_MusicDeviceStartNote},
    {"MusicDeviceStopNote", call_MusicDeviceStopNote},
    {"MusicDevicePrepareInstrument", call_MusicDevicePrepareInstrument},
    {"MusicDeviceReleaseInstrument", call_MusicDeviceReleaseInstrument},
    {"AudioObjectShow", call_AudioObjectShow},
    {"AudioObjectHasProperty", call_AudioObjectHasProperty},
    {"AudioObjectIsPropertySettable", call_AudioObjectIsPropertySettable},
    {"AudioObjectGetPropertyDataSize", call_AudioObjectGetPropertyDataSize},
    {"AudioObjectGetPropertyData", call_AudioObjectGetPropertyData},
    {"AudioObjectSetPropertyData", call_AudioObjectSetPropertyData},
    {"AudioObjectAddPropertyListener", call_AudioObjectAddPropertyListener},
    {"AudioObjectRemovePropertyListener", call_AudioObjectRemovePropertyListener},
    {"AudioDeviceCreateIOProcID", call_AudioDeviceCreateIOProcID},
    {"AudioDeviceDestroyIOProcID", call_AudioDeviceDestroyIOProcID},
    {"AudioDeviceStart", call_AudioDeviceStart},
    {"AudioDeviceStop", call_AudioDeviceStop},
    {"AudioDeviceStartAtTime", call_AudioDeviceStartAtTime},
    {"AudioDeviceGetCurrentTime", call_AudioDeviceGetCurrentTime},
    {"AudioDeviceTranslateTime", call_AudioDeviceTranslateTime},
    {"AudioDeviceGetNearestStartTime", call_AudioDeviceGetNearestStartTime},
    {"AudioObjectAddPropertyListenerBlock", call_AudioObjectAddPropertyListenerBlock},
    {"AudioObjectRemovePropertyListenerBlock", call_AudioObjectRemovePropertyListenerBlock},
    {"AudioDeviceCreateIOProcIDWithBlock", call_AudioDeviceCreateIOProcIDWithBlock},
    {"AudioHardwareAddPropertyListener", call_AudioHardwareAddPropertyListener},
    {"AudioHardwareRemovePropertyListener", call_AudioHardwareRemovePropertyListener},
    {"AudioDeviceAddPropertyListener", call_AudioDeviceAddPropertyListener},
    {"AudioDeviceRemovePropertyListener", call_AudioDeviceRemovePropertyListener},
    {"AudioDeviceAddIOProc", call_AudioDeviceAddIOProc},
    {"AudioDeviceRemoveIOProc", call_AudioDeviceRemoveIOProc},
    {"FSPathMakeRef", call_FSPathMakeRef},
    {"FSRefMakePath", call_FSRefMakePath},
    {"FSCompareFSRefs", call_FSCompareFSRefs},
    {"FSMakeFSRefUnicode", call_FSMakeFSRefUnicode},
    {"FSGetCatalogInfo", call_FSGetCatalogInfo},
    {"FSDeleteObject", call_FSDeleteObject},
    {"CFURLGetFSRef", call_CFURLGetFSRef},
    {"CFURLCreateFromFSRef", call_CFURLCreateFromFSRef},
};
