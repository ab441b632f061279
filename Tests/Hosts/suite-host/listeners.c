// Drawn listeners to parameters, gestures and properties, on a clock that is told: at once or after an interval, with
// granularities below and above the time between changes, senders that are not told of their own, and registrations and
// listeners that end while others are called. Which calls come in which order, with which times and values, must be what
// this plain queue says.
#include <aubench/DeviceScenario.h>
#include <aubench/SwiftListeners.h>
#include <unistd.h>

#include "drawn.h"

extern const CFStringRef kCFRunLoopDefaultMode;
extern SInt32 CFRunLoopRunInMode(CFStringRef mode, Float64 seconds, Boolean returns);

enum { most_listeners = 5, parameter_count = 5, property_count = 2, object_count = 3, most_waiting = 200, most_calls = 2000 };
enum { value_changes = kAudioUnitEvent_ParameterValueChange, gesture_begins = kAudioUnitEvent_BeginParameterChangeGesture, property_changes = kAudioUnitEvent_PropertyChange };

// One kind of event of one of the parameters or properties below, on behalf of an object.
typedef struct Key {
  UInt32 kind;
  int place, object;
} Key;

typedef struct Call {
  int listener;
  Key key;
  UInt64 time;
  Float32 value;
} Call;

typedef struct Waiting {
  Call call;
  UInt64 since;
} Waiting;

typedef enum Way { at_once, at_place, on_run_loop } Way;

static struct {
  // As it was made.
  AUEventListenerRef listener;
  int is_for_events, is_alive;
  Way way;
  Float32 interval, granularity;
  // The work that its place was asked for and has not done yet.
  void *scheduled;
  void (*flush)(void *);
  int schedules, releases;
  // The model.
  Key keys[40];
  int key_count, is_scheduled, wanted_schedules;
  Waiting waiting[most_waiting];
  int waiting_count;
} listeners[most_listeners];
static int listener_count;

static AudioUnit equalizer, mixer;
static AudioUnitParameter parameters[parameter_count];
static AudioUnitProperty properties[property_count];
static Float32 values[parameter_count];
// Listeners of a property in the order in which the unit has them.
static int property_listeners[property_count][most_listeners], property_listener_counts[property_count];

// The action within a call of a listener: the number of that call in the step, 0: none.
static struct {
  int at, kind, listener;
  Key key;
  Float32 value;
} trap;
static Call calls[2][most_calls];
static int counts[2], counts_in_step[2];
static char difference[200];

static void differ(const char *text, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s: %.9g, expected %.9g", text, found, expected);
}

static void *object_of(int listener, int object) { return (void *)(size_t)(0x1000 + 16 * listener + object); }

static AudioUnitEvent event_of(Key key) {
  AudioUnitEvent event = {.mEventType = key.kind};
  if (key.kind == property_changes) event.mArgument.mProperty = properties[key.place];
  else event.mArgument.mParameter = parameters[key.place];
  return event;
}

static int same(Key one, Key other) { return one.kind == other.kind && one.place == other.place && one.object == other.object; }

// MARK: The interface

static void trapped(void);

static void hear(void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
  const int number = (int)(size_t)object - 0x1000;
  Call call = {.listener = number / 16, .key = {event->mEventType, -1, number % 16}, .time = time, .value = value};
  for (int place = 0; place < (event->mEventType == property_changes ? property_count : parameter_count); ++place) {
    call.key.place = place;
    const AudioUnitEvent expected = event_of(call.key);
    // A parameter and a property are described alike.
    const AudioUnitParameter *one = &expected.mArgument.mParameter, *other = &event->mArgument.mParameter;
    if (one->mAudioUnit == other->mAudioUnit && one->mParameterID == other->mParameterID && one->mScope == other->mScope && one->mElement == other->mElement) break;
  }
  if (counts[0] < most_calls) calls[0][counts[0]++] = call;
  if (++counts_in_step[0] == trap.at) trapped();
}

static void hear_parameter(void *user, void *object, const AudioUnitParameter *parameter, Float32 value) {
  if (user != (void *)7) differ("user data", (double)(size_t)user, 7);
  AudioUnitEvent event = {.mEventType = value_changes};
  event.mArgument.mParameter = *parameter;
  hear(object, &event, 0, value);
}

static void hear_event(void *user, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
  if (user != (void *)7) differ("user data", (double)(size_t)user, 7);
  hear(object, event, time, value);
}

static void schedule(void *context, void *listener, double seconds, void (*flush)(void *)) {
  const int index = (int)(size_t)context;
  if (listener != listeners[index].listener) differ("another listener is scheduled", 1, 0);
  if (seconds != (double)listeners[index].interval) differ("scheduled after", seconds, (double)listeners[index].interval);
  listeners[index].scheduled = listener, listeners[index].flush = flush, ++listeners[index].schedules;
}
static void release(void *context) { ++listeners[(size_t)context].releases; }

static void make_listener(void) {
  if (listener_count == most_listeners) return;
  const int index = listener_count++;
  static const Float32 intervals[] = {0.001f, 0.02f, 0.5f}, granularities[] = {0, 0.002f, 0.003f, 0.01f, 0.1f, 100};
  memset(&listeners[index], 0, sizeof listeners[index]);
  listeners[index].is_for_events = !once_in(3), listeners[index].is_alive = 1;
  listeners[index].way = once_in(3) ? at_once : at_place;
  if (index == 0 && once_in(4)) listeners[index].way = on_run_loop;
  listeners[index].interval = listeners[index].way == at_once ? 0 : listeners[index].way == at_place ? intervals[draw(3)] : 1e-6f;
  listeners[index].granularity = granularities[draw(6)];
  const _AUListenerPlace place = {(void *)(size_t)index, schedule, release};
  AUEventListenerRef *listener = &listeners[index].listener;
  const Float32 interval = listeners[index].interval, granularity = listeners[index].granularity;
  if (listeners[index].is_for_events && listeners[index].way == at_place)
    need(_AUEventListenerCreateAtPlace(listener, interval, granularity, place, ^(void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) { hear(object, event, time, value); }), "listener");
  else if (listeners[index].is_for_events)
    need(AUEventListenerCreate(hear_event, (void *)7, NULL, NULL, interval, granularity, listener), "listener");
  else if (listeners[index].way == at_place)
    need(_AUListenerCreateAtPlace(listener, interval, place, ^(void *object, const AudioUnitParameter *parameter, Float32 value) { hear_parameter((void *)7, object, parameter, value); }), "listener");
  else
    need(AUListenerCreate(hear_parameter, (void *)7, NULL, NULL, interval, listener), "listener");
}

// MARK: The model

static int has_key(int listener, Key key) {
  for (int at = 0; at < listeners[listener].key_count; ++at)
    if (same(listeners[listener].keys[at], key)) return 1;
  return 0;
}

static int listens_to_property(int listener, int place) {
  for (int at = 0; at < listeners[listener].key_count; ++at)
    if (listeners[listener].keys[at].kind == property_changes && listeners[listener].keys[at].place == place) return 1;
  return 0;
}

static void forget_property(int listener, int place) {
  int kept = 0;
  for (int at = 0; at < property_listener_counts[place]; ++at)
    if (property_listeners[place][at] != listener) property_listeners[place][kept++] = property_listeners[place][at];
  property_listener_counts[place] = kept;
}

static void model_add(int listener, Key key) {
  if (!listeners[listener].is_alive || has_key(listener, key)) return;
  if (key.kind == property_changes && !listens_to_property(listener, key.place)) property_listeners[key.place][property_listener_counts[key.place]++] = listener;
  listeners[listener].keys[listeners[listener].key_count++] = key;
}

static void model_remove(int listener, Key key) {
  if (!listeners[listener].is_alive) return;
  int kept = 0;
  for (int at = 0; at < listeners[listener].key_count; ++at)
    if (!same(listeners[listener].keys[at], key)) listeners[listener].keys[kept++] = listeners[listener].keys[at];
  listeners[listener].key_count = kept, kept = 0;
  for (int at = 0; at < listeners[listener].waiting_count; ++at)
    if (!same(listeners[listener].waiting[at].call.key, key)) listeners[listener].waiting[kept++] = listeners[listener].waiting[at];
  listeners[listener].waiting_count = kept;
  if (key.kind == property_changes && !listens_to_property(listener, key.place)) forget_property(listener, key.place);
}

static void model_dispose(int listener) {
  if (!listeners[listener].is_alive) return;
  for (int place = 0; place < property_count; ++place) forget_property(listener, place);
  listeners[listener].is_alive = listeners[listener].key_count = listeners[listener].waiting_count = 0;
}

static void model_trapped(void);

static void model_perform(Call call) {
  if (!listeners[call.listener].is_alive || !has_key(call.listener, call.key)) return;
  if (!listeners[call.listener].is_for_events) call.time = 0;
  if (counts[1] < most_calls) calls[1][counts[1]++] = call;
  if (++counts_in_step[1] == trap.at) model_trapped();
}

// A value takes the place of the last one that waits, unless a gesture has begun or ended since, or that one is too long ago.
static void model_wait(int listener, Call call) {
  UInt64 since = call.time;
  const double granularity = floor((double)listeners[listener].granularity * 1e9);
  Waiting *waiting = listeners[listener].waiting;
  for (int at = listeners[listener].waiting_count - 1; at >= 0 && call.key.kind == value_changes; --at) {
    const Key former = waiting[at].call.key;
    if (former.kind == property_changes || former.place != call.key.place || former.object != call.key.object) continue;
    if (former.kind == value_changes && (!listeners[listener].is_for_events || (double)(call.time - waiting[at].since) < granularity)) {
      since = waiting[at].since;
      memmove(waiting + at, waiting + at + 1, (size_t)(--listeners[listener].waiting_count - at) * sizeof *waiting);
    }
    break;
  }
  if (listeners[listener].waiting_count < most_waiting) waiting[listeners[listener].waiting_count++] = (Waiting){call, since};
}

// Tells one listener of a change, but for the object that made it.
static void model_tell(int listener, Key change, Float32 value, int sender) {
  if (!listeners[listener].is_alive) return;
  Key keys[40];
  int count = 0;
  for (int at = 0; at < listeners[listener].key_count; ++at) {
    const Key key = listeners[listener].keys[at];
    if (key.kind == change.kind && key.place == change.place && key.object != sender) keys[count++] = key;
  }
  for (int at = 0; at < count; ++at) {
    const Call call = {listener, keys[at], AUBenchHostTime(), value};
    if (listeners[listener].interval > 0) model_wait(listener, call);
    else model_perform(call);
  }
  if (listeners[listener].waiting_count > 0 && !listeners[listener].is_scheduled) listeners[listener].is_scheduled = 1, ++listeners[listener].wanted_schedules;
}

static void model_announce(Key key, int listener, int object) {
  const Float32 value = key.kind == property_changes ? 0 : values[key.place];
  const int count = listener_count;
  for (int at = 0; at < count; ++at) model_tell(at, key, value, at == listener ? object : -1);
}

// All parameters of a unit that somebody listens to, in the order of listeners and their registrations.
static void model_announce_all(AudioUnit unit, UInt32 kind, int listener, int object) {
  Key found[parameter_count];
  Float32 told[parameter_count];
  int count = 0;
  for (int one = 0; one < listener_count; ++one)
    for (int at = 0; at < listeners[one].key_count; ++at) {
      const Key key = listeners[one].keys[at];
      int is_known = key.kind != kind || parameters[key.place].mAudioUnit != unit;
      for (int former = 0; former < count; ++former) is_known |= found[former].place == key.place;
      if (!is_known) told[count] = values[key.place], found[count++] = key;
    }
  for (int at = 0; at < count; ++at)
    for (int one = 0; one < listener_count; ++one) model_tell(one, found[at], told[at], one == listener ? object : -1);
}

static void model_flush(int listener) {
  if (!listeners[listener].is_alive) return;
  static Waiting taken[most_waiting];
  const int count = listeners[listener].waiting_count;
  memcpy(taken, listeners[listener].waiting, sizeof taken);
  listeners[listener].is_scheduled = listeners[listener].waiting_count = 0;
  for (int at = 0; at < count; ++at) model_perform(taken[at].call);
}

// MARK: Steps

static void trapped(void) {
  AudioUnitEvent event = event_of(trap.key);
  if (trap.kind == 0) AUEventListenerRemoveEventType(listeners[trap.listener].listener, object_of(trap.listener, trap.key.object), &event);
  else if (trap.kind == 1) AUListenerDispose(listeners[trap.listener].listener);
  else need(AUParameterSet(NULL, NULL, &parameters[trap.key.place], trap.value, 0), "set");
}

static void model_trapped(void) {
  if (trap.kind == 0 && listeners[trap.listener].is_for_events) model_remove(trap.listener, trap.key);
  else if (trap.kind == 1) model_dispose(trap.listener);
  else if (trap.kind == 2) values[trap.key.place] = trap.value, model_announce((Key){value_changes, trap.key.place, 0}, -1, -1);
}

static Key draw_key(void) {
  Key key = {once_in(2) ? value_changes : draw(4), 0, (int)draw(object_count)};
  key.place = (int)draw(key.kind == property_changes ? property_count : parameter_count);
  return key;
}

static void draw_trap(void) {
  memset(&trap, 0, sizeof trap);
  trap.kind = (int)draw(3), trap.listener = (int)draw((UInt32)listener_count), trap.key = draw_key(), trap.value = (Float32)draw(64) / 64;
  if (trap.kind == 2) trap.key.place %= parameter_count, trap.key.kind = value_changes;
  if (once_in(4)) trap.at = 1 + (int)draw(3);
}

static void expect(const char *text, OSStatus found, OSStatus expected) {
  if (found != expected) differ(text, found, expected);
}

static void change_registration(int listener, int adds) {
  const Key key = draw_key();
  const AudioUnitEvent event = event_of(key);
  void *object = object_of(listener, key.object);
  const int is_plain = key.kind == value_changes && (!listeners[listener].is_for_events || once_in(2));
  const OSStatus status = adds ? (is_plain ? AUListenerAddParameter(listeners[listener].listener, object, &parameters[key.place]) : AUEventListenerAddEventType(listeners[listener].listener, object, &event))
                               : (is_plain ? AUListenerRemoveParameter(listeners[listener].listener, object, &parameters[key.place]) : AUEventListenerRemoveEventType(listeners[listener].listener, object, &event));
  const int is_taken = listeners[listener].is_alive && (is_plain || listeners[listener].is_for_events);
  expect(adds ? "add" : "remove", status, is_taken ? noErr : kAudio_ParamError);
  if (is_taken && adds) model_add(listener, key);
  if (is_taken && !adds) model_remove(listener, key);
}

static void change(void) {
  // A sender, which is one of the listeners or nobody.
  const int sender = once_in(2) ? -1 : (int)draw((UInt32)listener_count), object = (int)draw(object_count);
  AUEventListenerRef sending = sender < 0 ? NULL : listeners[sender].listener;
  void *sending_object = sender < 0 ? NULL : object_of(sender, object);
  const OSStatus right = sender < 0 || listeners[sender].is_alive ? noErr : kAudio_ParamError;
  const Key key = draw_key();
  const AudioUnitEvent event = event_of(key);
  const int place = key.place % parameter_count, way = (int)draw(6);
  if (way < 3) {
    // A parameter is set: often the same few.
    const Float32 value = (Float32)draw(64) / 64;
    expect("set", AUParameterSet(sending, sending_object, &parameters[place], value, 0), right);
    if (right == noErr) values[place] = value, model_announce((Key){value_changes, place, 0}, sender, object);
  } else if (way == 3) {
    expect("event", AUEventListenerNotify(sending, sending_object, &event), right);
    if (right == noErr) model_announce(key, sender, object);
  } else if (way == 4) {
    AudioUnitEvent any = {.mEventType = draw(3)};
    any.mArgument.mParameter = parameters[place];
    any.mArgument.mParameter.mParameterID = kAUParameterListener_AnyParameter;
    if (once_in(2)) {
      any.mEventType = value_changes;
      expect("any parameter", AUParameterListenerNotify(sending, sending_object, &any.mArgument.mParameter), right);
    } else {
      expect("any event", AUEventListenerNotify(sending, sending_object, &any), right);
    }
    if (right == noErr) model_announce_all(parameters[place].mAudioUnit, any.mEventType, sender, object);
  } else {
    // Nobody is told of these.
    AudioUnitParameter none = parameters[place];
    none.mElement = 4000;
    values[place] = (Float32)draw(64) / 64;
    need(AudioUnitSetParameter(parameters[place].mAudioUnit, parameters[place].mParameterID, parameters[place].mScope, parameters[place].mElement, values[place], 0), "set");
    if (AUParameterSet(NULL, NULL, &none, 0.5f, 0) == noErr) differ("a parameter that is not there is set", 0, 1);
  }
}

static void change_property(void) {
  static UInt32 words[property_count];
  const int place = (int)draw(property_count);
  words[place] = place == 0 ? !words[place] : 3 + (words[place] - 2) % 5;
  memset(&trap, 0, sizeof trap);
  need(set_uint(properties[place].mAudioUnit, properties[place].mPropertyID, properties[place].mScope, 0, words[place]), "property");
  for (int at = 0; at < property_listener_counts[place]; ++at) model_tell(property_listeners[place][at], (Key){property_changes, place, 0}, 0, -1);
}

static void deliver(int listener) {
  if (listeners[listener].way == at_place && listeners[listener].scheduled) {
    void *scheduled = listeners[listener].scheduled;
    listeners[listener].scheduled = NULL;
    listeners[listener].flush(scheduled);
    model_flush(listener);
  } else if (listeners[listener].way == on_run_loop && listeners[listener].waiting_count > 0 && trap.at == 0) {
    const int expected = counts[0] + listeners[listener].waiting_count;
    for (int tries = 0; tries < 1000000 && counts[0] < expected; ++tries) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 0);
    model_flush(listener);
  }
}

static void compare_calls(void) {
  for (int at = 0; at < counts[0] && at < counts[1]; ++at) {
    const Call *found = &calls[0][at], *right = &calls[1][at];
    if (found->listener != right->listener) differ("listener", found->listener, right->listener);
    if (found->key.object != right->key.object) differ("object", found->key.object, right->key.object);
    if (found->key.kind != right->key.kind) differ("kind of event", found->key.kind, right->key.kind);
    if (found->key.place != right->key.place) differ("parameter or property", found->key.place, right->key.place);
    if (found->time != right->time) differ("time", (double)found->time, (double)right->time);
    if (found->value != right->value) differ("value", found->value, right->value);
  }
  if (counts[0] != counts[1]) differ("calls", counts[0], counts[1]);
  for (int at = 0; at < listener_count; ++at)
    if (listeners[at].way == at_place && listeners[at].schedules != listeners[at].wanted_schedules) differ("times that a listener is scheduled", listeners[at].schedules, listeners[at].wanted_schedules);
  counts[0] = counts[1] = counts_in_step[0] = counts_in_step[1] = 0;
}

static void listen_to(UInt32 seed) {
  draw_from(seed + 110000);
  listener_count = 0, *difference = 0;
  memset(property_listener_counts, 0, sizeof property_listener_counts);
  int heard = 0;
  for (int place = 0; place < parameter_count; ++place) AudioUnitGetParameter(parameters[place].mAudioUnit, parameters[place].mParameterID, parameters[place].mScope, parameters[place].mElement, &values[place]);
  for (int at = (int)draw(3); at >= 0; --at) make_listener();
  for (int at = 0; at < 12; ++at) change_registration((int)draw((UInt32)listener_count), 1);
  for (int step = 0; step < 80 && !*difference; ++step) {
    const int listener = (int)draw((UInt32)listener_count), what = (int)draw(40);
    draw_trap();
    if (what < 20) change();
    else if (what < 24) change_property();
    else if (what < 30) AUBenchDeviceAdvance(draw(8) / 1000.0);
    else if (what < 34) deliver(listener);
    else if (what < 38) change_registration(listener, once_in(2));
    else if (what == 38) make_listener();
    else if (once_in(3)) expect("dispose", AUListenerDispose(listeners[listener].listener), listeners[listener].is_alive ? noErr : kAudio_ParamError), model_dispose(listener);
    heard += counts[1];
    compare_calls();
  }
  memset(&trap, 0, sizeof trap);
  for (int at = 0; at < listener_count; ++at) {
    AUListenerDispose(listeners[at].listener);
    // Too late: there is nobody to be told.
    if (listeners[at].scheduled) listeners[at].flush(listeners[at].scheduled);
    if (listeners[at].way == at_place && listeners[at].releases != 1) differ("places released", listeners[at].releases, 1);
  }
  compare_calls();
  printf("seed %u: %d listeners, %d calls: %s\n", (unsigned)seed, listener_count, heard, *difference ? difference : "ok");
}

void drawn_listeners(void) {
  const char *path = temporary("aubench-suite-listeners.json");
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, path);
  fprintf(file, "{ \"version\": 1, \"device\": { \"clock\": \"told\", \"sampleRate\": 48000, \"slices\": [48] } }\n");
  fclose(file);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  unlink(path);
  equalizer = unit_of("aufx", "nbeq"), mixer = unit_of("aumx", "mcmx");
  need(set_uint(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 2), "elements");
  const AudioUnitParameter all[parameter_count] = {{equalizer, 0, 0, 0}, {equalizer, 4000, 0, 0}, {mixer, 0, 1, 0}, {mixer, 0, 1, 1}, {mixer, 0, 2, 0}};
  memcpy(parameters, all, sizeof parameters);
  properties[0] = (AudioUnitProperty){equalizer, kAudioUnitProperty_BypassEffect, 0, 0};
  properties[1] = (AudioUnitProperty){mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0};
  for_seeds(300, listen_to);
  need(AudioComponentInstanceDispose(equalizer), "dispose"), need(AudioComponentInstanceDispose(mixer), "dispose");
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
}
