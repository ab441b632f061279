#ifndef CKERNELS_H
#define CKERNELS_H
#include "CKernelsPCM.h"
#endif
