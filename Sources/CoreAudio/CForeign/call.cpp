// Calls into third-party components, which may be C++ and throw: Apple's base classes let exceptions out of their
// render methods wherever they are not built for macOS. No exception may run through the frames of another language, so
// each ends here as a status.
#include <cxxabi.h>

#include <cstdio>
#include <exception>
#include <new>

#include "CForeign.h"

namespace {

// The status for an exception: a thrown status itself, the one that an exception of the base classes names in its text,
// -108 for want of memory, -1 for any other.
template <typename Body>
int32_t guarded(Body body) {
  try {
    return body();
  } catch (abi::__forced_unwind &) {
    throw;  // the thread is being cancelled
  } catch (int status) {
    return status;
  } catch (const std::bad_alloc &) {
    return -108;
  } catch (const std::exception &exception) {
    int status = 0;
    return std::sscanf(exception.what(), "OSStatus %d", &status) == 1 && status != 0 ? status : -1;
  } catch (...) {
    return -1;
  }
}

}  // namespace

extern "C" {

int32_t foreign_call(const void *method, void *self) {
  return guarded([=] { return ((int32_t(*)(void *))method)(self); });
}

int32_t foreign_open(const void *method, void *self, void *instance) {
  return guarded([=] { return ((int32_t(*)(void *, void *))method)(self, instance); });
}

int32_t foreign_make(const void *factory, const void *description, void **made) {
  return guarded([=] {
    *made = ((void *(*)(const void *))factory)(description);
    return 0;
  });
}

int32_t foreign_render(
    const void *method, void *self, void *flags, const void *time, uint32_t bus, uint32_t frames, void *data) {
  return guarded([=] {
    return ((int32_t(*)(void *, void *, const void *, uint32_t, uint32_t, void *))method)(
        self, flags, time, bus, frames, data);
  });
}

int32_t foreign_process(const void *method, void *self, void *flags, const void *time, uint32_t frames, void *data) {
  return guarded([=] {
    return ((int32_t(*)(void *, void *, const void *, uint32_t, void *))method)(self, flags, time, frames, data);
  });
}

int32_t foreign_process_multiple(
    const void *method, void *self, void *flags, const void *time, uint32_t frames, uint32_t input_count, void *inputs,
    uint32_t output_count, void *outputs) {
  return guarded([=] {
    return ((int32_t(*)(void *, void *, const void *, uint32_t, uint32_t, void *, uint32_t, void *))method)(
        self, flags, time, frames, input_count, inputs, output_count, outputs);
  });
}
}
