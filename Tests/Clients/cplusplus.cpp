// The interface from C++: lambdas as callbacks, flags that are combined, CFSTR at file scope, standard containers.
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

// A constant, as in the sources of plug-ins.
const CFStringRef presetKey = CFSTR(kAUPresetNameKey);

struct UnitDeleter {
  void operator()(AudioUnit unit) const { AudioComponentInstanceDispose(unit); }
};
using UnitPointer = std::unique_ptr<std::remove_pointer<AudioUnit>::type, UnitDeleter>;

std::string text(CFStringRef string) {
  char characters[128] = "";
  CFStringGetCString(string, characters, sizeof(characters), kCFStringEncodingUTF8);
  return characters;
}

class Sine {
 public:
  explicit Sine(double hertz) : hertz(hertz) {}

  static OSStatus callback(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                           UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData) {
    (void)ioActionFlags, (void)inBusNumber;
    static_cast<Sine *>(inRefCon)->fill(inTimeStamp->mSampleTime, inNumberFrames, *ioData);
    return noErr;
  }

 private:
  void fill(double start, UInt32 frames, AudioBufferList &list) const {
    for (UInt32 index = 0; index < list.mNumberBuffers; ++index) {
      Float32 *samples = static_cast<Float32 *>(list.mBuffers[index].mData);
      for (UInt32 frame = 0; frame < frames; ++frame) {
        samples[frame] = static_cast<Float32>(std::sin(2 * M_PI * hertz / 44100 * (start + frame)));
      }
    }
  }
  double hertz;
};

}  // namespace

int main() {
  AudioComponentDescription description{kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                        kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(nullptr, &description);
  CFStringRef name = nullptr;
  std::printf("name status %d\n", static_cast<int>(AudioComponentCopyName(component, &name)));
  std::printf("%s\n", text(name).c_str());
  CFRelease(name);
  std::printf("%s\n", text(presetKey).c_str());

  AudioUnit instance = nullptr;
  if (AudioComponentInstanceNew(component, &instance) != noErr) return 1;
  UnitPointer unit(instance);
  Sine sine(441);
  AURenderCallbackStruct callback{Sine::callback, &sine};
  OSStatus status = AudioUnitSetProperty(unit.get(), kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                                         &callback, sizeof(callback));
  status |= AudioUnitSetParameter(unit.get(), kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 441, 0);
  status |= AudioUnitInitialize(unit.get());
  // A lambda without captures is a render notification.
  static int postCalls = 0;
  status |= AudioUnitAddRenderNotify(
      unit.get(),
      [](void *, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *) {
        if (*flags & kAudioUnitRenderAction_PostRender) ++postCalls;
        return static_cast<OSStatus>(noErr);
      },
      nullptr);
  std::printf("set up %d\n", static_cast<int>(status));

  const UInt32 frames = 4410 / 10;
  std::vector<Float32> left(frames), right(frames);
  std::vector<unsigned char> memory(offsetof(AudioBufferList, mBuffers) + 2 * sizeof(AudioBuffer));
  AudioBufferList &list = *reinterpret_cast<AudioBufferList *>(memory.data());
  double largest = 0;
  for (int slice = 0; slice < 100; ++slice) {
    list.mNumberBuffers = 2;
    list.mBuffers[0] = AudioBuffer{1, static_cast<UInt32>(frames * sizeof(Float32)), left.data()};
    list.mBuffers[1] = AudioBuffer{1, static_cast<UInt32>(frames * sizeof(Float32)), right.data()};
    AudioUnitRenderActionFlags flags = 0;
    flags |= kAudioUnitRenderAction_DoNotCheckRenderArgs;
    AudioTimeStamp time{};
    FillOutAudioTimeStampWithSampleTime(time, slice * static_cast<double>(frames));
    status |= AudioUnitRender(unit.get(), &flags, &time, 0, frames, &list);
    if (slice < 50) continue;
    for (Float32 sample : left) largest = std::fmax(largest, std::fabs(sample));
  }
  // The cut-off frequency itself, at a resonance of 0 dB (Q = 1): neither louder nor softer.
  std::printf("rendered %d, at the cut-off %.2f dB, %d notifications\n", static_cast<int>(status),
              20 * std::log10(largest) + 0.0, postCalls);
  return 0;
}
