// Libraries that a machine may have: looked for when they are first asked for, so that everything else works without
// them.
#ifndef COPTIONALLIBRARY_H
#define COPTIONALLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function of a library, and where its address goes.
typedef struct {
  const char *_Nonnull name;
  void *_Nullable *_Nonnull place;
} optional_function;

// Loads a library and writes the addresses of its functions. The thread's floating-point environment stays as it was.
//
// - name: the name of its file: libX.so.1.
// - Returns: true if it is there, with all of the functions.
bool optional_library_load(const char *_Nonnull name, const optional_function *_Nonnull functions, size_t count);

// Has the C interface of audio units register its handles with the engine, if the program is linked with it. May be called
// again.
void optional_interface_offer(void);

#endif
