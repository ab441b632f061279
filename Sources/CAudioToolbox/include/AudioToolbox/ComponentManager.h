// The Component Manager's names, for sources from before audio components: the types are the newer ones,
// the calls go to the newer calls.
#ifndef AUDIOTOOLBOX_COMPONENTMANAGER_H
#define AUDIOTOOLBOX_COMPONENTMANAGER_H

#include <AudioToolbox/AudioComponent.h>

CA_HEADER_BEGIN

typedef AudioComponent Component;
typedef AudioComponentInstance ComponentInstance;
typedef AudioComponentDescription ComponentDescription;
typedef SInt32 ComponentResult;

#ifndef __swift__

static inline Component _Nullable FindNextComponent(
    Component _Nullable inComponent, ComponentDescription *inDescription) {
  return AudioComponentFindNext(inComponent, inDescription);
}

static inline long CountComponents(ComponentDescription *inDescription) {
  return (long)AudioComponentCount(inDescription);
}

// Codes that need more than 16 bits come back as paramErr.
static inline OSErr OpenAComponent(Component inComponent, ComponentInstance _Nullable *_Nonnull outInstance) {
  OSStatus status = AudioComponentInstanceNew(inComponent, outInstance);
  return (OSErr)(status < -32768 || status > 32767 ? -50 : status);
}

static inline ComponentInstance _Nullable OpenComponent(Component inComponent) {
  ComponentInstance _Nullable instance = NULL;
  return AudioComponentInstanceNew(inComponent, &instance) == 0 ? instance : NULL;
}

static inline OSErr CloseComponent(ComponentInstance inInstance) {
  OSStatus status = AudioComponentInstanceDispose(inInstance);
  return (OSErr)(status < -32768 || status > 32767 ? -50 : status);
}

#endif

CA_HEADER_END

#endif
