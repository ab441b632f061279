// All kernels; those that gain by it are compiled once per instruction set, which is chosen once at start.
#ifndef CKERNELS_H
#define CKERNELS_H
#include "CKernelsPCM.h"

#include "biquad_cascade.h"
#include "dynamics.h"
#include "feedback_network.h"
#include "filter_bank.h"
#include "fir.h"
#include "half_band.h"
#include "levels.h"
#include "limiter.h"
#include "mix.h"
#include "instruction_set.h"
#include "segments.h"
#include "shaper.h"
#include "sinc.h"
#include "sine.h"

#endif
