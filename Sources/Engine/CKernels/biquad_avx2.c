// x86-64-v3: four doubles to a vector.
#if defined(__x86_64__)
#include "biquad_pass.h"

#pragma STDC FP_CONTRACT OFF
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define LANES 4
#define CHANNELS 1
#define VECTORS 5
#define NAME(x) avx2_1_##x
#include "biquad_pass_template.h"

#define LANES 4
#define CHANNELS 2
#define VECTORS 5
#define NAME(x) avx2_2_##x
#include "biquad_pass_template.h"

#define LANES 4
#define CHANNELS 4
#define VECTORS 5
#define NAME(x) avx2_4_##x
#include "biquad_pass_template.h"

#pragma clang attribute pop

const biquad_variant biquad_variant_avx2 = {{
    {.lanes = 4, .channels = 1, .max_vectors = 5,
     .run = {avx2_1_run_1, avx2_1_run_2, avx2_1_run_3, avx2_1_run_4, avx2_1_run_5}},
    {.lanes = 4, .channels = 2, .max_vectors = 5,
     .run = {avx2_2_run_1, avx2_2_run_2, avx2_2_run_3, avx2_2_run_4, avx2_2_run_5}},
    {.lanes = 4, .channels = 4, .max_vectors = 5,
     .run = {avx2_4_run_1, avx2_4_run_2, avx2_4_run_3, avx2_4_run_4, avx2_4_run_5}},
}};
#endif
