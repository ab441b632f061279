// A program that aubench traces, and that spoils the memory which it shares with it: AUBENCH_TRACE_MEMORY is
// "DESCRIPTOR:PATH". The first word says how: "cut" tries to make the memory shorter, "deep" leaves calls inside of
// 30,000 others, "odd" random records.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
  const char *place = getenv("AUBENCH_TRACE_MEMORY");
  if (place == NULL || count < 2) return 2;
  const int descriptor = atoi(place);
  struct stat status;
  if (fstat(descriptor, &status) != 0) return 3;
  uint8_t *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return 4;
  const uint64_t calls = strcmp(words[1], "cut") == 0 ? 1 : 30000, one = 1;
  // Calls and threads, as the memory's header has them.
  memcpy(memory + 16, &calls, 8);
  memcpy(memory + 24, &one, 8);
  uint64_t random = 88172645463325252u;
  for (uint64_t index = 0; index < calls; ++index) {
    uint8_t *record = memory + (1 << 18) + index * 256;
    const uint32_t thread = 1, depth = (uint32_t)index;
    memset(record, 0, 256);
    if (strcmp(words[1], "odd") == 0) {
      for (int byte = 8; byte < 256; ++byte) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        record[byte] = (uint8_t)random;
      }
    }
    memcpy(record + 8, &thread, 4);
    if (strcmp(words[1], "odd") != 0) memcpy(record + 12, &depth, 4);
    const uint32_t is_whole = 1;
    memcpy(record, &is_whole, 4);
  }
  if (strcmp(words[1], "cut") == 0) return ftruncate(descriptor, 0) == 0 ? 5 : 0;
  return 0;
}
