// FFmpeg's decoders, for aubench-decode alone.
#include <libavcodec/avcodec.h>
