// Graphs asked wrongly, in each of their states; components and listeners.
#include "refused.h"

static void wrong_graph_handles(void) {
  const Handles handles = handles_but(graph, NULL);
  const AudioComponentDescription wanted = {'aufx', 'lpas', 'appl', 0, 0};
  const AURenderCallbackStruct callback = {give_silence, NULL};
  AudioComponentDescription found;
  AUNodeInteraction interaction, interactions[4];
  AUNode node = 1;
  UInt32 count = 4, bus;
  Boolean answer;
  Float32 load;
  AUGraph inner;
  for (int at = 0; at < handles.count; ++at) {
    AUGraph none = handles.list[at];
    ANSWERS(-50, DisposeAUGraph(none));
    ANSWERS(-50, AUGraphAddNode(none, &wanted, &node));
    ANSWERS(-50, AUGraphRemoveNode(none, 1));
    ANSWERS(-50, AUGraphGetNodeCount(none, &count));
    ANSWERS(-50, AUGraphGetIndNode(none, 0, &node));
    ANSWERS(-50, AUGraphNodeInfo(none, 1, &found, NULL));
    ANSWERS(-50, AUGraphNewNodeSubGraph(none, &node));
    ANSWERS(-50, AUGraphGetNodeInfoSubGraph(none, 1, &inner));
    ANSWERS(-50, AUGraphIsNodeSubGraph(none, 1, &answer));
    ANSWERS(-50, AUGraphConnectNodeInput(none, 1, 0, 2, 0));
    ANSWERS(-50, AUGraphSetNodeInputCallback(none, 1, 0, &callback));
    ANSWERS(-50, AUGraphDisconnectNodeInput(none, 1, 0));
    ANSWERS(-50, AUGraphClearConnections(none));
    ANSWERS(-50, AUGraphGetNumberOfInteractions(none, &count));
    ANSWERS(-50, AUGraphGetInteractionInfo(none, 0, &interaction));
    ANSWERS(-50, AUGraphCountNodeInteractions(none, 1, &count));
    ANSWERS(-50, AUGraphGetNodeInteractions(none, 1, &count, interactions));
    ANSWERS(-50, AUGraphUpdate(none, &answer));
    ANSWERS(-50, AUGraphUpdate(none, NULL));
    ANSWERS(-50, AUGraphOpen(none));
    ANSWERS(-50, AUGraphClose(none));
    ANSWERS(-50, AUGraphInitialize(none));
    ANSWERS(-50, AUGraphUninitialize(none));
    ANSWERS(-50, AUGraphStart(none));
    ANSWERS(-50, AUGraphStop(none));
    ANSWERS(-50, AUGraphIsOpen(none, &answer));
    ANSWERS(-50, AUGraphIsInitialized(none, &answer));
    ANSWERS(-50, AUGraphIsRunning(none, &answer));
    ANSWERS(-50, AUGraphGetCPULoad(none, &load));
    ANSWERS(-50, AUGraphGetMaxCPULoad(none, &load));
    ANSWERS(-50, AUGraphAddRenderNotify(none, give_silence, NULL));
    ANSWERS(-50, AUGraphRemoveRenderNotify(none, give_silence, NULL));
    ANSWERS(-50, AUGraphNewNode(none, &wanted, 0, NULL, &node));
    ANSWERS(-50, AUGraphGetNodeInfo(none, 1, &found, NULL, NULL, NULL));
    ANSWERS(-50, AUGraphGetNumberOfConnections(none, &count));
    ANSWERS(-50, AUGraphGetConnectionInfo(none, 0, &node, &bus, &node, &bus));
    ANSWERS(-50, AUGraphCountNodeConnections(none, 1, &count));
    ANSWERS(-50, AUGraphGetNodeConnections(none, 1, (AudioUnitNodeConnection *)interactions, &count));
  }
  say_judged("graphs that are none");
}

// Nodes that are not there, and pointers that are missing.
static void ask_graph(AUGraph one, AUNode effect, AUNode output, AUNode inside) {
  const AURenderCallbackStruct callback = {give_silence, NULL};
  const AudioComponentDescription wanted = {'aufx', 'lpas', 'appl', 0, 0}, unknown = {'aufx', 'zzzz', 'appl', 0, 0};
  const AUNode nodes[] = {0, -1, 4711};
  AudioComponentDescription found;
  AUNodeInteraction interaction, interactions[4];
  AUNode node;
  AUGraph inner;
  AudioUnit of_node;
  UInt32 count = 4, bus, nodes_before, nodes_after, edges_before, edges_after;
  Boolean answer;
  need(AUGraphGetNodeCount(one, &nodes_before), "count"), need(AUGraphGetNumberOfInteractions(one, &edges_before), "count");
  for (int at = 0; at < 3; ++at) {
    const AUNode none = nodes[at];
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphRemoveNode(one, none));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphNodeInfo(one, none, &found, &of_node));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphGetNodeInfoSubGraph(one, none, &inner));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphIsNodeSubGraph(one, none, &answer));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphConnectNodeInput(one, none, 0, output, 0));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphConnectNodeInput(one, effect, 0, none, 0));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphSetNodeInputCallback(one, none, 0, &callback));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphDisconnectNodeInput(one, none, 0));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphCountNodeInteractions(one, none, &count));
    count = 4;
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphGetNodeInteractions(one, none, &count, interactions));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphGetNodeInfo(one, none, &found, NULL, NULL, NULL));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphCountNodeConnections(one, none, &count));
    ANSWERS(kAUGraphErr_NodeNotFound, AUGraphGetNodeConnections(one, none, (AudioUnitNodeConnection *)interactions, &count));
  }
  ANSWERS(kAUGraphErr_InvalidAudioUnit, AUGraphAddNode(one, &unknown, &node));
  ANSWERS(kAUGraphErr_OutputNodeErr, AUGraphAddNode(one, &(AudioComponentDescription){'auou', 'rioc', 'appl', 0, 0}, &node));
  ANSWERS(kAUGraphErr_OutputNodeErr, AUGraphNewNode(one, &(AudioComponentDescription){'auou', 'genr', 'appl', 0, 0}, 0, NULL, &node));
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphConnectNodeInput(one, effect, 0, effect, 0));
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphConnectNodeInput(one, effect, 0, inside, 0));
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphSetNodeInputCallback(one, inside, 0, &callback));
  ANSWERS(kAUGraphErr_NodeNotFound, AUGraphGetNodeInfoSubGraph(one, effect, &inner));
  ANSWERS(-50, AUGraphGetIndNode(one, nodes_before, &node));
  ANSWERS(-50, AUGraphGetIndNode(one, 0xFFFFFFFF, &node));
  ANSWERS(-50, AUGraphGetInteractionInfo(one, edges_before, &interaction));
  ANSWERS(-50, AUGraphGetConnectionInfo(one, edges_before, &node, &bus, &node, &bus));
  ANSWERS(-50, AUGraphAddNode(one, (const AudioComponentDescription *)nothing, &node));
  ANSWERS(-50, AUGraphAddNode(one, &wanted, (AUNode *)nothing));
  ANSWERS(-50, AUGraphNewNode(one, (const AudioComponentDescription *)nothing, 0, NULL, &node));
  ANSWERS(-50, AUGraphNewNode(one, &wanted, 0, NULL, (AUNode *)nothing));
  ANSWERS(-50, AUGraphNewNode(one, &wanted, 4, &count, &node));
  ANSWERS(-50, AUGraphNewNodeSubGraph(one, (AUNode *)nothing));
  ANSWERS(-50, AUGraphGetNodeCount(one, (UInt32 *)nothing));
  ANSWERS(-50, AUGraphGetIndNode(one, 0, (AUNode *)nothing));
  ANSWERS(-50, AUGraphGetNodeInfoSubGraph(one, inside, (AUGraph *)nothing));
  ANSWERS(-50, AUGraphIsNodeSubGraph(one, effect, (Boolean *)nothing));
  ANSWERS(-50, AUGraphSetNodeInputCallback(one, effect, 0, (const AURenderCallbackStruct *)nothing));
  ANSWERS(-50, AUGraphGetNumberOfInteractions(one, (UInt32 *)nothing));
  ANSWERS(-50, AUGraphGetInteractionInfo(one, 0, (AUNodeInteraction *)nothing));
  ANSWERS(-50, AUGraphCountNodeInteractions(one, effect, (UInt32 *)nothing));
  ANSWERS(-50, AUGraphGetNodeInteractions(one, effect, (UInt32 *)nothing, interactions));
  ANSWERS(-50, AUGraphGetNumberOfConnections(one, (UInt32 *)nothing));
  ANSWERS(-50, AUGraphCountNodeConnections(one, effect, (UInt32 *)nothing));
  ANSWERS(-50, AUGraphIsOpen(one, (Boolean *)nothing));
  ANSWERS(-50, AUGraphIsInitialized(one, (Boolean *)nothing));
  ANSWERS(-50, AUGraphIsRunning(one, (Boolean *)nothing));
  ANSWERS(-50, AUGraphGetCPULoad(one, (Float32 *)nothing));
  ANSWERS(-50, AUGraphGetMaxCPULoad(one, (Float32 *)nothing));
  ANSWERS(-50, AUGraphAddRenderNotify(one, (AURenderCallback)nothing, NULL));
  ANSWERS(0, AUGraphNodeInfo(one, effect, NULL, NULL));
  ANSWERS(0, AUGraphRemoveRenderNotify(one, give_silence, NULL));
  need(AUGraphGetNodeCount(one, &nodes_after), "count"), need(AUGraphGetNumberOfInteractions(one, &edges_after), "count");
  HOLDS(nodes_after == nodes_before && edges_after == edges_before);
}

static void say_state(AUGraph one, int open, int initialized, int running) {
  Boolean answers[3] = {9, 9, 9};
  ANSWERS(0, AUGraphIsOpen(one, &answers[0])), ANSWERS(0, AUGraphIsInitialized(one, &answers[1])), ANSWERS(0, AUGraphIsRunning(one, &answers[2]));
  HOLDS(answers[0] == open && answers[1] == initialized && answers[2] == running);
}

void wrong_graphs(void) {
  wrong_graph_handles();
  AUGraph one, inner;
  AUNode effect, output, inside;
  Boolean updated;
  ANSWERS(-50, NewAUGraph((AUGraph *)nothing));
  need(NewAUGraph(&one), "graph");
  say_state(one, 0, 0, 0);
  // A graph without an output.
  ANSWERS(kAUGraphErr_CannotDoInCurrentContext, AUGraphInitialize(one));
  ANSWERS(kAUGraphErr_CannotDoInCurrentContext, AUGraphStart(one));
  ANSWERS(kAUGraphErr_CannotDoInCurrentContext, AUGraphStop(one));
  ANSWERS(0, AUGraphUninitialize(one)), ANSWERS(0, AUGraphClose(one)), ANSWERS(0, AUGraphUpdate(one, NULL));
  ANSWERS(0, AUGraphOpen(one)), ANSWERS(0, AUGraphOpen(one));
  say_state(one, 1, 0, 0);
  ANSWERS(kAUGraphErr_CannotDoInCurrentContext, AUGraphStart(one));
  ANSWERS(0, AUGraphInitialize(one)), ANSWERS(0, AUGraphInitialize(one));
  say_state(one, 1, 1, 0);
  ANSWERS(kAUGraphErr_OutputNodeErr, AUGraphStart(one));
  ANSWERS(kAUGraphErr_OutputNodeErr, AUGraphStop(one));
  ANSWERS(0, AUGraphClose(one));
  say_state(one, 0, 0, 0);
  need(AUGraphAddNode(one, &(AudioComponentDescription){'aufx', 'lpas', 'appl', 0, 0}, &effect), "node");
  need(AUGraphAddNode(one, &(AudioComponentDescription){'auou', 'rioc', 'appl', 0, 0}, &output), "node");
  need(AUGraphNewNodeSubGraph(one, &inside), "node"), need(AUGraphGetNodeInfoSubGraph(one, inside, &inner), "inner");
  need(AUGraphConnectNodeInput(one, effect, 0, output, 0), "connect");
  // The graph of a node is not the caller's.
  ANSWERS(-50, DisposeAUGraph(inner));
  ask_graph(one, effect, output, inside);
  need(AUGraphOpen(one), "open"), ask_graph(one, effect, output, inside);
  need(AUGraphInitialize(one), "initialize"), ask_graph(one, effect, output, inside);
  say_state(one, 1, 1, 0);
  // A ring, also by way of what waits for the update.
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphConnectNodeInput(one, output, 0, effect, 0));
  ANSWERS(0, AUGraphUpdate(one, &updated));
  HOLDS(updated == 1);
  // A bus that is not there is found out by the update.
  ANSWERS(0, AUGraphConnectNodeInput(one, effect, 3, output, 0));
  ANSWERS(kAudioUnitErr_InvalidElement, AUGraphUpdate(one, NULL));
  ANSWERS(0, AUGraphUninitialize(one)), ANSWERS(0, AUGraphUninitialize(one));
  say_state(one, 1, 0, 0);
  ANSWERS(0, DisposeAUGraph(one));
  ANSWERS(-50, DisposeAUGraph(one));
  say_judged("a graph");
}

// MARK: Components, listeners

static AudioComponentPlugInInterface *make_nothing(const AudioComponentDescription *wanted) { return (void)wanted, NULL; }

void wrong_components(void) {
  const Handles handles = handles_but(component, NULL);
  AudioComponentDescription found;
  UInt32 version;
  CFStringRef name;
  CFDictionaryRef information;
  AudioComponentValidationResult result;
  AudioUnit made = (AudioUnit)1;
  for (int at = 0; at < handles.count; ++at) {
    AudioComponent none = handles.list[at];
    ANSWERS(-50, AudioComponentCopyName(none, &name));
    ANSWERS(-50, AudioComponentGetDescription(none, &found));
    ANSWERS(-50, AudioComponentGetVersion(none, &version));
    ANSWERS(-50, AudioComponentInstanceNew(none, &made));
    ANSWERS(-50, AudioComponentCopyConfigurationInfo(none, &information));
    ANSWERS(-50, AudioComponentValidate(none, NULL, &result));
  }
  ANSWERS(-50, AudioComponentCopyName(component, (CFStringRef *)nothing));
  ANSWERS(-50, AudioComponentGetDescription(component, (AudioComponentDescription *)nothing));
  ANSWERS(-50, AudioComponentGetVersion(component, (UInt32 *)nothing));
  ANSWERS(-50, AudioComponentInstanceNew(component, (AudioUnit *)nothing));
  ANSWERS(-50, AudioComponentCopyConfigurationInfo(component, (CFDictionaryRef *)nothing));
  ANSWERS(-50, AudioComponentValidate(component, NULL, (AudioComponentValidationResult *)nothing));
  const AudioComponentDescription nobody = {'aufx', 'zzzz', 'appl', 0, 0}, whole = {'aufx', 'lpas', 'appl', 0, 0}, mine = {'aufx', 'mine', 'test', 0, 0};
  HOLDS(AudioComponentFindNext(NULL, &nobody) == NULL);
  HOLDS(AudioComponentCount(&nobody) == 0);
  HOLDS(AudioComponentCount(&whole) == 1);
  HOLDS(AudioComponentFindNext(component, &whole) == NULL);
  HOLDS(AudioComponentFindNext(NULL, (const AudioComponentDescription *)nothing) == NULL);
  HOLDS(AudioComponentCount((const AudioComponentDescription *)nothing) == 0);
  CFStringRef text = text_of("Test: Mine");
  HOLDS(AudioComponentRegister((const AudioComponentDescription *)nothing, text, 1, make_nothing) == NULL);
  HOLDS(AudioComponentRegister(&mine, text, 1, (AudioComponentFactoryFunction)nothing) == NULL);
  HOLDS(AudioComponentCount(&mine) == 0);
  CFRelease(text);
  say_judged("components that are none");
}

void wrong_listeners(void) {
  const AudioUnitParameter there = {unit, 0, 0, 0};
  const AudioUnitEvent changed = {.mEventType = kAudioUnitEvent_ParameterValueChange, .mArgument.mParameter = there};
  AUParameterListenerRef made;
  AUEventListenerRef made_event;
  int object;
  const Handles handles = handles_but(listener, events);
  for (int at = 0; at < handles.count; ++at) {
    void *none = handles.list[at];
    ANSWERS(-50, AUListenerDispose(none));
    ANSWERS(-50, AUListenerAddParameter(none, &object, &there));
    ANSWERS(-50, AUListenerRemoveParameter(none, &object, &there));
    ANSWERS(-50, AUEventListenerAddEventType(none, &object, &changed));
    ANSWERS(-50, AUEventListenerRemoveEventType(none, &object, &changed));
    if (none) {
      ANSWERS(-50, AUParameterSet(none, &object, &there, 1000, 0));
      ANSWERS(-50, AUParameterListenerNotify(none, &object, &there));
      ANSWERS(-50, AUEventListenerNotify(none, &object, &changed));
    }
  }
  // Units that are none, events of no type, parameter listeners asked for events.
  const Handles units = handles_but(unit, NULL);
  for (int at = 0; at < units.count; ++at) {
    const AudioUnitParameter gone = {units.list[at], 0, 0, 0};
    const AudioUnitEvent of_none = {.mEventType = kAudioUnitEvent_ParameterValueChange, .mArgument.mParameter = gone};
    ANSWERS(-50, AUListenerAddParameter(listener, &object, &gone));
    ANSWERS(-50, AUEventListenerAddEventType(events, &object, &of_none));
    ANSWERS(-50, AUParameterSet(NULL, NULL, &gone, 1000, 0));
    ANSWERS(-50, AUParameterListenerNotify(NULL, NULL, &gone));
    ANSWERS(-50, AUEventListenerNotify(NULL, NULL, &of_none));
    HOLDS(AUParameterValueFromLinear(0.5f, &gone) == 0 && AUParameterValueToLinear(0.5f, &gone) == 0);
  }
  AudioUnitEvent odd = changed;
  odd.mEventType = 4;
  ANSWERS(-50, AUEventListenerAddEventType(events, &object, &odd));
  ANSWERS(-50, AUEventListenerNotify(NULL, NULL, &odd));
  ANSWERS(-50, AUEventListenerAddEventType(listener, &object, &changed));
  ANSWERS(-50, AUEventListenerRemoveEventType(listener, &object, &changed));
  const AudioUnitParameter unknown = {unit, 99, 0, 0}, no_scope = {unit, 0, 99, 0}, no_element = {unit, 0, 0, 7};
  ANSWERS(kAudioUnitErr_InvalidParameter, AUParameterSet(NULL, NULL, &unknown, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidScope, AUParameterSet(NULL, NULL, &no_scope, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidElement, AUParameterSet(NULL, NULL, &no_element, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidParameterValue, AUParameterSet(NULL, NULL, &there, NAN, 0));
  ANSWERS(-50, AUParameterSet(NULL, NULL, (const AudioUnitParameter *)nothing, 1, 0));
  ANSWERS(-50, AUListenerAddParameter(listener, &object, (const AudioUnitParameter *)nothing));
  ANSWERS(-50, AUListenerRemoveParameter(listener, &object, (const AudioUnitParameter *)nothing));
  ANSWERS(-50, AUParameterListenerNotify(NULL, NULL, (const AudioUnitParameter *)nothing));
  ANSWERS(-50, AUEventListenerAddEventType(events, &object, (const AudioUnitEvent *)nothing));
  ANSWERS(-50, AUEventListenerRemoveEventType(events, &object, (const AudioUnitEvent *)nothing));
  ANSWERS(-50, AUEventListenerNotify(NULL, NULL, (const AudioUnitEvent *)nothing));
  ANSWERS(-50, AUListenerCreate((AUParameterListenerProc)nothing, NULL, NULL, NULL, 0, &made));
  ANSWERS(-50, AUListenerCreate(hear_parameter, NULL, NULL, NULL, -1, &made));
  ANSWERS(-50, AUListenerCreate(hear_parameter, NULL, NULL, NULL, NAN, &made));
  ANSWERS(-50, AUListenerCreate(hear_parameter, NULL, NULL, NULL, 0, (AUParameterListenerRef *)nothing));
  ANSWERS(-50, AUEventListenerCreate((AUEventListenerProc)nothing, NULL, NULL, NULL, 0, 0, &made_event));
  ANSWERS(-50, AUEventListenerCreate(hear_event, NULL, NULL, NULL, -1, 0, &made_event));
  ANSWERS(-50, AUEventListenerCreate(hear_event, NULL, NULL, NULL, 0, -1, &made_event));
  ANSWERS(-50, AUEventListenerCreate(hear_event, NULL, NULL, NULL, 0, 0, (AUEventListenerRef *)nothing));
  // A listener that was not added can be removed.
  ANSWERS(0, AUListenerRemoveParameter(listener, &object, &there));
  ANSWERS(0, AUEventListenerRemoveEventType(events, &object, &changed));
  ANSWERS(0, AUListenerAddParameter(events, &object, &there));
  say_judged("listeners");
}
