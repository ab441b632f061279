#include "COptionalLibrary.h"

// Defined by the C interface, in Swift; null in programs that are linked without it.
extern void _aubench_offer_unit_handles(void) __attribute__((weak));

void optional_interface_offer(void) {
  if (_aubench_offer_unit_handles != NULL) { _aubench_offer_unit_handles(); }
}
