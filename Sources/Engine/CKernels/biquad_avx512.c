// x86-64-v4: four doubles to a vector and twice the registers.
#if defined(__x86_64__)
#include "biquad_pass.h"

#pragma STDC FP_CONTRACT OFF
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq"))), apply_to = function)

#define LANES 4
#define CHANNELS 1
#define VECTORS 5
#define NAME(x) avx512_1_##x
#include "biquad_pass_template.h"

#define LANES 4
#define CHANNELS 2
#define VECTORS 5
#define NAME(x) avx512_2_##x
#include "biquad_pass_template.h"

#define LANES 4
#define CHANNELS 4
#define VECTORS 5
#define NAME(x) avx512_4_##x
#include "biquad_pass_template.h"

#pragma clang attribute pop

const biquad_variant biquad_variant_avx512 = {{
    {.lanes = 4, .channels = 1, .max_vectors = 5,
     .run = {avx512_1_run_1, avx512_1_run_2, avx512_1_run_3, avx512_1_run_4, avx512_1_run_5}},
    {.lanes = 4, .channels = 2, .max_vectors = 5,
     .run = {avx512_2_run_1, avx512_2_run_2, avx512_2_run_3, avx512_2_run_4, avx512_2_run_5}},
    {.lanes = 4, .channels = 4, .max_vectors = 5,
     .run = {avx512_4_run_1, avx512_4_run_2, avx512_4_run_3, avx512_4_run_4, avx512_4_run_5}},
}};
#endif
