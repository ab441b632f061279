// AUGraph under drawn edits: nodes that come and go, connections, callbacks, what replaces them and takes them away, circles, inputs that are not
// there, updates. Mixers add up constants of the callbacks, so that the sound says what feeds what; a plain model of a graph, a list of links and a
// list of edits that wait, says what it must be, and what each call and question answers.
#include "drawn.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { most_nodes = 24, most_links = 200, most_edits = 200, feed_count = 5, buses = 8 };

typedef struct Link {
  AUNode to, from;
  UInt32 bus;
  // The callback in place of a node, -1: none.
  int feed;
} Link;

typedef struct Links {
  Link all[most_links];
  int count;
} Links;

typedef struct Edit {
  enum { feeding, taking, clearing, removal } kind;
  Link link;
} Edit;

static AUGraph graph;
static AUNode nodes[most_nodes], head;
static int node_count, step;
// The links that units have, those with what waits, and what waits.
static Links actual, present;
static Edit waiting[most_edits];
static int waiting_count;
static enum { closed, opened, ready } state;
static int is_started;
static Float64 now;
// Slices with sound, circles that were refused, updates that failed.
static int heard, circles, failures;
static char difference[200];

static void differ(const char *text, double found, double expected) {
  if (found != expected && !*difference) snprintf(difference, sizeof difference, "step %d, %s: %g, expected %g", step, text, found, expected);
}

// MARK: The model

static int apply(Links *links, const Edit *edit) {
  const Links before = *links;
  links->count = 0;
  for (int at = 0; at < before.count; ++at) {
    const Link *link = &before.all[at];
    const int is_input = link->to == edit->link.to && link->bus == edit->link.bus;
    const int goes = edit->kind == clearing || (edit->kind == removal ? link->to == edit->link.to || link->from == edit->link.to : is_input);
    if (!goes) links->all[links->count++] = *link;
  }
  if (edit->kind == feeding) links->all[links->count++] = edit->link;
  return before.count - links->count;
}

static int reaches(const Links *links, AUNode from, AUNode to) {
  if (from == to) return 1;
  for (int at = 0; at < links->count; ++at)
    if (links->all[at].from == from && reaches(links, links->all[at].to, to)) return 1;
  return 0;
}

// True where each link to a node that is heard is among others.
static int has_heard(const Links *links, const Links *others, const Links *before) {
  for (int at = 0; at < others->count; ++at) {
    int is_there = !reaches(before, others->all[at].to, head);
    for (int index = 0; index < links->count; ++index) is_there |= memcmp(&links->all[index], &others->all[at], sizeof(Link)) == 0;
    if (!is_there) return 0;
  }
  return 1;
}

static double value_of(const Links *links, AUNode node) {
  double sum = 0;
  for (int at = 0; at < links->count; ++at) {
    const Link *link = &links->all[at];
    if (link->to == node) sum += link->feed >= 0 ? (double)(1 << 4 * link->feed) : value_of(links, link->from);
  }
  return sum;
}

static int is_there(AUNode node) {
  for (int at = 0; at < node_count; ++at)
    if (nodes[at] == node) return 1;
  return 0;
}

static void make(Edit edit) {
  apply(&present, &edit);
  if (state == ready) waiting[waiting_count++] = edit;
  else actual = present;
}

// Carries out what waits: all of it, or what is in front of the first edit that cannot be; that one is forgotten.
static OSStatus carry_out(void) {
  int count = waiting_count, failed = -1;
  for (;;) {
    Links wanted = actual;
    for (int at = 0; at < count; ++at) apply(&wanted, &waiting[at]);
    int first = -1;
    for (int at = 0; at < count; ++at) {
      const Edit *edit = &waiting[at];
      if (edit->kind != feeding || edit->link.bus < buses) continue;
      for (int index = 0; index < wanted.count; ++index)
        if (wanted.all[index].to == edit->link.to && wanted.all[index].bus == edit->link.bus) first = at;
      if (first >= 0) break;
    }
    if (first < 0) {
      actual = wanted;
      break;
    }
    failed = count = first;
  }
  const int done = failed < 0 ? count : count + 1;
  memmove(waiting, waiting + done, (size_t)(waiting_count - done) * sizeof *waiting);
  waiting_count -= done, failures += failed >= 0;
  present = actual;
  for (int at = 0; at < waiting_count; ++at) apply(&present, &waiting[at]);
  return failed < 0 ? noErr : kAudioUnitErr_InvalidElement;
}

// MARK: The graph

// An update by a callback, in the middle of a slice: what it was answered.
static struct {
  int is_wanted, was_made;
  OSStatus status;
  Boolean done;
} inside;

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)flags, (void)time, (void)bus;
  if (inside.is_wanted && !inside.was_made) inside.was_made = 1, inside.status = AUGraphUpdate(graph, &inside.done);
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer)
    for (UInt32 at = 0; at < frames; ++at) ((Float32 *)data->mBuffers[buffer].mData)[at] = (Float32)(1 << 4 * (size_t)refcon);
  return noErr;
}

static void add(void) {
  if (node_count == most_nodes) return;
  const AudioComponentDescription mixer = {four("aumx"), four("mcmx"), kAudioUnitManufacturer_Apple, 0, 0};
  differ("add", AUGraphAddNode(graph, &mixer, &nodes[node_count++]), noErr);
}

static AUNode any(void) { return once_in(25) ? 900 + (AUNode)draw(3) : nodes[draw((UInt32)node_count)]; }

static UInt32 any_bus(AUNode to) { return to == head ? 0 : state == ready && once_in(30) ? buses + draw(3) : draw(3); }

static void connect(AUNode from, AUNode to, UInt32 bus) {
  if (from == head) return;
  const OSStatus status = AUGraphConnectNodeInput(graph, from, 0, to, bus);
  const int known = is_there(from) && is_there(to);
  const OSStatus expected = !known ? kAUGraphErr_NodeNotFound : reaches(&present, to, from) ? kAUGraphErr_InvalidConnection : noErr;
  differ("connect", status, expected);
  circles += expected == kAUGraphErr_InvalidConnection;
  if (status == noErr) make((Edit){feeding, {to, from, bus, -1}});
}

// An edge that is there is turned around: what feeds its source gets in front of its destination.
static void turn_around(void) {
  if (present.count == 0) return;
  const Link link = present.all[draw((UInt32)present.count)];
  if (link.feed >= 0 || link.to == head || link.bus >= buses) return;
  differ("disconnect", AUGraphDisconnectNodeInput(graph, link.to, link.bus), noErr);
  make((Edit){taking, link});
  connect(link.to, link.from, any_bus(link.from));
}

static void feed(AUNode to, UInt32 bus) {
  const UInt32 which = draw(feed_count);
  const AURenderCallbackStruct callback = {give, (void *)(size_t)which};
  const OSStatus status = AUGraphSetNodeInputCallback(graph, to, bus, &callback);
  differ("callback", status, is_there(to) ? noErr : kAUGraphErr_NodeNotFound);
  if (status == noErr) make((Edit){feeding, {to, 0, bus, (int)which}});
}

static void take(AUNode to) {
  const UInt32 bus = to == head ? 0 : draw(3);
  const AURenderCallbackStruct none = {NULL, NULL};
  const OSStatus status = once_in(3) ? AUGraphSetNodeInputCallback(graph, to, bus, &none) : AUGraphDisconnectNodeInput(graph, to, bus);
  differ("disconnect", status, is_there(to) ? noErr : kAUGraphErr_NodeNotFound);
  if (status == noErr) make((Edit){taking, {to, 0, bus, -1}});
}

static void take_away(AUNode node) {
  if (node == head) return;
  const OSStatus status = AUGraphRemoveNode(graph, node);
  differ("remove", status, is_there(node) ? noErr : kAUGraphErr_NodeNotFound);
  if (status != noErr) return;
  for (int at = 0; at < node_count; ++at)
    if (nodes[at] == node) memmove(&nodes[at], &nodes[at + 1], (size_t)(--node_count - at) * sizeof *nodes);
  make((Edit){removal, {node, 0, 0, -1}});
}

static void update(void) {
  Boolean done = 9;
  const int has_answer = !once_in(4);
  const OSStatus status = AUGraphUpdate(graph, has_answer ? &done : NULL);
  differ("update", status, state == ready ? carry_out() : noErr);
  if (has_answer && status == noErr) differ("updated", done, 1);
}

static void change_state(void) {
  switch (draw(7)) {
    case 0:
      differ("open", AUGraphOpen(graph), noErr);
      if (state == closed) state = opened;
      break;
    case 1: case 2: case 3:
      differ("initialize", AUGraphInitialize(graph), state == closed ? kAUGraphErr_CannotDoInCurrentContext : noErr);
      if (state != closed) state = ready;
      break;
    case 4: {
      const OSStatus status = AUGraphStart(graph);
      const int begins = state == ready && !is_started;
      differ("start", status, state != ready ? kAUGraphErr_CannotDoInCurrentContext : begins ? carry_out() : noErr);
      if (begins && status == noErr) is_started = 1;
      break;
    }
    case 5:
      differ("stop", AUGraphStop(graph), state == ready ? noErr : kAUGraphErr_CannotDoInCurrentContext);
      is_started = 0;
      break;
    default:
      // An edit that cannot be carried out would keep it from being initialized again.
      for (int at = 0; at < present.count; ++at)
        if (present.all[at].bus >= buses) return;
      if (once_in(2)) differ("uninitialize", AUGraphUninitialize(graph), noErr), state = state == ready ? opened : state;
      else differ("close", AUGraphClose(graph), noErr), state = closed;
      actual = present, waiting_count = is_started = 0;
  }
}

// MARK: Questions

static int is_link(const AUNodeInteraction *found, const Link *link) {
  if (link->feed >= 0) {
    const AUNodeRenderCallback *callback = &found->nodeInteraction.inputCallback;
    return found->nodeInteractionType == kAUNodeInteraction_InputCallback && callback->destNode == link->to && callback->destInputNumber == link->bus && callback->cback.inputProc == give && callback->cback.inputProcRefCon == (void *)(size_t)link->feed;
  }
  const AUNodeConnection *connection = &found->nodeInteraction.connection;
  return found->nodeInteractionType == kAUNodeInteraction_Connection && connection->sourceNode == link->from && connection->sourceOutputNumber == 0 && connection->destNode == link->to && connection->destInputNumber == link->bus;
}

static void ask(void) {
  UInt32 count = 99;
  differ("count of nodes", AUGraphGetNodeCount(graph, &count), noErr), differ("nodes", count, node_count);
  for (int at = 0; at < node_count; ++at) {
    AUNode node = -1;
    differ("node of an index", AUGraphGetIndNode(graph, (UInt32)at, &node), noErr), differ("node", node, nodes[at]);
  }
  Boolean is_open = 9, is_ready = 9, runs = 9;
  AUGraphIsOpen(graph, &is_open), AUGraphIsInitialized(graph, &is_ready), AUGraphIsRunning(graph, &runs);
  differ("open", is_open, state >= opened), differ("initialized", is_ready, state == ready), differ("running", runs, is_started);
  differ("count of interactions", AUGraphGetNumberOfInteractions(graph, &count), noErr), differ("interactions", count, present.count);
  AUNodeInteraction one;
  UInt32 links = 0;
  for (int at = 0; at < present.count; ++at) {
    differ("interaction of an index", AUGraphGetInteractionInfo(graph, (UInt32)at, &one), noErr), differ("interaction", is_link(&one, &present.all[at]), 1);
    links += present.all[at].feed < 0;
  }
  differ("interaction beyond", AUGraphGetInteractionInfo(graph, (UInt32)present.count, &one), kAudio_ParamError);
  differ("count of connections", AUGraphGetNumberOfConnections(graph, &count), noErr), differ("connections", count, links);
  const AUNode node = nodes[draw((UInt32)node_count)];
  AUNodeInteraction list[most_links];
  UInt32 room = most_links, mine = 0;
  differ("interactions of a node", AUGraphGetNodeInteractions(graph, node, &room, list), noErr);
  for (int at = 0; at < present.count; ++at) {
    if (present.all[at].to != node && present.all[at].from != node) continue;
    if (mine < room) differ("interaction of a node", is_link(&list[mine], &present.all[at]), 1);
    ++mine;
  }
  differ("number of them", room, mine);
  differ("count of a node", AUGraphCountNodeInteractions(graph, node, &count), noErr), differ("counted", count, mine);
}

static void listen(void) {
  AudioUnit unit = NULL;
  AudioComponentDescription description;
  differ("node", AUGraphNodeInfo(graph, head, &description, &unit), noErr);
  differ("has a unit", unit != NULL, state >= opened);
  if (state != ready) return;
  Planes *room = planes_of(2, 40);
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp stamp = {.mSampleTime = now, .mFlags = kAudioTimeStampSampleTimeValid};
  now += 40;
  inside.is_wanted = once_in(4), inside.was_made = 0;
  const OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, 40, room->list);
  int is_fed = 0;
  for (int at = 0; at < actual.count; ++at) is_fed |= actual.all[at].to == head;
  differ("render", status, is_fed ? noErr : kAudioUnitErr_NoConnection);
  heard += is_fed && value_of(&actual, head) > 0;
  for (int at = 0; at < 40 && status == noErr; ++at)
    for (int channel = 0; channel < 2; ++channel) differ("sound", room->samples[channel][at], value_of(&actual, head));
  if (!inside.was_made) return;
  // Carried out by then, and heard from the next slice on.
  const Links before = actual;
  const int waited = waiting_count;
  differ("update inside", inside.status, carry_out());
  const int changed = !has_heard(&before, &actual, &before) || !has_heard(&actual, &before, &before);
  if (inside.status == noErr && (waited == 0 || changed)) differ("updated inside", inside.done, waited == 0);
}

static void wiring_of(UInt32 seed) {
  draw_from(seed + 150000);
  *difference = 0, node_count = 0, state = closed, is_started = waiting_count = heard = circles = failures = 0, actual.count = present.count = 0, now = 0;
  need(NewAUGraph(&graph), "new");
  const AudioComponentDescription output = {four("auou"), four("genr"), kAudioUnitManufacturer_Apple, 0, 0};
  need(AUGraphAddNode(graph, &output, &head), "output");
  nodes[node_count++] = head;
  for (int at = 3 + (int)draw(3); at > 0; --at) add();
  // Something is heard at first.
  for (int at = 1; at < node_count; ++at) feed(nodes[at], 2);
  connect(nodes[1], head, 0);
  if (!once_in(4)) AUGraphOpen(graph), AUGraphInitialize(graph), state = ready;
  const int steps = 60;
  for (step = 1; step <= steps && !*difference && waiting_count < most_edits - 4 && present.count < most_links - 4; ++step) {
    const AUNode to = once_in(6) ? head : any();
    switch (draw(17)) {
      case 0: add(); break;
      case 1: case 2: case 3: case 4: {
        const AUNode from = any();
        connect(from, to, any_bus(to));
        break;
      }
      case 5: case 6: feed(to, any_bus(to)); break;
      case 7: take(to); break;
      case 8: turn_around(); break;
      case 9: if (once_in(2)) take_away(any()); break;
      case 10: if (once_in(8)) differ("clear", AUGraphClearConnections(graph), noErr), make((Edit){clearing, {0}}); break;
      case 11: case 12: update(); break;
      case 13: case 14: connect(nodes[draw((UInt32)node_count)], head, 0); break;
      default: change_state();
    }
    ask(), listen();
  }
  differ("dispose", DisposeAUGraph(graph), noErr);
  printf("seed %u: %d slices heard, %d circles, %d failures: %s\n", (unsigned)seed, heard, circles, failures, *difference ? difference : "ok");
}

void wirings(void) { for_seeds(100, wiring_of); }
