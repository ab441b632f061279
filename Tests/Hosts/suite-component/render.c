// The sound of the component.
#include "component.h"

#include <math.h>

// The value for one frame: the last event that has begun by then, or the value that was set.
static Float64 value_at(const Instance *component, int at, SInt32 frame) {
  Float64 value = component->values[at];
  for (UInt32 index = 0; index < component->event_count; ++index) {
    const AudioUnitParameterEvent *event = &component->events[index];
    if (parameter_at(event->parameter, event->scope, event->element) != at) continue;
    if (event->eventType == kParameterEvent_Immediate) {
      if (frame >= (SInt32)event->eventValues.immediate.bufferOffset) value = event->eventValues.immediate.value;
      continue;
    }
    const SInt32 passed = frame - event->eventValues.ramp.startBufferOffset, length = (SInt32)event->eventValues.ramp.durationInFrames;
    const Float64 from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
    if (passed >= 0) value = passed >= length ? to : from + (to - from) * passed / length;
  }
  return value;
}

// A ramp's end stays.
static void settle(Instance *component) {
  for (UInt32 index = 0; index < component->event_count; ++index) {
    const AudioUnitParameterEvent *event = &component->events[index];
    const int at = parameter_at(event->parameter, event->scope, event->element);
    if (at >= 0) component->values[at] = event->eventType == kParameterEvent_Ramped ? event->eventValues.ramp.endValue : event->eventValues.immediate.value;
  }
  component->event_count = 0;
}

static OSStatus pull(Instance *component, UInt32 bus, const AudioTimeStamp *time, UInt32 frames, AudioBufferList *list) {
  AudioUnitRenderActionFlags flags = 0;
  list->mNumberBuffers = component->formats[bus].mChannelsPerFrame;
  // Into its own memory, or wherever the source has the frames.
  const int takes_pointers = option("pointers", 0) != 0;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel)
    list->mBuffers[channel] = (AudioBuffer){1, frames * 4, takes_pointers ? NULL : component->memory[bus][channel]};
  OSStatus status = kAudioUnitErr_NoConnection;
  if (component->sources[bus].inputProc) status = component->sources[bus].inputProc(component->sources[bus].inputProcRefCon, &flags, time, bus, frames, list);
  else if (component->connections[bus].sourceAudioUnit) status = AudioUnitRender(component->connections[bus].sourceAudioUnit, &flags, time, component->connections[bus].sourceOutputNumber, frames, list);
  note(component, "pull %u %d %u %g %d", bus, (int)status, list->mBuffers[0].mDataByteSize / 4, time->mSampleTime, (flags & kAudioUnitRenderAction_OutputIsSilence) != 0);
  // An input that nothing is connected to is silent.
  if (status == kAudioUnitErr_NoConnection && bus > 0) return list->mNumberBuffers = 0, noErr;
  return status;
}

OSStatus render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  Instance *component = self;
  note(component, "render %u %.17g %u %u %u %u %u", *flags, time->mSampleTime, time->mFlags, bus, frames, data->mNumberBuffers, data->mBuffers[0].mDataByteSize / 4);
  if (!component->is_initialized) return kAudioUnitErr_Uninitialized;
  if (frames > component->most_frames) return kAudioUnitErr_TooManyFramesToProcess;
  // An error of its own in one call.
  if (++component->renders == (UInt32)option("fails", 0)) return (OSStatus)option("status", -50);
  struct {
    AudioBufferList list;
    AudioBuffer more[most_channels - 1];
  } inputs[most_buses];
  for (UInt32 input = 0; input < component->inputs; ++input) {
    const OSStatus status = pull(component, input, time, frames, &inputs[input].list);
    if (status != noErr) return status;
  }
  const int own = option("own", 0) != 0;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel) {
    if (own || data->mBuffers[channel].mData == NULL) data->mBuffers[channel].mData = component->memory[most_buses][channel];
    Float32 *out = data->mBuffers[channel].mData;
    for (UInt32 frame = 0; frame < frames; ++frame) {
      Float64 sum = 0;
      for (UInt32 input = 0; input < component->inputs; ++input) {
        const AudioBufferList *list = &inputs[input].list;
        if (list->mNumberBuffers == 0) continue;
        const Float64 trim = component->bypass ? 1 : value_at(component, 4 + (int)input, (SInt32)frame);
        sum += trim * ((const Float32 *)list->mBuffers[channel % list->mNumberBuffers].mData)[frame];
      }
      if (!component->bypass)
        sum = value_at(component, 6, (SInt32)frame) * (value_at(component, 0, (SInt32)frame) * sum + value_at(component, 1, (SInt32)frame));
      out[frame] = (Float32)sum;
    }
  }
  // One that puts out no number.
  const double nan_frame = option("nan", -1);
  if (nan_frame >= 0 && nan_frame < frames) ((Float32 *)data->mBuffers[0].mData)[(UInt32)nan_frame] = (Float32)NAN;
  settle(component);
  return noErr;
}
