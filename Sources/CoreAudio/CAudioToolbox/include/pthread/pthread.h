// The threads header by its name on Apple's systems.
#ifndef PTHREAD_PTHREAD_H
#define PTHREAD_PTHREAD_H
#pragma GCC system_header
#include <pthread.h>
#endif
