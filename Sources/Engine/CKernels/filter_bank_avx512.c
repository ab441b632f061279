// x86-64-v4: sixteen floats to a vector; a whole group of two channels is in flight.
#if defined(__x86_64__)
#include "filter_bank_tile.h"

#pragma STDC FP_CONTRACT OFF
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq"))), apply_to = function)

#define NAME(x) avx512_group_1_##x
#define OUTPUTS 4
#define PHASES 4
#define CHANNELS 1
#include "filter_bank_template.h"

#define NAME(x) avx512_group_2_##x
#define OUTPUTS 4
#define PHASES 4
#define CHANNELS 2
#include "filter_bank_template.h"

#define NAME(x) avx512_phase_1_##x
#define OUTPUTS 1
#define PHASES 1
#define CHANNELS 1
#include "filter_bank_template.h"

#define NAME(x) avx512_phase_2_##x
#define OUTPUTS 1
#define PHASES 1
#define CHANNELS 2
#include "filter_bank_template.h"

#pragma clang attribute pop

const filter_bank_variant filter_bank_variant_avx512 = {
    .group = {avx512_group_1_tile, avx512_group_2_tile}, .phase = {avx512_phase_1_tile, avx512_phase_2_tile}};
#endif
