// All kernels; those that gain by it are compiled once per instruction set, which is chosen once at start.
#ifndef CKERNELS_H
#define CKERNELS_H
#include "CKernelsPCM.h"

#include "biquad_cascade.h"
#include "filter_bank.h"
#include "fir.h"
#include "levels.h"
#include "instruction_set.h"
#include "segments.h"
#include "sinc.h"

#endif
