// Names of the system calls that programs make.
#include <stddef.h>
#include <sys/syscall.h>

#include "watcher.h"

const char *system_call_name(int64_t number) {
  switch (number) {
#ifdef SYS_read
    case SYS_read: return "read";
#endif
#ifdef SYS_write
    case SYS_write: return "write";
#endif
#ifdef SYS_open
    case SYS_open: return "open";
#endif
#ifdef SYS_close
    case SYS_close: return "close";
#endif
#ifdef SYS_stat
    case SYS_stat: return "stat";
#endif
#ifdef SYS_fstat
    case SYS_fstat: return "fstat";
#endif
#ifdef SYS_lstat
    case SYS_lstat: return "lstat";
#endif
#ifdef SYS_poll
    case SYS_poll: return "poll";
#endif
#ifdef SYS_lseek
    case SYS_lseek: return "lseek";
#endif
#ifdef SYS_mmap
    case SYS_mmap: return "mmap";
#endif
#ifdef SYS_mprotect
    case SYS_mprotect: return "mprotect";
#endif
#ifdef SYS_munmap
    case SYS_munmap: return "munmap";
#endif
#ifdef SYS_brk
    case SYS_brk: return "brk";
#endif
#ifdef SYS_rt_sigaction
    case SYS_rt_sigaction: return "rt_sigaction";
#endif
#ifdef SYS_rt_sigprocmask
    case SYS_rt_sigprocmask: return "rt_sigprocmask";
#endif
#ifdef SYS_rt_sigreturn
    case SYS_rt_sigreturn: return "rt_sigreturn";
#endif
#ifdef SYS_ioctl
    case SYS_ioctl: return "ioctl";
#endif
#ifdef SYS_pread64
    case SYS_pread64: return "pread64";
#endif
#ifdef SYS_pwrite64
    case SYS_pwrite64: return "pwrite64";
#endif
#ifdef SYS_readv
    case SYS_readv: return "readv";
#endif
#ifdef SYS_writev
    case SYS_writev: return "writev";
#endif
#ifdef SYS_access
    case SYS_access: return "access";
#endif
#ifdef SYS_pipe
    case SYS_pipe: return "pipe";
#endif
#ifdef SYS_select
    case SYS_select: return "select";
#endif
#ifdef SYS_sched_yield
    case SYS_sched_yield: return "sched_yield";
#endif
#ifdef SYS_mremap
    case SYS_mremap: return "mremap";
#endif
#ifdef SYS_msync
    case SYS_msync: return "msync";
#endif
#ifdef SYS_mincore
    case SYS_mincore: return "mincore";
#endif
#ifdef SYS_madvise
    case SYS_madvise: return "madvise";
#endif
#ifdef SYS_dup
    case SYS_dup: return "dup";
#endif
#ifdef SYS_dup2
    case SYS_dup2: return "dup2";
#endif
#ifdef SYS_pause
    case SYS_pause: return "pause";
#endif
#ifdef SYS_nanosleep
    case SYS_nanosleep: return "nanosleep";
#endif
#ifdef SYS_getitimer
    case SYS_getitimer: return "getitimer";
#endif
#ifdef SYS_alarm
    case SYS_alarm: return "alarm";
#endif
#ifdef SYS_setitimer
    case SYS_setitimer: return "setitimer";
#endif
#ifdef SYS_getpid
    case SYS_getpid: return "getpid";
#endif
#ifdef SYS_sendfile
    case SYS_sendfile: return "sendfile";
#endif
#ifdef SYS_socket
    case SYS_socket: return "socket";
#endif
#ifdef SYS_connect
    case SYS_connect: return "connect";
#endif
#ifdef SYS_accept
    case SYS_accept: return "accept";
#endif
#ifdef SYS_sendto
    case SYS_sendto: return "sendto";
#endif
#ifdef SYS_recvfrom
    case SYS_recvfrom: return "recvfrom";
#endif
#ifdef SYS_sendmsg
    case SYS_sendmsg: return "sendmsg";
#endif
#ifdef SYS_recvmsg
    case SYS_recvmsg: return "recvmsg";
#endif
#ifdef SYS_shutdown
    case SYS_shutdown: return "shutdown";
#endif
#ifdef SYS_bind
    case SYS_bind: return "bind";
#endif
#ifdef SYS_listen
    case SYS_listen: return "listen";
#endif
#ifdef SYS_socketpair
    case SYS_socketpair: return "socketpair";
#endif
#ifdef SYS_clone
    case SYS_clone: return "clone";
#endif
#ifdef SYS_fork
    case SYS_fork: return "fork";
#endif
#ifdef SYS_vfork
    case SYS_vfork: return "vfork";
#endif
#ifdef SYS_execve
    case SYS_execve: return "execve";
#endif
#ifdef SYS_exit
    case SYS_exit: return "exit";
#endif
#ifdef SYS_wait4
    case SYS_wait4: return "wait4";
#endif
#ifdef SYS_kill
    case SYS_kill: return "kill";
#endif
#ifdef SYS_uname
    case SYS_uname: return "uname";
#endif
#ifdef SYS_fcntl
    case SYS_fcntl: return "fcntl";
#endif
#ifdef SYS_flock
    case SYS_flock: return "flock";
#endif
#ifdef SYS_fsync
    case SYS_fsync: return "fsync";
#endif
#ifdef SYS_fdatasync
    case SYS_fdatasync: return "fdatasync";
#endif
#ifdef SYS_truncate
    case SYS_truncate: return "truncate";
#endif
#ifdef SYS_ftruncate
    case SYS_ftruncate: return "ftruncate";
#endif
#ifdef SYS_getdents
    case SYS_getdents: return "getdents";
#endif
#ifdef SYS_getcwd
    case SYS_getcwd: return "getcwd";
#endif
#ifdef SYS_chdir
    case SYS_chdir: return "chdir";
#endif
#ifdef SYS_rename
    case SYS_rename: return "rename";
#endif
#ifdef SYS_mkdir
    case SYS_mkdir: return "mkdir";
#endif
#ifdef SYS_rmdir
    case SYS_rmdir: return "rmdir";
#endif
#ifdef SYS_creat
    case SYS_creat: return "creat";
#endif
#ifdef SYS_link
    case SYS_link: return "link";
#endif
#ifdef SYS_unlink
    case SYS_unlink: return "unlink";
#endif
#ifdef SYS_symlink
    case SYS_symlink: return "symlink";
#endif
#ifdef SYS_readlink
    case SYS_readlink: return "readlink";
#endif
#ifdef SYS_chmod
    case SYS_chmod: return "chmod";
#endif
#ifdef SYS_chown
    case SYS_chown: return "chown";
#endif
#ifdef SYS_umask
    case SYS_umask: return "umask";
#endif
#ifdef SYS_gettimeofday
    case SYS_gettimeofday: return "gettimeofday";
#endif
#ifdef SYS_getrlimit
    case SYS_getrlimit: return "getrlimit";
#endif
#ifdef SYS_getrusage
    case SYS_getrusage: return "getrusage";
#endif
#ifdef SYS_sysinfo
    case SYS_sysinfo: return "sysinfo";
#endif
#ifdef SYS_times
    case SYS_times: return "times";
#endif
#ifdef SYS_getuid
    case SYS_getuid: return "getuid";
#endif
#ifdef SYS_getgid
    case SYS_getgid: return "getgid";
#endif
#ifdef SYS_getppid
    case SYS_getppid: return "getppid";
#endif
#ifdef SYS_sigaltstack
    case SYS_sigaltstack: return "sigaltstack";
#endif
#ifdef SYS_prctl
    case SYS_prctl: return "prctl";
#endif
#ifdef SYS_arch_prctl
    case SYS_arch_prctl: return "arch_prctl";
#endif
#ifdef SYS_sync
    case SYS_sync: return "sync";
#endif
#ifdef SYS_gettid
    case SYS_gettid: return "gettid";
#endif
#ifdef SYS_readahead
    case SYS_readahead: return "readahead";
#endif
#ifdef SYS_tkill
    case SYS_tkill: return "tkill";
#endif
#ifdef SYS_time
    case SYS_time: return "time";
#endif
#ifdef SYS_futex
    case SYS_futex: return "futex";
#endif
#ifdef SYS_sched_setaffinity
    case SYS_sched_setaffinity: return "sched_setaffinity";
#endif
#ifdef SYS_sched_getaffinity
    case SYS_sched_getaffinity: return "sched_getaffinity";
#endif
#ifdef SYS_epoll_create
    case SYS_epoll_create: return "epoll_create";
#endif
#ifdef SYS_getdents64
    case SYS_getdents64: return "getdents64";
#endif
#ifdef SYS_restart_syscall
    case SYS_restart_syscall: return "restart_syscall";
#endif
#ifdef SYS_fadvise64
    case SYS_fadvise64: return "fadvise64";
#endif
#ifdef SYS_timer_create
    case SYS_timer_create: return "timer_create";
#endif
#ifdef SYS_timer_settime
    case SYS_timer_settime: return "timer_settime";
#endif
#ifdef SYS_clock_settime
    case SYS_clock_settime: return "clock_settime";
#endif
#ifdef SYS_clock_gettime
    case SYS_clock_gettime: return "clock_gettime";
#endif
#ifdef SYS_clock_getres
    case SYS_clock_getres: return "clock_getres";
#endif
#ifdef SYS_clock_nanosleep
    case SYS_clock_nanosleep: return "clock_nanosleep";
#endif
#ifdef SYS_exit_group
    case SYS_exit_group: return "exit_group";
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait: return "epoll_wait";
#endif
#ifdef SYS_epoll_ctl
    case SYS_epoll_ctl: return "epoll_ctl";
#endif
#ifdef SYS_tgkill
    case SYS_tgkill: return "tgkill";
#endif
#ifdef SYS_mq_timedsend
    case SYS_mq_timedsend: return "mq_timedsend";
#endif
#ifdef SYS_mq_timedreceive
    case SYS_mq_timedreceive: return "mq_timedreceive";
#endif
#ifdef SYS_openat
    case SYS_openat: return "openat";
#endif
#ifdef SYS_mkdirat
    case SYS_mkdirat: return "mkdirat";
#endif
#ifdef SYS_newfstatat
    case SYS_newfstatat: return "newfstatat";
#endif
#ifdef SYS_unlinkat
    case SYS_unlinkat: return "unlinkat";
#endif
#ifdef SYS_renameat
    case SYS_renameat: return "renameat";
#endif
#ifdef SYS_readlinkat
    case SYS_readlinkat: return "readlinkat";
#endif
#ifdef SYS_faccessat
    case SYS_faccessat: return "faccessat";
#endif
#ifdef SYS_pselect6
    case SYS_pselect6: return "pselect6";
#endif
#ifdef SYS_ppoll
    case SYS_ppoll: return "ppoll";
#endif
#ifdef SYS_set_robust_list
    case SYS_set_robust_list: return "set_robust_list";
#endif
#ifdef SYS_splice
    case SYS_splice: return "splice";
#endif
#ifdef SYS_tee
    case SYS_tee: return "tee";
#endif
#ifdef SYS_vmsplice
    case SYS_vmsplice: return "vmsplice";
#endif
#ifdef SYS_utimensat
    case SYS_utimensat: return "utimensat";
#endif
#ifdef SYS_epoll_pwait
    case SYS_epoll_pwait: return "epoll_pwait";
#endif
#ifdef SYS_timerfd_create
    case SYS_timerfd_create: return "timerfd_create";
#endif
#ifdef SYS_eventfd
    case SYS_eventfd: return "eventfd";
#endif
#ifdef SYS_fallocate
    case SYS_fallocate: return "fallocate";
#endif
#ifdef SYS_timerfd_settime
    case SYS_timerfd_settime: return "timerfd_settime";
#endif
#ifdef SYS_eventfd2
    case SYS_eventfd2: return "eventfd2";
#endif
#ifdef SYS_epoll_create1
    case SYS_epoll_create1: return "epoll_create1";
#endif
#ifdef SYS_dup3
    case SYS_dup3: return "dup3";
#endif
#ifdef SYS_pipe2
    case SYS_pipe2: return "pipe2";
#endif
#ifdef SYS_preadv
    case SYS_preadv: return "preadv";
#endif
#ifdef SYS_pwritev
    case SYS_pwritev: return "pwritev";
#endif
#ifdef SYS_perf_event_open
    case SYS_perf_event_open: return "perf_event_open";
#endif
#ifdef SYS_prlimit64
    case SYS_prlimit64: return "prlimit64";
#endif
#ifdef SYS_getcpu
    case SYS_getcpu: return "getcpu";
#endif
#ifdef SYS_process_vm_readv
    case SYS_process_vm_readv: return "process_vm_readv";
#endif
#ifdef SYS_sched_setattr
    case SYS_sched_setattr: return "sched_setattr";
#endif
#ifdef SYS_getrandom
    case SYS_getrandom: return "getrandom";
#endif
#ifdef SYS_memfd_create
    case SYS_memfd_create: return "memfd_create";
#endif
#ifdef SYS_membarrier
    case SYS_membarrier: return "membarrier";
#endif
#ifdef SYS_copy_file_range
    case SYS_copy_file_range: return "copy_file_range";
#endif
#ifdef SYS_statx
    case SYS_statx: return "statx";
#endif
#ifdef SYS_rseq
    case SYS_rseq: return "rseq";
#endif
#ifdef SYS_io_uring_enter
    case SYS_io_uring_enter: return "io_uring_enter";
#endif
#ifdef SYS_clone3
    case SYS_clone3: return "clone3";
#endif
#ifdef SYS_close_range
    case SYS_close_range: return "close_range";
#endif
#ifdef SYS_openat2
    case SYS_openat2: return "openat2";
#endif
#ifdef SYS_faccessat2
    case SYS_faccessat2: return "faccessat2";
#endif
#ifdef SYS_futex_waitv
    case SYS_futex_waitv: return "futex_waitv";
#endif
#ifdef SYS_sched_setscheduler
    case SYS_sched_setscheduler: return "sched_setscheduler";
#endif
#ifdef SYS_sched_getscheduler
    case SYS_sched_getscheduler: return "sched_getscheduler";
#endif
#ifdef SYS_sched_setparam
    case SYS_sched_setparam: return "sched_setparam";
#endif
#ifdef SYS_mlock
    case SYS_mlock: return "mlock";
#endif
#ifdef SYS_munlock
    case SYS_munlock: return "munlock";
#endif
#ifdef SYS_mlockall
    case SYS_mlockall: return "mlockall";
#endif
#ifdef SYS_setpriority
    case SYS_setpriority: return "setpriority";
#endif
#ifdef SYS_getpriority
    case SYS_getpriority: return "getpriority";
#endif
    default: return NULL;
  }
}
