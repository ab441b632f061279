// The audio session in a program for a telephone: every property read and set in every state, and the listeners that
// are called.
#include "host.h"

static void heard(void *client, AudioSessionPropertyID id, UInt32 size, const void *data) {
  (void)data;
  printf(" [told %zu %s %u]", (size_t)client, status_text((OSStatus)id), (unsigned)size);
}

static void interrupted(void *client, UInt32 state) { printf(" [interruption %zu %u]", (size_t)client, (unsigned)state); }

static const char *const properties[] = {"hwsr", "iobd", "acat", "roch", "chsr", "chic", "choc", "chov", "cilt", "colt", "chbd", "othr", "ovrd", "aiav", "died", "duck", "cmix", "cspk", "cblu",
                                         "type", "mode", "srcs", "dsts", "isrc", "odst", "igav", "igsc", "crar", "rout", "none"};
enum { property_count = sizeof properties / sizeof properties[0] };

static void ask(void) {
  for (int which = 0; which < property_count; ++which) {
    UInt32 size = 0;
    const UInt32 id = four(properties[which]);
    const OSStatus sized = AudioSessionGetPropertySize(id, &size);
    printf("  %s %s %u", properties[which], status_text(sized), sized == noErr ? (unsigned)size : 0);
    unsigned char room[64] = {0};
    size = sizeof room;
    const OSStatus status = AudioSessionGetProperty(id, &size, room);
    printf(" %s", status_text(status));
    static const char objects[] = "srcs dsts isrc odst crar rout";
    const int is_held = strstr(objects, properties[which]) != NULL;
    if (status == noErr && is_held) {
      const void *object;
      memcpy(&object, room, sizeof object);
      printf(" an object %d", object != NULL);
    } else if (status == noErr) {
      printf(" ");
      for (UInt32 at = 0; at < size; ++at) printf("%02x", room[at]);
    }
    size = 3;
    printf(" %s\n", status_text(AudioSessionGetProperty(id, &size, room)));
  }
}

static void set_word(const char *name, UInt32 value, UInt32 size) {
  printf(" %s=%s %s", name, status_text((OSStatus)value), status_text(AudioSessionSetProperty(four(name), size, &value)));
}

static void set_all(void) {
  const char *categories[] = {"ambi", "solo", "medi", "reca", "plar", "proc", "uifx", "live", "none"};
  const char *modes[] = {"dflt", "vcct", "vrcd", "msmt", "gmct", "none"};
  for (size_t which = 0; which < sizeof categories / sizeof categories[0]; ++which) {
    printf("category"), set_word("acat", four(categories[which]), 4);
    for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; ++mode) set_word("mode", four(modes[mode]), 4);
    set_word("mode", four("dflt"), 4);
    const char *switches[] = {"duck", "cmix", "cspk", "cblu", "aiav", "othr", "igav", "chic"};
    for (size_t at = 0; at < sizeof switches / sizeof switches[0]; ++at) set_word(switches[at], 1, 4), set_word(switches[at], 2, 4), set_word(switches[at], 0, 4), set_word(switches[at], 1, 2);
    set_word("ovrd", four("spkr"), 4), set_word("ovrd", 0, 4), set_word("ovrd", 5, 4);
    printf("\n");
    UInt32 values[4] = {0}, size = 4;
    const char *asked[] = {"acat", "mode", "aiav", "chic"};
    for (int at = 0; at < 4; ++at) size = 4, AudioSessionGetProperty(four(asked[at]), &size, &values[at]);
    printf("  now %s %s input %u of %u channels active %s", status_text((OSStatus)values[0]), status_text((OSStatus)values[1]), (unsigned)values[2], (unsigned)values[3], status_text(AudioSessionSetActive(1)));
    for (int at = 0; at < 4; ++at) size = 4, AudioSessionGetProperty(four(asked[at]), &size, &values[at]);
    printf(" input %u of %u\n", (unsigned)values[2], (unsigned)values[3]);
  }
  const Float64 rates[] = {0, -1, 8000, 44100, 48000, 96000, 1e9, NAN};
  const Float32 durations[] = {0, -1, 0.0001f, 0.005f, 0.0232f, 0.5f, 10, NAN};
  for (int at = 0; at < 8; ++at) {
    Float64 rate = -1;
    Float32 duration = -1;
    UInt32 size = 8;
    printf("wish %g %s %g %s %s", rates[at], status_text(AudioSessionSetProperty('hwsr', 8, &rates[at])), durations[at], status_text(AudioSessionSetProperty('iobd', 4, &durations[at])), status_text(AudioSessionSetProperty('hwsr', 4, &rates[at])));
    AudioSessionGetProperty('chsr', &size, &rate), size = 4, AudioSessionGetProperty('chbd', &size, &duration);
    printf(" is %g %g", rate, duration);
    AudioSessionSetActive(0), AudioSessionSetActive(1);
    size = 8, AudioSessionGetProperty('chsr', &size, &rate), size = 4, AudioSessionGetProperty('chbd', &size, &duration);
    printf(" then %g %g\n", rate, duration);
    const Float32 gain = durations[at];
    printf("  gain %s volume %s\n", status_text(AudioSessionSetProperty('igsc', 4, &gain)), status_text(AudioSessionSetProperty('chov', 4, &gain)));
  }
}

void session(void) {
  printf("before\n"), ask();
  printf("active %s\n", status_text(AudioSessionSetActive(1)));
  set_word("acat", four("medi"), 4);
  printf(" listen %s\n", status_text(AudioSessionAddPropertyListener('acat', heard, NULL)));
  printf("initialize %s", status_text(AudioSessionInitialize(NULL, NULL, interrupted, (void *)3)));
  printf(" again %s\n", status_text(AudioSessionInitialize(NULL, NULL, interrupted, (void *)4)));
  ask();
  for (int which = 0; which < property_count; ++which) {
    const OSStatus first = AudioSessionAddPropertyListener(four(properties[which]), heard, (void *)1), second = AudioSessionAddPropertyListener(four(properties[which]), heard, (void *)2);
    printf("listen to %s: %s %s\n", properties[which], status_text(first), status_text(second));
  }
  set_all(), ask();
  for (int which = 0; which < property_count; ++which) {
    const OSStatus one = AudioSessionRemovePropertyListenerWithUserData(four(properties[which]), heard, (void *)1), unknown = AudioSessionRemovePropertyListenerWithUserData(four(properties[which]), heard, (void *)9);
    printf("no longer %s: %s %s", properties[which], status_text(one), status_text(unknown));
    if (which % 2) printf(" %s", status_text(AudioSessionRemovePropertyListener(four(properties[which]))));
    printf("\n");
  }
  set_all();
  printf("inactive %s again %s", status_text(AudioSessionSetActiveWithFlags(0, 1)), status_text(AudioSessionSetActiveWithFlags(0, 0)));
  printf(" active %s %s\n", status_text(AudioSessionSetActiveWithFlags(1, 7)), status_text(AudioSessionSetActive(1)));
  ask();
}
