// Blocks and queues of a program: listeners whose blocks a dispatch queue runs, components that are opened and tried elsewhere, and what a component
// says of itself. A queue is held while changes are made, so that which of them are merged is the listener's choice; a second listener of the same queue,
// behind it, tells that the first one has been called for all that it will be called for.
#include "refused.h"

extern struct dispatch_queue_s *dispatch_queue_create(const char *label, void *attributes);
extern void dispatch_suspend(void *object);
extern void dispatch_resume(void *object);
extern void dispatch_release(void *object);
extern void *dispatch_semaphore_create(long value);
extern long dispatch_semaphore_signal(void *semaphore);
extern long dispatch_semaphore_wait(void *semaphore, UInt64 until);
extern UInt64 dispatch_time(UInt64 when, SInt64 nanoseconds);
extern const void *CFDictionaryGetValue(const void *table, const void *key);
extern const void *CFArrayGetValueAtIndex(const void *array, long index);
extern unsigned long CFGetTypeID(const void *object), CFArrayGetTypeID(void), CFNumberGetTypeID(void), CFStringGetTypeID(void), CFBooleanGetTypeID(void), CFDictionaryGetTypeID(void);
extern Boolean CFNumberGetValue(const void *number, long type, void *value);
extern Boolean CFBooleanGetValue(const void *flag);

enum { most_heard = 64 };
static struct {
  int object;
  UInt32 type, id;
  Float32 value;
} heard[most_heard];
static int heard_count;
static struct dispatch_queue_s *queue;
static void *done;

static void keep(const void *object, UInt32 type, UInt32 id, Float32 value) {
  if (heard_count < most_heard) heard[heard_count].object = (int)(intptr_t)object, heard[heard_count].type = type, heard[heard_count].id = id, heard[heard_count].value = value;
  ++heard_count;
}
// A call that does not come ends the wait after ten seconds, and is a fault.
static int wait_for_it(void) { return dispatch_semaphore_wait(done, dispatch_time(0, 10000000000ll)) == 0; }

static void *object_number(int number) { return (void *)(intptr_t)number; }
static AudioUnitParameter frequency, resonance;
static AudioUnitEvent event_of(UInt32 type, AudioUnitParameter parameter) { return (AudioUnitEvent){.mEventType = type, .mArgument.mParameter = parameter}; }

// Lets the queue run, and waits until a listener behind all others has been called.
static void run_queue(void) {
  AUParameterListenerRef last;
  static AudioUnit another;
  if (another == NULL) another = unit_of("aufx", "hpas");
  const AudioUnitParameter other = {another, 0, 0, 0};
  need(AUListenerCreateWithDispatchQueue(&last, 0.02f, queue, ^(void *object, const AudioUnitParameter *parameter, Float32 value) {
    (void)object, (void)parameter, (void)value;
    dispatch_semaphore_signal(done);
  }), "listener");
  need(AUListenerAddParameter(last, NULL, &other), "parameter"), need(AUParameterSet(NULL, NULL, &other, 1, 0), "set");
  dispatch_resume(queue);
  HOLDS(wait_for_it());
  need(AUListenerDispose(last), "dispose");
}
#define HEARD(at, number, kind, parameter, amount) HOLDS(heard[at].object == (number) && heard[at].type == (kind) && heard[at].id == (parameter) && heard[at].value == (amount))

static void listen_to_parameters(void) {
  AUParameterListenerRef one;
  void (^block)(void *, const AudioUnitParameter *, Float32) = ^(void *object, const AudioUnitParameter *parameter, Float32 value) { keep(object, 99, parameter->mParameterID, value); };
  // Without an interval the block runs at once, on this thread.
  need(AUListenerCreateWithDispatchQueue(&one, 0, queue, block), "listener");
  ANSWERS(0, AUListenerAddParameter(one, object_number(1), &frequency));
  ANSWERS(0, AUListenerAddParameter(one, object_number(1), &frequency));
  ANSWERS(0, AUListenerAddParameter(one, object_number(2), &frequency));
  heard_count = 0;
  ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 500, 0)), HOLDS(heard_count == 2);
  HEARD(0, 1, 99, 0, 500), HEARD(1, 2, 99, 0, 500);
  // The one that makes the change is not called.
  ANSWERS(0, AUParameterSet(one, object_number(1), &frequency, 600, 0)), HOLDS(heard_count == 3);
  HEARD(2, 2, 99, 0, 600);
  ANSWERS(0, AUListenerRemoveParameter(one, object_number(2), &frequency));
  ANSWERS(0, AUParameterListenerNotify(NULL, NULL, &frequency)), HOLDS(heard_count == 4);
  HEARD(3, 1, 99, 0, 600);
  ANSWERS(0, AUListenerDispose(one));
  ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 700, 0)), HOLDS(heard_count == 4);

  // With one the last value of each parameter comes, in the order of their last changes; what is removed or disposed of does not.
  AUParameterListenerRef gone;
  need(AUListenerCreateWithDispatchQueue(&one, 0.001f, queue, block), "listener"), need(AUListenerCreateWithDispatchQueue(&gone, 0.001f, queue, block), "listener");
  ANSWERS(0, AUListenerAddParameter(one, object_number(1), &frequency)), ANSWERS(0, AUListenerAddParameter(one, object_number(1), &resonance));
  ANSWERS(0, AUListenerAddParameter(one, object_number(2), &frequency)), ANSWERS(0, AUListenerAddParameter(gone, object_number(3), &frequency));
  heard_count = 0, dispatch_suspend(queue);
  for (int at = 1; at <= 3; ++at) ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, (Float32)(100 * at), 0)), ANSWERS(0, AUParameterSet(NULL, NULL, &resonance, (Float32)at, 0));
  ANSWERS(0, AUListenerRemoveParameter(one, object_number(2), &frequency)), ANSWERS(0, AUListenerDispose(gone));
  HOLDS(heard_count == 0);
  run_queue();
  HOLDS(heard_count == 2);
  HEARD(0, 1, 99, 0, 300), HEARD(1, 1, 99, 1, 3);
  ANSWERS(0, AUListenerDispose(one));
  ANSWERS(-50, AUListenerCreateWithDispatchQueue(&one, 0, queue, (AUParameterListenerBlock)nothing));
  ANSWERS(-50, AUListenerCreateWithDispatchQueue(&one, -1, queue, block));
  ANSWERS(-50, AUListenerCreateWithDispatchQueue((AUParameterListenerRef *)nothing, 0, queue, block));
  ANSWERS(-50, AUListenerCreateWithDispatchQueue(&one, 1, (struct dispatch_queue_s *)nothing, block));
}

static void listen_to_events(void) {
  void (^block)(void *, const AudioUnitEvent *, UInt64, Float32) = ^(void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
    (void)time;
    keep(object, event->mEventType, event->mEventType == kAudioUnitEvent_PropertyChange ? event->mArgument.mProperty.mPropertyID : event->mArgument.mParameter.mParameterID, value);
  };
  const AudioUnitEvent changed = event_of(kAudioUnitEvent_ParameterValueChange, frequency), begun = event_of(kAudioUnitEvent_BeginParameterChangeGesture, frequency), ended = event_of(kAudioUnitEvent_EndParameterChangeGesture, frequency);
  AudioUnitEvent bypass = {.mEventType = kAudioUnitEvent_PropertyChange, .mArgument.mProperty = {unit, kAudioUnitProperty_BypassEffect, 0, 0}};
  // A granularity of a second merges values that lie closer together, one of 0 none; a gesture's edge stands between them.
  for (int merges = 0; merges < 2; ++merges) {
    AUEventListenerRef one;
    need(AUEventListenerCreateWithDispatchQueue(&one, 0.001f, merges ? 100 : 0, queue, block), "listener");
    ANSWERS(0, AUEventListenerAddEventType(one, object_number(1), &changed)), ANSWERS(0, AUEventListenerAddEventType(one, object_number(1), &begun));
    ANSWERS(0, AUEventListenerAddEventType(one, object_number(1), &ended)), ANSWERS(0, AUEventListenerAddEventType(one, object_number(1), &bypass));
    heard_count = 0, dispatch_suspend(queue);
    ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 10, 0)), ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 20, 0));
    ANSWERS(0, AUEventListenerNotify(NULL, NULL, &begun));
    ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 30, 0)), ANSWERS(0, AUParameterSet(NULL, NULL, &frequency, 40, 0));
    ANSWERS(0, AUEventListenerNotify(NULL, NULL, &ended));
    need(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, 1), "bypass");
    run_queue();
    int at = 0;
    HOLDS(heard_count == (merges ? 5 : 7));
    if (!merges) { HEARD(at, 1, kAudioUnitEvent_ParameterValueChange, 0, 10); ++at; }
    HEARD(at, 1, kAudioUnitEvent_ParameterValueChange, 0, 20), ++at;
    HOLDS(heard[at].type == kAudioUnitEvent_BeginParameterChangeGesture && heard[at].id == 0), ++at;
    if (!merges) { HEARD(at, 1, kAudioUnitEvent_ParameterValueChange, 0, 30); ++at; }
    HEARD(at, 1, kAudioUnitEvent_ParameterValueChange, 0, 40), ++at;
    HOLDS(heard[at].type == kAudioUnitEvent_EndParameterChangeGesture && heard[at].id == 0), ++at;
    HOLDS(heard[at].type == kAudioUnitEvent_PropertyChange && heard[at].id == kAudioUnitProperty_BypassEffect), ++at;
    ANSWERS(0, AUEventListenerRemoveEventType(one, object_number(1), &bypass));
    heard_count = 0, dispatch_suspend(queue);
    need(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, 0), "bypass");
    run_queue(), HOLDS(heard_count == 0);
    ANSWERS(0, AUListenerDispose(one));
    ANSWERS(-50, AUEventListenerCreateWithDispatchQueue(&one, 0, 0, queue, (AUEventListenerBlock)nothing));
    ANSWERS(-50, AUEventListenerCreateWithDispatchQueue(&one, 0, -1, queue, block));
    ANSWERS(-50, AUEventListenerCreateWithDispatchQueue((AUEventListenerRef *)nothing, 0, 0, queue, block));
  }
}

// MARK: Components

static void say_object(const void *object) {
  if (object == NULL) { printf(" nothing"); return; }
  const unsigned long type = CFGetTypeID(object);
  if (type == CFArrayGetTypeID()) {
    printf(" (");
    for (long at = 0; at < CFArrayGetCount(object); ++at) say_object(CFArrayGetValueAtIndex(object, at));
    printf(" )");
  } else if (type == CFNumberGetTypeID()) {
    int number = 0;
    CFNumberGetValue(object, 9, &number);
    printf(" %d", number);
  } else if (type == CFBooleanGetTypeID()) {
    printf(" %s", CFBooleanGetValue(object) ? "yes" : "no");
  } else if (type == CFStringGetTypeID()) {
    char text[128] = "";
    CFStringGetCString(object, text, sizeof text, utf8), printf(" \"%s\"", text);
  } else if (type == CFDictionaryGetTypeID()) {
    static const char *const keys[] = {"Name", "Result", "Output", "Tests", "WasCached", "ChannelConfigurations", "InitialInputs", "InitialOutputs", "BusCountWritable", "HasCustomView"};
    printf(" {");
    for (size_t at = 0; at < sizeof keys / sizeof keys[0]; ++at) {
      CFStringRef key = text_of(keys[at]);
      const void *value = CFDictionaryGetValue(object, key);
      if (value) printf(" %s", keys[at]), say_object(value);
      CFRelease(key);
    }
    printf(" }");
  }
}

static AudioComponentPlugInInterface *refuse_to_be_made(const AudioComponentDescription *wanted) { return (void)wanted, NULL; }

static void open_elsewhere(void) {
  static AudioComponentInstance made;
  static OSStatus status;
  static AudioComponentValidationResult result;
  const AudioComponentDescription wanted = {'aufx', 'lpas', 'appl', 0, 0}, broken = {'aufx', 'brkn', 'test', 0, 0};
  component = AudioComponentFindNext(NULL, &wanted);
  CFStringRef name = text_of("Test: Broken");
  AudioComponent never = AudioComponentRegister(&broken, name, 1, refuse_to_be_made);
  AudioComponent const all[] = {component, never, NULL, (AudioComponent)unit};
  for (int at = 0; at < 4; ++at) {
    made = (AudioComponentInstance)1, status = 1;
    AudioComponentInstantiate(all[at], kAudioComponentInstantiation_LoadInProcess, ^(AudioComponentInstance instance, OSStatus answer) { made = instance, status = answer, dispatch_semaphore_signal(done); });
    HOLDS(wait_for_it());
    if (at == 0) ANSWERS(0, status), HOLDS(AudioComponentInstanceGetComponent(made) == component), ANSWERS(0, AudioComponentInstanceDispose(made));
    else HOLDS(status != noErr && made == NULL);
    if (at > 1) ANSWERS(-50, status);
    printf("tried:");
    AudioComponentValidateWithResults(all[at], NULL, ^(AudioComponentValidationResult answer, CFDictionaryRef report) { result = answer, say_object(report), dispatch_semaphore_signal(done); });
    HOLDS(wait_for_it());
    printf("\n");
    ANSWERS(at == 0 ? kAudioComponentValidationResult_Passed : at == 1 ? kAudioComponentValidationResult_Failed : kAudioComponentValidationResult_Unknown, (OSStatus)result);
  }
  // Without a block nothing happens.
  AudioComponentInstantiate(component, 0, (void (^)(AudioComponentInstance, OSStatus))nothing);
  AudioComponentValidateWithResults(component, NULL, (void (^)(AudioComponentValidationResult, CFDictionaryRef))nothing);
  CFRelease(name);
  // Everything that is built in passes, and says how it is wired.
  const AudioComponentDescription any = {0, 0, 'appl', 0, 0};
  for (AudioComponent one = AudioComponentFindNext(NULL, &any); one; one = AudioComponentFindNext(one, &any)) {
    AudioComponentDescription description;
    CFDictionaryRef information = NULL;
    AudioComponentValidationResult passed = kAudioComponentValidationResult_Unknown;
    need(AudioComponentGetDescription(one, &description), "description");
    ANSWERS(0, AudioComponentCopyConfigurationInfo(one, &information));
    printf("%s %s:", status_text((OSStatus)description.componentType), status_text((OSStatus)description.componentSubType)), say_object(information), printf("\n");
    if (information) CFRelease(information);
    // A matrix without formats does not initialize, on a Mac either.
    ANSWERS(0, AudioComponentValidate(one, NULL, &passed));
    const int is_bare = description.componentSubType == 'mxmx' || description.componentSubType == 'mspl';
    ANSWERS(is_bare ? kAudioComponentValidationResult_Failed : kAudioComponentValidationResult_Passed, (OSStatus)passed);
  }
}

void on_queues(void) {
  unit = unit_of("aufx", "lpas"), need(NewAUGraph(&graph), "graph");
  frequency = (AudioUnitParameter){unit, 0, 0, 0}, resonance = (AudioUnitParameter){unit, 1, 0, 0};
  queue = dispatch_queue_create("listeners", NULL), done = dispatch_semaphore_create(0);
  listen_to_parameters(), say_judged("parameters");
  listen_to_events(), say_judged("events");
  open_elsewhere(), say_judged("components");
  dispatch_release(queue);
}
