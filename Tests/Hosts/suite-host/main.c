// A host written against the C interface, as programs from a Mac are: suites test the interface with it.
//
//     suite-host SCENARIO
//
// prints what the scenario finds, the same on every machine; `fixtures/suites/hosts` has the texts.
#include "host.h"

static const struct {
  const char *name;
  void (*run)(void);
} scenarios[] = {
    {"tagged", tag_texts},
    {"census", census},   {"formats", formats}, {"player", player},       {"device", play_device},   {"files", files},
    {"packets", packets}, {"layouts", layouts}, {"rendering", rendering}, {"scheduling", scheduling}, {"mixing", mixing},
    {"hardware", hardware}, {"threads", threads},   {"pace", pace},           {"effects", effects},
    {"converting", converting}, {"encodings", all_encodings}, {"clients", client_layouts}, {"speakers", speakers}, {"voices", voices},   {"graphs", graphs},         {"reading", reading},
    {"session", session},   {"services", services}, {"registered", registered}, {"chunks", chunks},
    {"jumps", clock_jumps}, {"numbers", property_numbers},
    {"feeds", feeds},       {"matrix", mix_matrix}, {"offline", offline}, {"slices", sound_slices}, {"networks", networks}, {"properties", all_properties}, {"scripts", scripts}, {"objects", all_objects}, {"schedules", schedules}, {"listeners", drawn_listeners}, {"facts", format_facts}, {"writing", writing}, {"routes", routes}, {"tails", tails}, {"markers", file_markers}, {"limits", limits}, {"regions", file_regions}, {"wirings", wirings}, {"states", states}, {"restarts", restarts}, {"devices", devices}, {"bundled", bundled}, {"meters", drawn_meters}, {"fresh", as_fresh}, {"refused", wrong_asking}, {"removals", removals}, {"orders", channel_orders}, {"pushed", pushed_frames}, {"queued", on_queues}, {"transcript", print_transcript}, {"words", all_words}, {"mirrored", mirrored_hardware}, {"primes", prime_methods}, {"nodes", graph_nodes}, {"coded", coded_packets}, {"rings", file_rings}, {"catalogue", type_catalogue}, {"one-unit", make_one_unit},
};

Planes *planes_of(UInt32 channels, UInt32 frames) {
  static Planes planes;
  if (planes.list == NULL) planes.list = malloc(sizeof(AudioBufferList) + most_channels * sizeof(AudioBuffer));
  planes.list->mNumberBuffers = channels;
  for (UInt32 channel = 0; channel < channels; ++channel) {
    planes.list->mBuffers[channel].mNumberChannels = 1;
    planes.list->mBuffers[channel].mDataByteSize = frames * 4;
    planes.list->mBuffers[channel].mData = planes.samples[channel];
    memset(planes.samples[channel], 0x55, sizeof planes.samples[channel]);
  }
  return &planes;
}

const char *temporary(const char *name) {
  static char paths[4][4096];
  static int next;
  char *path = paths[next++ % 4];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof paths[0], "%s/%s", folder && *folder ? folder : "/tmp", name);
  return path;
}

Digest file_digest(const char *path, long *bytes) {
  *bytes = -1;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  Digest state = digest(0, "", 0);
  unsigned char block[4096];
  *bytes = 0;
  for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) {
    state = digest(state, block, got);
    *bytes += (long)got;
  }
  fclose(file);
  return state;
}

/// The number of a handle among those that were shown, from 1 on: the numbers themselves depend on how many units there
/// are.
static int handle_number(unsigned long long handle) {
  static unsigned long long shown[4096];
  static int count = 0;
  for (int index = 0; index < count; ++index)
    if (shown[index] == handle) return index + 1;
  if (count < (int)(sizeof shown / sizeof shown[0])) shown[count++] = handle;
  return count;
}

/// A line of CAShow with numbers in place of handles: "0x81000000100013" is "0x81#1".
static void print_shown(const char *text) {
  printf("  shown: ");
  for (const char *handle; (handle = strstr(text, "0x8")) != NULL;) {
    char *end;
    unsigned long long value = strtoull(handle, &end, 16);
    if (end - handle == 16)
      printf("%.*s#%d", (int)(handle + 4 - text), text, handle_number(value));
    else
      printf("%.*s", (int)(end - text), text);
    text = end;
  }
  printf("%s\n", text);
}

void show(void *object) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  CAShowFile(object, stream);
  fclose(stream);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const char *end = strstr(line, "callback ") ? strstr(line, " => ") : NULL;
    print_shown(end ? end : line);
  }
  free(text);
}

int main(int count, char **arguments) {
  // The library's lines on standard error appear in their place between the output.
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t index = 0; count == 2 && index < sizeof scenarios / sizeof scenarios[0]; ++index) {
    if (strcmp(arguments[1], scenarios[index].name) != 0) continue;
    scenarios[index].run();
    return 0;
  }
  fprintf(stderr, "suite-host: one scenario:");
  for (size_t index = 0; index < sizeof scenarios / sizeof scenarios[0]; ++index) fprintf(stderr, " %s", scenarios[index].name);
  fprintf(stderr, "\n");
  return 2;
}
