// The peer of the voice processor: WebRTC's audio processing module as Debian has it (0.3, before AEC3), as a command that
// `aubench measure --what voice` can run: a WAV file with the microphone and the loudspeaker in, the processed microphone out.
#include <sndfile.h>
#include <webrtc/modules/audio_processing/include/audio_processing.h>
#include <webrtc/modules/interface/module_common_types.h>

#include <cstdio>
#include <vector>

int main(int count, char **words) {
  if (count != 3) return 2;
  SF_INFO info = {};
  SNDFILE *in = sf_open(words[1], SFM_READ, &info);
  if (in == nullptr || info.channels != 2) return 3;
  SF_INFO mono = {};
  mono.samplerate = info.samplerate;
  mono.channels = 1;
  mono.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE *out = sf_open(words[2], SFM_WRITE, &mono);
  if (out == nullptr) return 4;

  webrtc::Config config;
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
  webrtc::AudioProcessing *processing = webrtc::AudioProcessing::Create(config);
  const webrtc::StreamConfig stream(info.samplerate, 1, false);
  if (processing->Initialize({{stream, stream, stream, stream}}) != 0) return 5;
  webrtc::EchoCancellation *echo = processing->echo_cancellation();
  echo->enable_drift_compensation(false);
  echo->set_suppression_level(webrtc::EchoCancellation::kModerateSuppression);
  echo->Enable(true);

  // It works on 10 ms.
  const int frames = info.samplerate / 100;
  std::vector<float> both(2 * frames), microphone(frames), loudspeaker(frames), result(frames), echoed(frames);
  for (sf_count_t left = info.frames; left > 0; left -= frames) {
    both.assign(2 * frames, 0);
    sf_readf_float(in, both.data(), frames);
    for (int frame = 0; frame < frames; ++frame) {
      microphone[frame] = both[2 * frame];
      loudspeaker[frame] = both[2 * frame + 1];
    }
    float *from = loudspeaker.data(), *to = echoed.data();
    processing->ProcessReverseStream(&from, stream, stream, &to);
    processing->set_stream_delay_ms(20);
    from = microphone.data(), to = result.data();
    processing->ProcessStream(&from, stream, stream, &to);
    sf_writef_float(out, result.data(), left < frames ? left : frames);
  }
  sf_close(in);
  return sf_close(out);
}
