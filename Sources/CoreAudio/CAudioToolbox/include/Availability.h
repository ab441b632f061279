// Availability marks. Nothing here depends on a system version: every mark is empty.
#pragma GCC system_header
#ifndef __AVAILABILITY__
#define __AVAILABILITY__

#define API_AVAILABLE(...)
#define API_DEPRECATED(...)
#define API_UNAVAILABLE(...)
#define API_DEPRECATED_WITH_REPLACEMENT(...)
#define API_AVAILABLE_BEGIN(...)
#define API_AVAILABLE_END
#define API_DEPRECATED_BEGIN(...)
#define API_DEPRECATED_END
#define API_DEPRECATED_WITH_REPLACEMENT_BEGIN(...)
#define API_DEPRECATED_WITH_REPLACEMENT_END
#define API_UNAVAILABLE_BEGIN(...)
#define API_UNAVAILABLE_END

#define __API_AVAILABLE(...)
#define __API_DEPRECATED(...)
#define __API_DEPRECATED_WITH_REPLACEMENT(...)
#define __API_UNAVAILABLE(...)

#define __OSX_AVAILABLE(...)
#define __IOS_AVAILABLE(...)
#define __TVOS_AVAILABLE(...)
#define __WATCHOS_AVAILABLE(...)
#define __OSX_DEPRECATED(...)
#define __IOS_DEPRECATED(...)
#define __OSX_AVAILABLE_STARTING(...)
#define __OSX_AVAILABLE_BUT_DEPRECATED(...)
#define __OSX_AVAILABLE_BUT_DEPRECATED_MSG(...)
#define __OS_AVAILABILITY(...)
#define __OS_AVAILABILITY_MSG(...)
#define __OSX_UNAVAILABLE
#define __IOS_UNAVAILABLE
#define __IOS_PROHIBITED
#define __TVOS_PROHIBITED
#define __WATCHOS_PROHIBITED
#define __OS_EXTENSION_UNAVAILABLE(...)
#define __OSX_EXTENSION_UNAVAILABLE(...)
#define __IOS_EXTENSION_UNAVAILABLE(...)
// Marks of functions that a source calls old: the compiler warns of their use, as on a Mac.
#ifndef __deprecated
#define __deprecated __attribute__((deprecated))
#endif
#ifndef __deprecated_msg
#define __deprecated_msg(message) __attribute__((deprecated(message)))
#endif
#ifndef __unavailable
#define __unavailable __attribute__((unavailable))
#endif

#define SPI_AVAILABLE(...)
#define SPI_DEPRECATED(...)

// Version numbers that sources compare with: 10 MM mm before 10.10, MM mm 00 from then on.
#define __MAC_10_0 1000
#define __MAC_10_1 1010
#define __MAC_10_2 1020
#define __MAC_10_3 1030
#define __MAC_10_4 1040
#define __MAC_10_5 1050
#define __MAC_10_6 1060
#define __MAC_10_7 1070
#define __MAC_10_8 1080
#define __MAC_10_9 1090
#define __MAC_10_10 101000
#define __MAC_10_11 101100
#define __MAC_10_12 101200
#define __MAC_10_13 101300
#define __MAC_10_14 101400
#define __MAC_10_15 101500
#define __MAC_11_0 110000
#define __MAC_12_0 120000
#define __MAC_13_0 130000
#define __MAC_14_0 140000
#define __MAC_NA 9999
#define __IPHONE_2_0 20000
#define __IPHONE_3_0 30000
#define __IPHONE_4_0 40000
#define __IPHONE_5_0 50000
#define __IPHONE_6_0 60000
#define __IPHONE_7_0 70000
#define __IPHONE_8_0 80000
#define __IPHONE_9_0 90000
#define __IPHONE_10_0 100000
#define __IPHONE_NA 99999

#endif
