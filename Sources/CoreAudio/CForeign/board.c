// The report of a process with third-party code to the one that watches it, in memory that both have: which component's
// code each thread is in, and whether the process has come to its own end. If components overwrite it, the watcher
// still reads bounded texts and numbers.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CForeign.h"
#include "board.h"

enum { slot_count = 64, text_bytes = 768 };

struct slot {
  _Atomic int32_t is_inside;
  char text[text_bytes];
};

struct foreign_board {
  _Atomic int32_t process;
  /// The exit code with which the process has settled to end, plus 1.
  _Atomic int32_t settled;
  /// True where a crash notice has been written.
  _Atomic int32_t has_told;
  _Atomic int32_t slots_taken;
  _Atomic int32_t loaded_bytes;
  /// Bundles of loaded components, a zero behind each.
  char loaded[8192];
  struct slot slots[slot_count];
};

static struct foreign_board *own;
static _Thread_local int slot_number = -1;

struct foreign_board *foreign_board_make(int *descriptor) {
  *descriptor = memfd_create("components", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (*descriptor < 0) return NULL;
  if (ftruncate(*descriptor, sizeof(struct foreign_board)) == 0) {
    // The one that is watched cannot make it shorter under the watcher.
    void *memory = mmap(NULL, sizeof(struct foreign_board), PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    fcntl(*descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    if (memory != MAP_FAILED) return memory;
  }
  close(*descriptor);
  return NULL;
}

void foreign_board_free(struct foreign_board *board, int descriptor) {
  munmap(board, sizeof *board);
  close(descriptor);
}

int foreign_board_use(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || status.st_size != sizeof(struct foreign_board)) return 0;
  void *memory = mmap(NULL, sizeof(struct foreign_board), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return 0;
  own = memory;
  own->process = getpid();
  foreign_catch_exits();
  return 1;
}

void foreign_board_load(const char *path) {
  if (!own) return;
  int32_t size = (int32_t)strlen(path) + 1;
  int32_t start = own->loaded_bytes;
  if (start < 0 || size > (int32_t)sizeof own->loaded - start - 1) return;
  memcpy(own->loaded + start, path, (size_t)size);
  own->loaded_bytes = start + size;
}

void foreign_board_settle(int code) {
  int32_t none = 0;
  if (own) atomic_compare_exchange_strong(&own->settled, &none, code + 1);
}

void foreign_board_enter(const char *notice) {
  if (!own) return;
  if (slot_number < 0) slot_number = own->slots_taken++;
  if (slot_number < 0 || slot_number >= slot_count) return;
  struct slot *slot = &own->slots[slot_number];
  if (notice && strncmp(slot->text, notice, text_bytes - 1) != 0) {
    slot->is_inside = 0;
    strncpy(slot->text, notice, text_bytes - 1);
  }
  slot->is_inside = notice != NULL;
}

int foreign_board_is_open(void) { return own && own->settled == 0; }

void foreign_board_tell(void) {
  if (own) own->has_told = 1;
}

int foreign_board_code(const struct foreign_board *board) { return board->settled - 1; }
int foreign_board_has_told(const struct foreign_board *board) { return board->has_told != 0; }
int foreign_board_process(const struct foreign_board *board) { return board->process; }

const char *foreign_board_inside(struct foreign_board *board, int index) {
  for (int i = 0; i < slot_count; i++) {
    struct slot *slot = &board->slots[i];
    if (!slot->is_inside || index-- > 0) continue;
    slot->text[text_bytes - 1] = 0;
    return slot->text;
  }
  return NULL;
}

const char *foreign_board_loaded(struct foreign_board *board, int index) {
  int32_t size = board->loaded_bytes;
  if (size < 0 || size >= (int32_t)sizeof board->loaded) size = sizeof board->loaded - 1;
  board->loaded[size] = 0;
  for (int32_t start = 0; start < size; start += (int32_t)strlen(board->loaded + start) + 1)
    if (index-- == 0) return board->loaded + start;
  return NULL;
}
