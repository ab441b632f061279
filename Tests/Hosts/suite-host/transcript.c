// The transcript of a program's calls (AUBENCH_TRACE): this program runs its own scenario of wrong calls, in which every function of the interface is
// called, and prints each line of the transcript once. Behind it objects of each kind as CAShow prints them.
#include <unistd.h>

#include "refused.h"

enum { most_lines = 8192 };

static void print_once(FILE *file) {
  static Digest seen[most_lines];
  int count = 0;
  char line[1024];
  while (fgets(line, sizeof line, file)) {
    const Digest words = digest(0, line, strlen(line));
    int at = 0;
    while (at < count && seen[at] != words) ++at;
    if (at < count || count == most_lines) continue;
    seen[count++] = words;
    fputs(line, stdout);
  }
}

static void show_objects(void) {
  const AudioStreamBasicDescription from = stereo16(), to = planar(44100, 1), law = {8000, 'ulaw', 0, 1, 1, 1, 1, 8, 0};
  AudioConverterRef converter;
  AUParameterListenerRef parameters;
  AUEventListenerRef all_events;
  need(AudioConverterNew(&from, &to, &converter), "converter"), show(converter), need(AudioConverterDispose(converter), "dispose");
  show(converter);
  need(AudioConverterNew(&law, &law, &converter), "converter"), show(converter), need(AudioConverterDispose(converter), "dispose");
  need(AUListenerCreate(hear_parameter, NULL, NULL, NULL, 0, &parameters), "listener"), show(parameters);
  need(AUEventListenerCreate(hear_event, NULL, NULL, NULL, 0, 0, &all_events), "listener"), show(all_events);
  make_files();
  AudioFileID file = open_file("coded.flac", 1);
  show(file), need(AudioFileClose(file), "close");
  ExtAudioFileRef extended = open_extended("plain.aif");
  show(extended);
  need(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, sizeof to, &to), "client"), show(extended);
  need(ExtAudioFileDispose(extended), "dispose");
  extended = open_extended("coded.flac"), show(extended), need(ExtAudioFileDispose(extended), "dispose");
  file = open_file("plain.wav", 3), need(ExtAudioFileWrapAudioFileID(file, 1, &extended), "wrap");
  show(extended), need(ExtAudioFileDispose(extended), "dispose"), show(file), need(AudioFileClose(file), "close");
  const AudioComponentDescription wanted = {'aufx', 'dely', 'appl', 0, 0};
  show(AudioComponentFindNext(NULL, &wanted)), show(NULL);
  AudioUnit mixer = unit_of("aumx", "mcmx");
  need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 2), "elements"), need(set_format(mixer, 1, 1, planar(22050, 1)), "format");
  show(mixer), need(AudioUnitInitialize(mixer), "initialize"), show(mixer), need(AudioComponentInstanceDispose(mixer), "dispose");
}

void print_transcript(void) {
  char program[4096], command[12288];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  need(length > 0 ? noErr : -1, "program");
  program[length] = 0;
  const char *path = temporary("transcript.txt");
  // A folder of its own for its files.
  snprintf(command, sizeof command, "cd '%s' && AUBENCH_TRACE='%s' '%s' refused > /dev/null 2>&1", temporary(""), path, program);
  need(system(command), "refused");
  FILE *file = fopen(path, "r");
  need(file ? noErr : -1, "transcript");
  print_once(file), fclose(file);
  show_objects();
}
