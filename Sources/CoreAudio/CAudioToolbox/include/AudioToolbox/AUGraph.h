// Graphs of audio units: nodes, connections and callbacks between them, and one output that pulls.
#ifndef AUDIOTOOLBOX_AUGRAPH_H
#define AUDIOTOOLBOX_AUGRAPH_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioUnitProperties.h>
#ifndef __swift__
#include <AudioToolbox/ComponentManager.h>
#endif

CA_HEADER_BEGIN

typedef struct OpaqueAUGraph *AUGraph;
typedef SInt32 AUNode;

CF_ENUM(OSStatus){
    kAUGraphErr_NodeNotFound = -10860,
    kAUGraphErr_InvalidConnection = -10861,
    kAUGraphErr_OutputNodeErr = -10862,
    kAUGraphErr_CannotDoInCurrentContext = -10863,
    kAUGraphErr_InvalidAudioUnit = -10864,
};

// MARK: Nodes

extern OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);
extern OSStatus DisposeAUGraph(AUGraph inGraph);

extern OSStatus AUGraphAddNode(
    AUGraph inGraph, const AudioComponentDescription *inDescription, AUNode *outNode);
extern OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);
extern OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);
extern OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);
extern OSStatus AUGraphNodeInfo(
    AUGraph inGraph, AUNode inNode, AudioComponentDescription *_Nullable outDescription,
    AudioUnit _Nullable *_Nullable outAudioUnit);

// A graph as a node of another; the outer graph owns it.
extern OSStatus AUGraphNewNodeSubGraph(AUGraph inGraph, AUNode *outNode);
extern OSStatus AUGraphGetNodeInfoSubGraph(
    AUGraph inGraph, AUNode inNode, AUGraph _Nullable *_Nonnull outSubGraph);
extern OSStatus AUGraphIsNodeSubGraph(AUGraph inGraph, AUNode inNode, Boolean *outFlag);

// MARK: Interactions

CF_ENUM(UInt32){
    kAUNodeInteraction_Connection = 1,
    kAUNodeInteraction_InputCallback = 2,
};

typedef struct AudioUnitNodeConnection {
  AUNode sourceNode;
  UInt32 sourceOutputNumber;
  AUNode destNode;
  UInt32 destInputNumber;
} AudioUnitNodeConnection;
typedef struct AudioUnitNodeConnection AUNodeConnection;

typedef struct AUNodeRenderCallback {
  AUNode destNode;
  AudioUnitElement destInputNumber;
  AURenderCallbackStruct cback;
} AUNodeRenderCallback;

typedef struct AUNodeInteraction {
  UInt32 nodeInteractionType;
  union {
    AUNodeConnection connection;
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;

extern OSStatus AUGraphConnectNodeInput(
    AUGraph inGraph, AUNode inSourceNode, UInt32 inSourceOutputNumber, AUNode inDestNode,
    UInt32 inDestInputNumber);
extern OSStatus AUGraphSetNodeInputCallback(
    AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber,
    const AURenderCallbackStruct *inInputCallback);
extern OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);
extern OSStatus AUGraphClearConnections(AUGraph inGraph);

extern OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);
extern OSStatus AUGraphGetInteractionInfo(
    AUGraph inGraph, UInt32 inInteractionIndex, AUNodeInteraction *outInteraction);
extern OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);
// The count is the room on the way in and what was written on the way out.
extern OSStatus AUGraphGetNodeInteractions(
    AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions, AUNodeInteraction *outInteractions);

// NULL waits until the pending edits are done; else the answer says whether none is left.
extern OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated);

// MARK: States

extern OSStatus AUGraphOpen(AUGraph inGraph);
extern OSStatus AUGraphClose(AUGraph inGraph);
extern OSStatus AUGraphInitialize(AUGraph inGraph);
extern OSStatus AUGraphUninitialize(AUGraph inGraph);
extern OSStatus AUGraphStart(AUGraph inGraph);
extern OSStatus AUGraphStop(AUGraph inGraph);
extern OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);
extern OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);
extern OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);

// Time spent rendering over time available, from 0: a short average, and the largest since last asked.
extern OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);
extern OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

extern OSStatus AUGraphAddRenderNotify(
    AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);
extern OSStatus AUGraphRemoveRenderNotify(
    AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);

// MARK: The calls of 2003, which know connections only

extern OSStatus AUGraphNewNode(
    AUGraph inGraph, const AudioComponentDescription *inDescription, UInt32 inClassDataSize,
    const void *_Nullable inClassData, AUNode *outNode);
extern OSStatus AUGraphGetNodeInfo(
    AUGraph inGraph, AUNode inNode, AudioComponentDescription *_Nullable outDescription,
    UInt32 *_Nullable outClassDataSize, void *_Nullable *_Nullable outClassData,
    AudioUnit _Nullable *_Nullable outAudioUnit);
extern OSStatus AUGraphGetNumberOfConnections(AUGraph inGraph, UInt32 *outNumConnections);
extern OSStatus AUGraphGetConnectionInfo(
    AUGraph inGraph, UInt32 inConnectionIndex, AUNode *outSourceNode, UInt32 *outSourceOutputNumber,
    AUNode *outDestNode, UInt32 *outDestInputNumber);
extern OSStatus AUGraphCountNodeConnections(AUGraph inGraph, AUNode inNode, UInt32 *outNumConnections);
extern OSStatus AUGraphGetNodeConnections(
    AUGraph inGraph, AUNode inNode, AudioUnitNodeConnection *outConnections, UInt32 *ioNumConnections);

CA_HEADER_END

#endif
