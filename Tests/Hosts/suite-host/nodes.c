// Graphs whose nodes come with the state that their units begin with, and updates of which a part fails.
#include "refused.h"

extern Boolean CFEqual(const void *one, const void *other);
static const AudioComponentDescription low_pass = {'aufx', 'lpas', 'appl', 0, 0}, high_pass = {'aufx', 'hpas', 'appl', 0, 0}, mixer_kind = {'aumx', 'mcmx', 'appl', 0, 0};

static const void *state_with(const char *subtype, Float32 value) {
  AudioUnit one = unit_of("aufx", subtype);
  const void *state = NULL;
  UInt32 size = sizeof state;
  need(AudioUnitSetParameter(one, 0, 0, 0, value, 0), "parameter"), need(AudioUnitGetProperty(one, kAudioUnitProperty_ClassInfo, 0, 0, &state, &size), "state");
  need(AudioComponentInstanceDispose(one), "dispose");
  return state;
}
static Float32 value_of(AUGraph one, AUNode node) {
  AudioUnit inside = NULL;
  Float32 value = -1;
  need(AUGraphNodeInfo(one, node, NULL, &inside), "node");
  if (inside) need(AudioUnitGetParameter(inside, 0, 0, 0, &value), "parameter");
  return value;
}

static void states_of_nodes(void) {
  const void *state = state_with("lpas", 1234), *foreign = state_with("hpas", 99), *found;
  AUGraph one;
  AUNode node, plain, wrong;
  UInt32 size = 0, count = 0;
  AudioUnit inside;
  AudioComponentDescription description;
  Boolean is_open;
  need(NewAUGraph(&one), "graph");
  ANSWERS(0, AUGraphNewNode(one, &low_pass, sizeof state, &state, &node)), ANSWERS(0, AUGraphNewNode(one, &low_pass, 0, NULL, &plain));
  ANSWERS(-50, AUGraphNewNode(one, &low_pass, 4, &state, &wrong)), ANSWERS(-50, AUGraphNewNode(one, &low_pass, 9, &state, &wrong));
  // A closed graph gives back what the node was made with.
  found = NULL;
  ANSWERS(0, AUGraphGetNodeInfo(one, node, &description, &size, (void **)&found, &inside));
  HOLDS(description.componentSubType == 'lpas' && size == sizeof state && inside == NULL && found && CFEqual(found, state));
  if (found) CFRelease(found);
  size = 9, found = (void *)1;
  ANSWERS(0, AUGraphGetNodeInfo(one, plain, NULL, &size, (void **)&found, NULL)), HOLDS(size == 0 && found == NULL);
  ANSWERS(0, AUGraphOpen(one));
  HOLDS(value_of(one, node) == 1234), HOLDS(value_of(one, plain) == 6900);
  // An open one gives the present state.
  need(AUGraphNodeInfo(one, node, NULL, &inside), "node"), need(AudioUnitSetParameter(inside, 0, 0, 0, 2345, 0), "parameter");
  const void *expected = state_with("lpas", 2345);
  found = NULL, size = 0;
  ANSWERS(0, AUGraphGetNodeInfo(one, node, NULL, &size, (void **)&found, NULL)), HOLDS(size == sizeof state && found && CFEqual(found, expected));
  if (found) CFRelease(found);
  CFRelease(expected);
  size = 0;
  ANSWERS(0, AUGraphGetNodeInfo(one, node, NULL, &size, NULL, NULL)), HOLDS(size == sizeof state);
  ANSWERS(0, AUGraphGetNodeInfo(one, node, NULL, NULL, NULL, NULL));
  // A state of another kind of unit is refused where its unit is made: at once in an open graph, with the opening of a closed one, which then has none.
  need(AUGraphGetNodeCount(one, &count), "count");
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, AUGraphNewNode(one, &low_pass, sizeof foreign, &foreign, &wrong));
  UInt32 after = 0;
  need(AUGraphGetNodeCount(one, &after), "count"), HOLDS(after == count);
  ANSWERS(0, AUGraphNewNode(one, &high_pass, sizeof foreign, &foreign, &wrong)), HOLDS(value_of(one, wrong) == 99);
  need(AUGraphRemoveNode(one, wrong), "remove");
  ANSWERS(0, AUGraphClose(one));
  ANSWERS(0, AUGraphNewNode(one, &low_pass, sizeof foreign, &foreign, &wrong));
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, AUGraphOpen(one));
  ANSWERS(0, AUGraphIsOpen(one, &is_open)), HOLDS(!is_open), HOLDS(value_of(one, node) == -1);
  ANSWERS(0, AUGraphRemoveNode(one, wrong)), ANSWERS(0, AUGraphOpen(one));
  // A node begins anew with the state that it was made with.
  HOLDS(value_of(one, node) == 1234);
  need(DisposeAUGraph(one), "dispose");
  CFRelease(state), CFRelease(foreign);
  say_judged("states of nodes");
}

static void say_edges(AUGraph one, int expected, AUNode from, AUNode to) {
  UInt32 count = 9;
  AUNodeInteraction edge = {0};
  need(AUGraphGetNumberOfInteractions(one, &count), "count"), HOLDS(count == (UInt32)expected);
  if (expected == 0) return;
  ANSWERS(0, AUGraphGetInteractionInfo(one, 0, &edge));
  HOLDS(edge.nodeInteractionType == kAUNodeInteraction_Connection && edge.nodeInteraction.connection.sourceNode == from && edge.nodeInteraction.connection.destNode == to);
}

// An edit that cannot be carried out is dropped, with what it makes of the ones behind it; the others are carried out by the next update.
static void failing_updates(void) {
  AUGraph one;
  AUNode first, second, third;
  Boolean updated = 9;
  need(NewAUGraph(&one), "graph");
  need(AUGraphAddNode(one, &mixer_kind, &first), "node"), need(AUGraphAddNode(one, &mixer_kind, &second), "node"), need(AUGraphAddNode(one, &low_pass, &third), "node");
  need(AUGraphConnectNodeInput(one, first, 0, second, 0), "connect");
  need(AUGraphOpen(one), "open"), need(AUGraphInitialize(one), "initialize");
  say_edges(one, 1, first, second);
  // The second takes another source, of a bus that there is not, and becomes the first one's source: without that, a circle.
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphConnectNodeInput(one, second, 0, first, 0));
  ANSWERS(0, AUGraphConnectNodeInput(one, third, 3, second, 0)), ANSWERS(0, AUGraphConnectNodeInput(one, second, 0, first, 0));
  ANSWERS(kAudioUnitErr_InvalidElement, AUGraphUpdate(one, &updated));
  ANSWERS(kAUGraphErr_InvalidConnection, AUGraphUpdate(one, &updated));
  ANSWERS(0, AUGraphUpdate(one, &updated)), HOLDS(updated == 1);
  say_edges(one, 1, first, second);
  // Edits in front of one that fails are carried out with it.
  ANSWERS(0, AUGraphDisconnectNodeInput(one, second, 0)), ANSWERS(0, AUGraphConnectNodeInput(one, third, 0, second, 1)), ANSWERS(0, AUGraphConnectNodeInput(one, third, 0, first, 77));
  ANSWERS(kAudioUnitErr_InvalidElement, AUGraphUpdate(one, NULL));
  say_edges(one, 1, third, second);
  ANSWERS(0, AUGraphUpdate(one, NULL));
  ANSWERS(0, AUGraphClearConnections(one)), ANSWERS(0, AUGraphUpdate(one, NULL)), say_edges(one, 0, 0, 0);
  need(DisposeAUGraph(one), "dispose");
  say_judged("updates of which a part fails");
}

void graph_nodes(void) { states_of_nodes(), failing_updates(); }
