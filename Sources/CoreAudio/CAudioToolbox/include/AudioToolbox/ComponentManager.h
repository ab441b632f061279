// The Component Manager's names, for sources from before audio components: the types are the newer ones,
// the calls go to the newer calls.
#ifndef AUDIOTOOLBOX_COMPONENTMANAGER_H
#define AUDIOTOOLBOX_COMPONENTMANAGER_H
#pragma GCC system_header

#include <AudioToolbox/AudioComponent.h>
#include <MacTypes.h>

CA_HEADER_BEGIN

typedef AudioComponent Component;
typedef AudioComponentInstance ComponentInstance;
typedef AudioComponentDescription ComponentDescription;
typedef SInt32 ComponentResult;

// The selectors of a Component Manager's entry point. Apple's older base classes have such an entry point beside the
// one that is used; nothing calls it here.
enum {
  kComponentOpenSelect = -1,
  kComponentCloseSelect = -2,
  kComponentCanDoSelect = -3,
  kComponentVersionSelect = -4,
  kComponentRegisterSelect = -5,
  kComponentTargetSelect = -6,
  kComponentUnregisterSelect = -7,
};

typedef struct ComponentParameters {
  UInt8 flags;
  UInt8 paramSize;
  SInt16 what;
  UInt32 padding;
  long params[1];
} ComponentParameters;

typedef ComponentResult (*ComponentRoutineProcPtr)(ComponentParameters *cp, Handle _Nullable componentStorage);
typedef ComponentRoutineProcPtr ComponentRoutineUPP;

enum {
  registerComponentGlobal = 1,
  registerComponentNoDuplicates = 2,
  registerComponentAfterExisting = 4,
};

enum {
  defaultComponentIdentical = 0,
  defaultComponentAnyFlags = 1,
  defaultComponentAnyManufacturer = 2,
  defaultComponentAnySubType = 4,
  defaultComponentAnyFlagsAnyManufacturer = 3,
  defaultComponentAnyFlagsAnyManufacturerAnySubType = 7,
};

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

// Entry points of the old kind cannot be registered: there is never a component.
static inline Component _Nullable RegisterComponent(
    ComponentDescription *_Nullable cd, ComponentRoutineUPP _Nullable componentEntryPoint, SInt16 global,
    Handle _Nullable componentName, Handle _Nullable componentInfo, Handle _Nullable componentIcon) {
  (void)cd, (void)componentEntryPoint, (void)global, (void)componentName, (void)componentInfo, (void)componentIcon;
  return NULL;
}

static inline OSErr SetDefaultComponent(Component _Nullable inComponent, SInt16 flags) {
  (void)inComponent, (void)flags;
  return -50;
}

// The storage that the Component Manager kept for an instance: null here, and no unit has functions that take it
// (FastDispatch).
static inline Handle _Nullable GetComponentInstanceStorage(ComponentInstance _Nullable aComponentInstance) {
  (void)aComponentInstance;
  return NULL;
}

// Gets the description of a component or of an instance, which were one type. The three handles, for names and an icon,
// are left as they are.
static inline OSErr GetComponentInfo(void *inComponent, ComponentDescription *_Nullable outDescription,
                                     void *_Nullable ioName, void *_Nullable ioInfo, void *_Nullable ioIcon) {
  ComponentDescription description;
  OSStatus status = AudioComponentGetDescription((Component)inComponent, &description);
  (void)ioName;
  (void)ioInfo;
  (void)ioIcon;
  if (status != 0) {
    Component component = AudioComponentInstanceGetComponent((ComponentInstance)inComponent);
    if (component) { status = AudioComponentGetDescription(component, &description); }
  }
  if (status == 0 && outDescription) { *outDescription = description; }
  return (OSErr)(status < -32768 || status > 32767 ? -50 : status);
}

#endif

CA_HEADER_END

#endif
