#include <getopt.h>

// Swift 6 does not let C's global variables be read; these are what getopt_long answers in.
static inline const char *getopt_argument(void) { return optarg; }
static inline int getopt_index(void) { return optind; }
static inline int getopt_culprit(void) { return optopt; }
// 0 makes the next call begin anew.
static inline void getopt_restart(void) {
  optind = 0;
  opterr = 0;
}
