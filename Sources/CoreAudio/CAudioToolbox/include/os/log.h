// The log of Apple's systems: messages go to standard error, those of the levels info and debug nowhere unless
// OS_LOG_VERBOSE is defined. Formats are printf's, with {public} and the like left out and %@ printed as a pointer.
#ifndef OS_LOG_H
#define OS_LOG_H
#pragma GCC system_header

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct os_log_s;
typedef struct os_log_s *os_log_t;
typedef uint8_t os_log_type_t;

enum {
  OS_LOG_TYPE_DEFAULT = 0x00,
  OS_LOG_TYPE_INFO = 0x01,
  OS_LOG_TYPE_DEBUG = 0x02,
  OS_LOG_TYPE_ERROR = 0x10,
  OS_LOG_TYPE_FAULT = 0x11
};

// There is one log; no name makes another.
#define OS_LOG_DEFAULT ((os_log_t)0)
#define OS_LOG_DISABLED ((os_log_t)(uintptr_t)1)

static inline os_log_t os_log_create(const char *subsystem, const char *category) {
  (void)subsystem;
  (void)category;
  return OS_LOG_DEFAULT;
}

static inline bool os_log_type_enabled(os_log_t log, os_log_type_t type) {
#ifdef OS_LOG_VERBOSE
  (void)type;
  return log != OS_LOG_DISABLED;
#else
  return log != OS_LOG_DISABLED && type != OS_LOG_TYPE_INFO && type != OS_LOG_TYPE_DEBUG;
#endif
}

// Prints one line. Without the marks in braces taken out, printf would give later conversions the wrong arguments.
__attribute__((unused)) static void os_log_print_(const char *format, ...) {
  char plain[1024];
  size_t length = 0;
  while (*format != '\0' && length < sizeof(plain) - 4) {
    plain[length++] = *format++;
    if (plain[length - 1] != '%') continue;
    if (*format == '%') {
      plain[length++] = *format++;
      continue;
    }
    if (*format == '{') {
      while (*format != '\0' && *format != '}') format++;
      if (*format == '}') format++;
    }
    if (*format == '@') {
      plain[length++] = 'p';
      format++;
    }
  }
  plain[length++] = '\n';
  plain[length] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, plain, arguments);
  va_end(arguments);
}

#define os_log_with_type(log, type, ...)                                                    \
  do {                                                                                      \
    if (os_log_type_enabled((log), (os_log_type_t)(type))) os_log_print_(__VA_ARGS__);      \
  } while (0)

#define os_log(log, ...) os_log_with_type(log, OS_LOG_TYPE_DEFAULT, __VA_ARGS__)
#define os_log_info(log, ...) os_log_with_type(log, OS_LOG_TYPE_INFO, __VA_ARGS__)
#define os_log_debug(log, ...) os_log_with_type(log, OS_LOG_TYPE_DEBUG, __VA_ARGS__)
#define os_log_error(log, ...) os_log_with_type(log, OS_LOG_TYPE_ERROR, __VA_ARGS__)
#define os_log_fault(log, ...) os_log_with_type(log, OS_LOG_TYPE_FAULT, __VA_ARGS__)

#endif
