// The same in C++, where strings are released before main begins.
#include "constant_strings.c"

namespace {
struct Early {
  Early() {
    for (int turn = 0; turn < 10; ++turn) {
      CFRelease(atFileScope);
      CFRelease(CFSTR("early"));
    }
  }
} early;
}  // namespace
