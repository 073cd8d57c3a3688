#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer without a main of its own: libclang_rt.fuzzer_no_main, which comes with the compiler.
int LLVMFuzzerRunDriver(
    int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
    int (*_Nonnull input)(const uint8_t *_Nullable bytes, size_t count));
