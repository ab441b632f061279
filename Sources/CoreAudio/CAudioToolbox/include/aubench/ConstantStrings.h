// CFSTR("…"): a string that may stand at file scope too, and that releasing never frees.
//
// CoreFoundation's own CFSTR is no constant on Linux and cannot stand at file scope, where plug-ins have it. The
// compiler's constant strings can; they need the flag -fcf-runtime-abi=swift to link. AUDIOTOOLBOX_KEEP_CFSTR leaves
// CoreFoundation's in place.
//
// The compiler gives its strings an ordinary reference count of one, where CoreFoundation gives its own constants the
// count that never changes. A program that releases such a string, which does nothing on Apple's systems, ended with
// "Constant strings cannot be deallocated". So the counts are replaced before anything else of the program or
// the plug-in runs: the compiler puts all the strings of one into a section of their own.
#ifndef AUBENCH_CONSTANTSTRINGS_H
#define AUBENCH_CONSTANTSTRINGS_H
#pragma GCC system_header

#if !defined(AUDIOTOOLBOX_KEEP_CFSTR)
#undef CFSTR
#define CFSTR(string) ((CFStringRef)__builtin___CFStringMakeConstantString("" string ""))

#if defined(__ELF__) && defined(_CF_CONSTANT_OBJECT_STRONG_RC)
#ifdef __cplusplus
extern "C" {
#endif

// The bounds of the section, from the linker; none where a program or a plug-in has no such string. Hidden: each has
// its own.
extern uintptr_t __start_cfstring[] __attribute__((weak, visibility("hidden")));
extern uintptr_t __stop_cfstring[] __attribute__((weak, visibility("hidden")));

// A string is five words: class, count, what it is (8-bit or 16-bit characters), characters, length.
__attribute__((constructor(101), used)) static void ca_keep_constant_strings_(void) {
  if (!__start_cfstring) { return; }
  for (uintptr_t *word = __start_cfstring; word + 5 <= __stop_cfstring; word++) {
    if (word[0] == 0 || word[1] != 1 || (word[2] != 0x7C8 && word[2] != 0x7D0)) { continue; }
    word[1] = _CF_CONSTANT_OBJECT_STRONG_RC;
    word += 4;
  }
}

#ifdef __cplusplus
}
#endif
#endif
#endif

#endif
