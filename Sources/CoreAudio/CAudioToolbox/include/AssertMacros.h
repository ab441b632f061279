// Checks that jump: verify and report, or go to a label, run an action, stay quiet.
//
// DEBUG_ASSERT_PRODUCTION_CODE set to 1 leaves out the reports. The names without underscores come too
// unless __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES is 0. Those that are plain words, as check, verify and
// require, which are names of functions in many sources, do not come from the porting prelude: a source that includes
// this header, or one that includes it on a Mac, has them from there on.
#pragma GCC system_header
#ifndef __ASSERTMACROS__
#define __ASSERTMACROS__

#include <stdio.h>

#ifndef DEBUG_ASSERT_COMPONENT_NAME_STRING
#define DEBUG_ASSERT_COMPONENT_NAME_STRING "Third Party Client"
#endif
#ifndef DEBUG_ASSERT_PRODUCTION_CODE
#define DEBUG_ASSERT_PRODUCTION_CODE 0
#endif
#ifndef DEBUG_ASSERT_MESSAGE
#define DEBUG_ASSERT_MESSAGE(name, assertion, label, message, file, line, value)                     \
  fprintf(                                                                                           \
      stderr, "%s: check failed: %s, value %ld, label \"%s\", %s (%s:%d)\n", name, assertion,        \
      (long)(value), label, message, file, (int)(line))
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#define __CA_ASSERT_SAY(assertion, label, message, value) ((void)0)
#else
#define __CA_ASSERT_SAY(assertion, label, message, value)                                            \
  DEBUG_ASSERT_MESSAGE(                                                                              \
      DEBUG_ASSERT_COMPONENT_NAME_STRING, assertion, label, message, __FILE__, __LINE__, value)
#endif

// Check and go on.
#if DEBUG_ASSERT_PRODUCTION_CODE
#define __Check(assertion) ((void)0)
#define __Check_noErr(code) ((void)0)
#define __Check_String(assertion, message) ((void)0)
#define __Check_noErr_String(code, message) ((void)0)
#define __Debug_String(message) ((void)0)
#define __Verify(assertion) ((void)(assertion))
#define __Verify_noErr(code) ((void)(code))
#define __Verify_String(assertion, message) ((void)(assertion))
#define __Verify_noErr_String(code, message) ((void)(code))
#else
#define __Check(assertion) __Check_String(assertion, "")
#define __Check_noErr(code) __Check_noErr_String(code, "")
#define __Check_String(assertion, message)                                                           \
  do {                                                                                               \
    if (!(assertion)) { __CA_ASSERT_SAY(#assertion, "", message, 0); }                               \
  } while (0)
#define __Check_noErr_String(code, message)                                                          \
  do {                                                                                               \
    long caCode_ = (long)(code);                                                                     \
    if (caCode_ != 0) { __CA_ASSERT_SAY(#code " == 0", "", message, caCode_); }                      \
  } while (0)
#define __Debug_String(message) __CA_ASSERT_SAY("", "", message, 0)
#define __Verify(assertion) __Check(assertion)
#define __Verify_noErr(code) __Check_noErr(code)
#define __Verify_String(assertion, message) __Check_String(assertion, message)
#define __Verify_noErr_String(code, message) __Check_noErr_String(code, message)
#endif
#define __Verify_Action(assertion, action)                                                           \
  do {                                                                                               \
    if (!(assertion)) {                                                                              \
      __CA_ASSERT_SAY(#assertion, "", "", 0);                                                        \
      { action; }                                                                                    \
    }                                                                                                \
  } while (0)
#define __Verify_noErr_Action(code, action)                                                          \
  do {                                                                                               \
    long caCode_ = (long)(code);                                                                     \
    if (caCode_ != 0) {                                                                              \
      __CA_ASSERT_SAY(#code " == 0", "", "", caCode_);                                               \
      { action; }                                                                                    \
    }                                                                                                \
  } while (0)

// Check and jump.
#define __Require_Action_String(assertion, label, action, message)                                   \
  do {                                                                                               \
    if (!(assertion)) {                                                                              \
      __CA_ASSERT_SAY(#assertion, #label, message, 0);                                               \
      { action; }                                                                                    \
      goto label;                                                                                    \
    }                                                                                                \
  } while (0)
#define __Require_noErr_Action_String(code, label, action, message)                                  \
  do {                                                                                               \
    long caCode_ = (long)(code);                                                                     \
    if (caCode_ != 0) {                                                                              \
      __CA_ASSERT_SAY(#code " == 0", #label, message, caCode_);                                      \
      { action; }                                                                                    \
      goto label;                                                                                    \
    }                                                                                                \
  } while (0)
#define __Require_Action_Quiet(assertion, label, action)                                             \
  do {                                                                                               \
    if (!(assertion)) {                                                                              \
      { action; }                                                                                    \
      goto label;                                                                                    \
    }                                                                                                \
  } while (0)
#define __Require_Quiet(assertion, label)                                                            \
  do {                                                                                               \
    if (!(assertion)) { goto label; }                                                                \
  } while (0)

#define __Require(assertion, label) __Require_Action_String(assertion, label, (void)0, "")
#define __Require_String(assertion, label, message)                                                  \
  __Require_Action_String(assertion, label, (void)0, message)
#define __Require_Action(assertion, label, action) __Require_Action_String(assertion, label, action, "")
#define __Require_noErr(code, label) __Require_noErr_Action_String(code, label, (void)0, "")
#define __Require_noErr_String(code, label, message)                                                 \
  __Require_noErr_Action_String(code, label, (void)0, message)
#define __Require_noErr_Action(code, label, action) __Require_noErr_Action_String(code, label, action, "")
#define __Require_noErr_Quiet(code, label) __Require_Quiet(0 == (code), label)
#define __Require_noErr_Action_Quiet(code, label, action) __Require_Action_Quiet(0 == (code), label, action)
#define __nRequire(assertion, label) __Require(!(assertion), label)
#define __nRequire_Quiet(assertion, label) __Require_Quiet(!(assertion), label)
#define __nRequire_Action(assertion, label, action) __Require_Action(!(assertion), label, action)
#define __nRequire_Action_Quiet(assertion, label, action) __Require_Action_Quiet(!(assertion), label, action)
#define __nRequire_String(assertion, label, message) __Require_String(!(assertion), label, message)

#ifndef __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 1
#endif
#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define check_noerr(code) __Check_noErr(code)
#define check_noerr_string(code, message) __Check_noErr_String(code, message)
#define verify_noerr(code) __Verify_noErr(code)
#define verify_action(assertion, action) __Verify_Action(assertion, action)
#define verify_noerr_action(code, action) __Verify_noErr_Action(code, action)
#define verify_noerr_string(code, message) __Verify_noErr_String(code, message)
#define require_action(assertion, label, action) __Require_Action(assertion, label, action)
#define require_action_string(assertion, label, action, message)                                     \
  __Require_Action_String(assertion, label, action, message)
#define require_quiet(assertion, label) __Require_Quiet(assertion, label)
#define require_action_quiet(assertion, label, action) __Require_Action_Quiet(assertion, label, action)
#define require_noerr(code, label) __Require_noErr(code, label)
#define require_noerr_string(code, label, message) __Require_noErr_String(code, label, message)
#define require_noerr_action(code, label, action) __Require_noErr_Action(code, label, action)
#define require_noerr_action_string(code, label, action, message)                                    \
  __Require_noErr_Action_String(code, label, action, message)
#define require_noerr_quiet(code, label) __Require_noErr_Quiet(code, label)
#define require_noerr_action_quiet(code, label, action) __Require_noErr_Action_Quiet(code, label, action)
#define nrequire_quiet(assertion, label) __nRequire_Quiet(assertion, label)
#define nrequire_action(assertion, label, action) __nRequire_Action(assertion, label, action)
#endif

#endif

// Outside of the guard: the prelude may have been here before.
#if !defined(CA_ASSERT_MACROS_PLAIN_WORDS) && !defined(CA_ASSERT_MACROS_OF_THE_PRELUDE)
#define CA_ASSERT_MACROS_PLAIN_WORDS 1
#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define check(assertion) __Check(assertion)
#define check_string(assertion, message) __Check_String(assertion, message)
#define debug_string(message) __Debug_String(message)
#define verify(assertion) __Verify(assertion)
#define verify_string(assertion, message) __Verify_String(assertion, message)
#define require(assertion, label) __Require(assertion, label)
#define require_string(assertion, label, message) __Require_String(assertion, label, message)
#define nrequire(assertion, label) __nRequire(assertion, label)
#endif
#endif
