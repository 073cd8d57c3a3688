// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer without its own main, from the library libclang_rt.fuzzer_no_main that comes with the compiler.
int LLVMFuzzerRunDriver(
    int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
    int (*_Nonnull input)(const uint8_t *_Nullable bytes, size_t count));
