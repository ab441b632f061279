// AUGraph under a program that edits it at random, the same on every machine: what each call answers, what the graph
// then says of itself, and what it sounds like.
#include "host.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

typedef struct Session {
  AUGraph graph, inner;
  AUNode nodes[24];
  UInt32 count, seed, turn, notified;
  Float64 time;
} Session;

static UInt32 dice(Session *session, UInt32 sides) { return noise(session->seed * 7919 + session->turn++) % sides; }

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)frames;
  const UInt32 which = (UInt32)(size_t)refcon;
  if (which == 3) {
    *flags |= kAudioUnitRenderAction_OutputIsSilence;
    for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) memset(data->mBuffers[buffer].mData, 0, data->mBuffers[buffer].mDataByteSize);
    return noErr;
  }
  if (which == 4) return kAudioUnitErr_NoConnection;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) {
      samples[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1003 + bus * 77 + which * 9901) / 65536;
    }
  }
  return noErr;
}

static OSStatus notified(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)time, (void)bus, (void)data;
  Session *session = refcon;
  session->notified = session->notified * 31 + *flags * 7 + frames;
  return noErr;
}

static AUNode node_of(Session *session) {
  const UInt32 which = dice(session, session->count + 1);
  return which < session->count ? session->nodes[which] : (AUNode)(900 + dice(session, 3));
}

static void add(Session *session) {
  static const char *kinds[][2] = {{"aumx", "mcmx"}, {"aufx", "nbeq"}, {"aufx", "lpas"}, {"aufc", "conv"}, {"augn", "afpl"}, {"aufx", "none"}, {"aufx", "hpas"}, {"aumx", "mcmx"}};
  const UInt32 which = dice(session, sizeof kinds / sizeof kinds[0]);
  const AudioComponentDescription description = {four(kinds[which][0]), four(kinds[which][1]), kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = -1;
  const OSStatus status = dice(session, 4) == 0 ? AUGraphNewNode(session->graph, &description, 0, NULL, &node) : AUGraphAddNode(session->graph, &description, &node);
  printf("add %s: %s %d", kinds[which][1], status_text(status), (int)node);
  if (status == noErr && session->count < 24) session->nodes[session->count++] = node;
}

static void inspect(Session *session) {
  UInt32 count = 99, connections = 99, interactions = 99;
  Boolean open = 9, ready = 9, running = 9;
  AUGraphGetNodeCount(session->graph, &count);
  AUGraphGetNumberOfConnections(session->graph, &connections);
  AUGraphGetNumberOfInteractions(session->graph, &interactions);
  AUGraphIsOpen(session->graph, &open), AUGraphIsInitialized(session->graph, &ready), AUGraphIsRunning(session->graph, &running);
  printf("  %u nodes %u connections %u interactions %d%d%d:", (unsigned)count, (unsigned)connections, (unsigned)interactions, open, ready, running);
  for (UInt32 index = 0; index <= count; ++index) {
    AUNode node = -1;
    const OSStatus status = AUGraphGetIndNode(session->graph, index, &node);
    AudioComponentDescription description = {0};
    AudioUnit unit = NULL;
    UInt32 class_size = 9, of_node = 99, links = 99;
    void *class_data = NULL;
    Boolean sub = 9;
    const OSStatus info = dice(session, 2) ? AUGraphNodeInfo(session->graph, node, &description, &unit) : AUGraphGetNodeInfo(session->graph, node, &description, &class_size, &class_data, &unit);
    AUGraphCountNodeInteractions(session->graph, node, &of_node), AUGraphCountNodeConnections(session->graph, node, &links);
    AUGraphIsNodeSubGraph(session->graph, node, &sub);
    printf(" [%s %d %s %s %d %u %u %u %d", status_text(status), (int)node, status_text(info), status == noErr ? status_text((OSStatus)description.componentSubType) : "", unit != NULL, (unsigned)class_size, (unsigned)of_node, (unsigned)links, sub);
    AUNodeInteraction list[8];
    UInt32 room = 1 + dice(session, 7);
    if (AUGraphGetNodeInteractions(session->graph, node, &room, list) == noErr) {
      for (UInt32 at = 0; at < room; ++at) {
        if (list[at].nodeInteractionType == kAUNodeInteraction_Connection) {
          const AUNodeConnection *link = &list[at].nodeInteraction.connection;
          printf(" %d.%u>%d.%u", (int)link->sourceNode, (unsigned)link->sourceOutputNumber, (int)link->destNode, (unsigned)link->destInputNumber);
        } else {
          printf(" *%zu>%d.%u", (size_t)list[at].nodeInteraction.inputCallback.cback.inputProcRefCon, (int)list[at].nodeInteraction.inputCallback.destNode, (unsigned)list[at].nodeInteraction.inputCallback.destInputNumber);
        }
      }
    }
    AudioUnitNodeConnection ends[8];
    room = 1 + dice(session, 7);
    if (AUGraphGetNodeConnections(session->graph, node, ends, &room) == noErr) printf(" /%u", (unsigned)room);
    printf("]");
  }
  for (UInt32 index = 0; index <= interactions && interactions < 99; ++index) {
    AUNodeInteraction one;
    const OSStatus status = AUGraphGetInteractionInfo(session->graph, index, &one);
    printf(" %s", status_text(status));
    if (status == noErr) printf(":%u", (unsigned)one.nodeInteractionType);
    AUNode from = -1, to = -1;
    UInt32 output = 9, input = 9;
    if (AUGraphGetConnectionInfo(session->graph, index, &from, &output, &to, &input) == noErr) printf(" %d.%u>%d.%u", (int)from, (unsigned)output, (int)to, (unsigned)input);
  }
  printf("\n");
}

static void render(Session *session) {
  AudioUnit unit = NULL;
  if (AUGraphNodeInfo(session->graph, session->nodes[0], NULL, &unit) != noErr || unit == NULL) return;
  Digest all = 0;
  OSStatus status = noErr;
  AudioUnitRenderActionFlags last = 0;
  for (int slice = 0; slice < 2; ++slice) {
    Planes *room = planes_of(2, 200);
    AudioTimeStamp stamp = {.mSampleTime = session->time, .mFlags = kAudioTimeStampSampleTimeValid};
    last = 0;
    status = AudioUnitRender(unit, &last, &stamp, 0, 200, room->list);
    if (status != noErr) break;
    session->time += 200;
    all = digest(digest(all, room->samples[0], 800), room->samples[1], 800);
  }
  printf("  sound %s %016llx %x notified %u\n", status_text(status), all, (unsigned)last, (unsigned)session->notified);
}

static void step(Session *session) {
  AUGraph graph = session->graph;
  Boolean updated = 9;
  switch (dice(session, 20)) {
    case 0: case 1: add(session); break;
    case 2: case 3: case 4: case 5: case 6: {
      const AUNode from = node_of(session), to = node_of(session);
      const UInt32 output = dice(session, 40) == 0, input = dice(session, 8) ? 0 : dice(session, 3);
      printf("connect %d.%u>%d.%u: %s", (int)from, (unsigned)output, (int)to, (unsigned)input, status_text(AUGraphConnectNodeInput(graph, from, output, to, input)));
      break;
    }
    case 7: case 8: case 9: {
      const AUNode to = node_of(session);
      const UInt32 input = dice(session, 8) ? 0 : dice(session, 3), which = dice(session, 5);
      const AURenderCallbackStruct callback = {give, (void *)(size_t)which};
      printf("callback %u>%d.%u: %s", (unsigned)which, (int)to, (unsigned)input, status_text(AUGraphSetNodeInputCallback(graph, to, input, &callback)));
      break;
    }
    case 10: {
      const AUNode to = node_of(session);
      const UInt32 input = dice(session, 3);
      printf("disconnect %d.%u: %s", (int)to, (unsigned)input, status_text(AUGraphDisconnectNodeInput(graph, to, input)));
      break;
    }
    case 11: {
      const AUNode node = node_of(session);
      printf("remove %d: %s", (int)node, status_text(AUGraphRemoveNode(graph, node)));
      break;
    }
    case 12: {
      const OSStatus status = AUGraphUpdate(graph, &updated);
      printf("update: %s %d", status_text(status), updated);
      break;
    }
    case 13: printf("open: %s", status_text(AUGraphOpen(graph))); break;
    case 14: printf("initialize: %s", status_text(AUGraphInitialize(graph))); break;
    case 15: printf("update without an answer: %s", status_text(AUGraphUpdate(graph, NULL))); break;
    case 16:
      if (dice(session, 3) == 0) printf("uninitialize: %s", status_text(AUGraphUninitialize(graph)));
      else printf("initialize: %s", status_text(AUGraphInitialize(graph)));
      break;
    case 17: {
      const OSStatus on = AUGraphStart(graph), off = AUGraphStop(graph);
      printf("start and stop: %s %s", status_text(on), status_text(off));
      break;
    }
    case 18: {
      AUNode node = -1;
      AUGraph inner = NULL;
      const OSStatus made = dice(session, 3) ? -1 : AUGraphNewNodeSubGraph(graph, &node), found = AUGraphGetNodeInfoSubGraph(graph, node, &inner);
      printf("graph in a node: %s %d %s %d", status_text(made), (int)node, status_text(found), inner != NULL);
      break;
    }
    default:
      if (dice(session, 2)) printf("notify: %s", status_text(AUGraphAddRenderNotify(graph, notified, session)));
      else if (dice(session, 3)) printf("no notify: %s", status_text(AUGraphRemoveRenderNotify(graph, notified, session)));
      else if (dice(session, 3)) printf("clear: %s", status_text(AUGraphClearConnections(graph)));
      else printf("close: %s", status_text(AUGraphClose(graph)));
      break;
  }
  printf("\n");
}

// The first node after the output is heard, until it is edited away.
static void hear(Session *session) {
  const AURenderCallbackStruct callback = {give, (void *)9};
  AUNode head = -1;
  AUGraphGetIndNode(session->graph, 1, &head);
  printf("heard: %s", status_text(AUGraphConnectNodeInput(session->graph, head, 0, session->nodes[0], 0)));
  printf(" %s\n", status_text(AUGraphSetNodeInputCallback(session->graph, head, 0, &callback)));
}

void graphs(void) {
  for (UInt32 seed = 1; seed <= 14; ++seed) {
    Session session = {.seed = seed};
    printf("graph %u\n", (unsigned)seed);
    need(NewAUGraph(&session.graph), "new");
    const AudioComponentDescription output = {four("auou"), four("genr"), kAudioUnitManufacturer_Apple, 0, 0};
    need(AUGraphAddNode(session.graph, &output, &session.nodes[session.count++]), "output");
    for (int turn = 0; turn < 3; ++turn) add(&session), printf("\n");
    hear(&session);
    for (int turn = 0; turn < 70; ++turn) {
      step(&session);
      if (turn % 3 == 0) inspect(&session);
      if (turn % 2 == 0) render(&session);
      if (turn % 9 == 8) {
        const OSStatus open = AUGraphOpen(session.graph), ready = AUGraphInitialize(session.graph);
        printf("open %s initialize %s\n", status_text(open), status_text(ready));
        // An impossible edit is taken out, and the graph begins again from its first nodes.
        if (ready != noErr) {
          printf("clear %s ", status_text(AUGraphClearConnections(session.graph))), hear(&session);
          printf("again %s\n", status_text(AUGraphInitialize(session.graph)));
        }
      }
      // The output is fed again from wherever.
      if (turn % 13 == 12) printf("fed %s\n", status_text(AUGraphConnectNodeInput(session.graph, node_of(&session), 0, session.nodes[0], 0)));
    }
    Float32 load = -1, most = -1;
    printf("load %s %d %s %d\n", status_text(AUGraphGetCPULoad(session.graph, &load)), load >= 0 && load < 1000, status_text(AUGraphGetMaxCPULoad(session.graph, &most)), most >= load);
    show(session.graph);
    AudioUnit head = NULL;
    if (AUGraphNodeInfo(session.graph, session.nodes[0], NULL, &head) == noErr && head) show(head);
    printf("dispose %s", status_text(DisposeAUGraph(session.graph)));
    printf(" again %s\n", status_text(DisposeAUGraph(session.graph)));
  }
}
