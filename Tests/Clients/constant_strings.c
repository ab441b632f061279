// Constant strings released far too often, as programs and plug-ins from a Mac do: from several threads, through
// collections, and in C++ before main. Compiled as C and, by constant_strings.cpp, as C++.
#include "client.h"

#include <pthread.h>

static CFStringRef atFileScope = CFSTR("at file scope");
static CFStringRef accented = CFSTR("na\xc3\xafve");

static void *releaseMany(void *unused) {
  for (int turn = 0; turn < 20000; ++turn) {
    CFRelease(atFileScope);
    CFRelease(accented);
    CFRelease(CFSTR("in a function"));
    CFRetain(atFileScope);
    CFRelease(atFileScope);
    CFRelease(CFStringCreateCopy(NULL, accented));
    CFRelease(accented);
  }
  return unused;
}

// The collection holds the only reference that was taken; the program gives back three.
static void throughCollections(void) {
  CFMutableArrayRef array = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
  CFMutableDictionaryRef table =
      CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  CFMutableSetRef set = CFSetCreateMutable(NULL, 0, &kCFTypeSetCallBacks);
  CFArrayAppendValue(array, atFileScope);
  CFDictionarySetValue(table, atFileScope, accented);
  CFSetAddValue(set, accented);
  for (int turn = 0; turn < 3; ++turn) {
    CFRelease(atFileScope);
    CFRelease(accented);
  }
  CFRelease(CFArrayGetValueAtIndex(array, 0));
  CFDictionaryRemoveAllValues(table);
  CFRelease(array);
  CFRelease(table);
  CFRelease(set);
}

static void show(const char *name, CFStringRef string) {
  char text[64];
  if (!CFStringGetCString(string, text, sizeof(text), kCFStringEncodingUTF8)) text[0] = 0;
  printf("%s \"%s\", %d characters\n", name, text, (int)CFStringGetLength(string));
}

int main(void) {
  pthread_t threads[4];
  for (int index = 0; index < 4; ++index) pthread_create(&threads[index], NULL, releaseMany, NULL);
  for (int index = 0; index < 4; ++index) pthread_join(threads[index], NULL);
  throughCollections();
  // CoreFoundation's own constants bear it too.
  for (int turn = 0; turn < 1000; ++turn) {
    CFRelease(kCFBooleanTrue);
    CFRelease(kCFRunLoopDefaultMode);
  }
  show("file scope", atFileScope);
  show("accented", accented);
  show("function", CFSTR("in a function"));
  printf("equal %d\n", CFEqual(atFileScope, CFSTR("at file scope")));
  return 0;
}
