// Functions of a program's that are blocks of C. Without Objective-C, Swift copies a block that it is handed and never
// lets go of the copy; so those that outlive their call are held here.

#include "CForeign.h"

// Functions of libBlocksRuntime, which everything that has blocks links.
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

// The beginning of a block, by the ABI: its function gets the block itself in front of the arguments.
struct block {
  void *isa;
  int32_t flags;
  int32_t reserved;
  void (*invoke)(void);
};

const void *foreign_copy_block(const void *block) { return _Block_copy(block); }
void foreign_release_block(const void *block) { _Block_release(block); }

void foreign_call_block_with_object(const void *block, void *object, int32_t status) {
  ((void (*)(const void *, void *, int32_t))((const struct block *)block)->invoke)(block, object, status);
}

void foreign_call_block_with_result(const void *block, uint32_t result, const void *details) {
  ((void (*)(const void *, uint32_t, const void *))((const struct block *)block)->invoke)(block, result, details);
}

void foreign_call_parameter_block(const void *block, void *object, const void *parameter, float value) {
  ((void (*)(const void *, void *, const void *, float))((const struct block *)block)->invoke)(
      block, object, parameter, value);
}

void foreign_call_event_block(const void *block, void *object, const void *event, uint64_t host_time, float value) {
  ((void (*)(const void *, void *, const void *, uint64_t, float))((const struct block *)block)->invoke)(
      block, object, event, host_time, value);
}

void foreign_call_property_block(const void *block, uint32_t count, const void *addresses) {
  ((void (*)(const void *, uint32_t, const void *))((const struct block *)block)->invoke)(block, count, addresses);
}

void foreign_call_cycle_block(
    const void *block, const void *now, const void *input, const void *input_time, void *output,
    const void *output_time) {
  ((void (*)(const void *, const void *, const void *, const void *, void *, const void *))(
      (const struct block *)block)->invoke)(block, now, input, input_time, output, output_time);
}

void foreign_call_plain_block(const void *block) {
  ((void (*)(const void *))((const struct block *)block)->invoke)(block);
}

void foreign_call_status_block(const void *block, int32_t status) {
  ((void (*)(const void *, int32_t))((const struct block *)block)->invoke)(block, status);
}

void foreign_call_output_block(const void *block, void *queue, void *buffer) {
  ((void (*)(const void *, void *, void *))((const struct block *)block)->invoke)(block, queue, buffer);
}

void foreign_call_input_block(
    const void *block, void *queue, void *buffer, const void *time, uint32_t count, const void *descriptions) {
  ((void (*)(const void *, void *, void *, const void *, uint32_t, const void *))((const struct block *)block)->invoke)(
      block, queue, buffer, time, count, descriptions);
}
