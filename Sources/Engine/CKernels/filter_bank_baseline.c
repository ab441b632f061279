// The variant for every machine: sixteen floats are four vectors.
#include "filter_bank_tile.h"

#pragma STDC FP_CONTRACT OFF

#define NAME(x) baseline_group_1_##x
#define OUTPUTS 4
#define PHASES 2
#define CHANNELS 1
#include "filter_bank_template.h"

#define NAME(x) baseline_group_2_##x
#define OUTPUTS 4
#define PHASES 1
#define CHANNELS 2
#include "filter_bank_template.h"

#define NAME(x) baseline_phase_1_##x
#define OUTPUTS 1
#define PHASES 1
#define CHANNELS 1
#include "filter_bank_template.h"

#define NAME(x) baseline_phase_2_##x
#define OUTPUTS 1
#define PHASES 1
#define CHANNELS 2
#include "filter_bank_template.h"

const filter_bank_variant filter_bank_variant_baseline = {
    .group = {baseline_group_1_tile, baseline_group_2_tile}, .phase = {baseline_phase_1_tile, baseline_phase_2_tile}};
