// Copying and releasing blocks: the toolchain's header, where it lies on a Mac.
#pragma GCC system_header
#if __has_include(<Block/Block.h>)
#include <Block/Block.h>
#endif
