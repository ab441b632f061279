// Calls of third-party code that need C and C++: C++ exceptions are caught, and a crash is reported on standard error.
#ifndef CFOREIGN_H
#define CFOREIGN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Methods of components. Their exceptions become a status: the one that the exception names, -108 for want of memory,
// -1 for one without a number.
int32_t foreign_call(const void *method, void *self);
int32_t foreign_open(const void *method, void *self, void *instance);
int32_t foreign_make(const void *factory, const void *description, void **made);
int32_t foreign_render(
    const void *method, void *self, void *flags, const void *time, uint32_t bus, uint32_t frames, void *data);
int32_t foreign_process(const void *method, void *self, void *flags, const void *time, uint32_t frames, void *data);
int32_t foreign_process_multiple(
    const void *method, void *self, void *flags, const void *time, uint32_t frames, uint32_t input_count, void *inputs,
    uint32_t output_count, void *outputs);

/// Installs handlers for the signals of crashes, once. Inside third-party code they write its notice and the signal's
/// name to standard error; then, and elsewhere at once, the signal does what it did before.
void foreign_report_crashes(void);
/// From now on a crash of the calling thread is reported with the text `notice`; null: without a text.
/// Returns the notice that was in force. The text must stay until the next call.
const char *foreign_enter(const char *notice);

/// From now on an `exit` inside third-party code ends the process at once, with a notice if the process is not watched.
/// Call again when a component may have registered functions of its own, which would be called before.
void foreign_catch_exits(void);

/// Memory that a process with third-party code shares with the one that watches it.
struct foreign_board;
/// For the one that watches: makes it, and a descriptor of it for the other. Null where there is no room.
struct foreign_board *foreign_board_make(int *descriptor);
void foreign_board_free(struct foreign_board *board, int descriptor);
/// For the one that is watched, from its start on: `foreign_enter` writes there too. Returns 0 where that is
/// impossible.
int foreign_board_use(int descriptor);
/// The code of a bundle is about to be loaded.
void foreign_board_load(const char *path);
/// The process ends by itself, with this code: its work is done, or it has said why not. The first to say so counts.
void foreign_board_settle(int code);

/// For the one that watches: the settled exit code, -1 where there is none.
int foreign_board_code(const struct foreign_board *board);
/// True where the other has written a crash notice.
int foreign_board_has_told(const struct foreign_board *board);
int foreign_board_process(const struct foreign_board *board);
/// The notices of the components whose code threads are in, and the bundles that were loaded; null behind the last.
const char *foreign_board_inside(struct foreign_board *board, int index);
const char *foreign_board_loaded(struct foreign_board *board, int index);

/// A copy of a program's block, for a call from another thread later, and its end.
const void *foreign_copy_block(const void *block);
void foreign_release_block(const void *block);
/// Calls a copied block: with an object and a status, with a result and its details, with a change that a listener
/// gets.
void foreign_call_block_with_object(const void *block, void *object, int32_t status);
void foreign_call_block_with_result(const void *block, uint32_t result, const void *details);
void foreign_call_parameter_block(const void *block, void *object, const void *parameter, float value);
void foreign_call_event_block(const void *block, void *object, const void *event, uint64_t host_time, float value);
/// Calls a copied block that takes nothing, or a status.
void foreign_call_plain_block(const void *block);
void foreign_call_status_block(const void *block, int32_t status);
/// Calls a copied block: with the addresses of changed properties, with a cycle of a device.
void foreign_call_property_block(const void *block, uint32_t count, const void *addresses);
void foreign_call_cycle_block(
    const void *block, const void *now, const void *input, const void *input_time, void *output,
    const void *output_time);
/// Calls a copied block of an audio queue: with a buffer that was played, or filled.
void foreign_call_output_block(const void *block, void *queue, void *buffer);
void foreign_call_input_block(
    const void *block, void *queue, void *buffer, const void *time, uint32_t count, const void *descriptions);

#ifdef __cplusplus
}
#endif

#endif
