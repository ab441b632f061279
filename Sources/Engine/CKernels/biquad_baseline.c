// The variant for every machine: two doubles to a vector (SSE2, NEON).
#include "biquad_pass.h"

#pragma STDC FP_CONTRACT OFF

#define LANES 2
#define CHANNELS 1
#define VECTORS 5
#define NAME(x) baseline_1_##x
#include "biquad_pass_template.h"

#define LANES 2
#define CHANNELS 2
#define VECTORS 5
#define NAME(x) baseline_2_##x
#include "biquad_pass_template.h"

#define LANES 4
#define CHANNELS 4
#define VECTORS 2
#define NAME(x) baseline_4_##x
#include "biquad_pass_template.h"

const biquad_variant biquad_variant_baseline = {{
    {.lanes = 2, .channels = 1, .max_vectors = 5,
     .run = {baseline_1_run_1, baseline_1_run_2, baseline_1_run_3, baseline_1_run_4, baseline_1_run_5}},
    {.lanes = 2, .channels = 2, .max_vectors = 5,
     .run = {baseline_2_run_1, baseline_2_run_2, baseline_2_run_3, baseline_2_run_4, baseline_2_run_5}},
    {.lanes = 4, .channels = 4, .max_vectors = 2,
     .run = {baseline_4_run_1, baseline_4_run_2}},
}};
