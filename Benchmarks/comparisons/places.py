# SPDX-License-Identifier: Apache-2.0
"""Where a sample of perf(1) belongs: from the functions that it has interrupted to a row of the table `profile`."""
import os
import re

COPIES = "kernel: copies"
SOCKETS = "kernel: sockets, TCP and loopback"
WAITS = "kernel: waits and wake-ups"
FAULTS = "kernel: page faults"
KERNEL = "kernel: the rest (calls, interrupts)"
CIPHER = "libcrypto"
TLS = "libssl"
LIBC_COPIES = "libc: copies and clearing"
MEMORY = "malloc and free"
COUNTS = "Swift: reference counts"
SWIFT = "Swift: the rest of its runtime and library"
PROGRAM = "the program itself"
LIBRARIES = "other libraries, and the rest of libc"
PLACES = (COPIES, SOCKETS, WAITS, FAULTS, KERNEL, CIPHER, TLS, LIBC_COPIES, MEMORY, COUNTS, SWIFT, PROGRAM, LIBRARIES)

# The innermost function that one of them describes decides. So memory for a packet belongs to the sockets, and a lock
# to what it protects.
KERNEL_PLACES = [(place, re.compile("|".join(patterns))) for place, patterns in (
    (COPIES, (
        r"_*copy_(to|from)_(iter|user)\w*", r"_*copy_user\w*", r"rep_movs\w*", r"_*raw_copy_\w+", r"_*mem(cpy|move)\w*",
        r"skb_copy_\w+", r"__skb_datagram_iter", r"copy_page_(to|from)_iter\w*", r"simple_copy_to_iter",
        r"_*check_(heap_|stack_)?object\w*")),
    (FAULTS, (
        r"(asm_)?exc_page_fault", r"_*handle_mm_fault", r"do_user_addr_fault", r"do_anonymous_page", r"clear_page_\w+",
        r"__x64_sys_(mmap|munmap|madvise|brk|mprotect|mremap)", r"unmap_\w+", r"zap_\w+")),
    (SOCKETS, (
        r"\w*(sk_\w*mem|tcp_\w*mem)_schedule\w*", r"tcp_schedule_\w+", r"_*napi_\w*poll\w*")),
    (WAITS, (
        r"\w*(wake_up|wakeup|schedule|task_switch|switch_to|switch_mm|futex|poll)\w*", r"\w*select6?", r"ttwu_\w+",
        r"(pick|enqueue|dequeue|set_next|put_prev)_(task|entity|next)\w*", r"update_curr\w*", r"prepare_to_wait\w*",
        r"finish_wait", r"sock_def_(readable|write_space\w*)", r"sk_stream_write_space", r"unix_write_space",
        r"\w*hrtimer_\w+", r"resched_\w+")),
    (SOCKETS, (
        r"_*(tcp|ip|ipv4|ipv6|inet|inet6|sk|skb|sock|unix|net|netif|dev|nf|napi|scm)_\w+",
        r"_*(neigh|loopback|qdisc|dst|fib|bbr)_\w+",
        r"\w*(alloc|free|consume|build)_skb\w*", r"process_backlog", r"enqueue_to_backlog", r"validate_xmit_\w+",
        r"_*(lock|release)_sock\w*", r"__sys_(send|recv|getsockopt|setsockopt)\w*", r"security_(sock|sk)\w*")),
    # An interrupt's work, wherever it happens.
    (KERNEL, (r"(asm_)?sysvec_\w+", r"irq_exit\w*", r"irqentry_\w+")),
)]
NOT_KERNEL = {"[vdso]", "[vsyscall]", "[unknown]", "[heap]", "[stack]"}
# What the compiler made of a function.
VARIANT = re.compile(r"\.(isra|part|constprop|cold)\b.*")
LIBC_COPY = re.compile(r"_*(mem(move|cpy|set|pcpy)|explicit_bzero|bzero)\w*")
ALLOCATION = re.compile(
    r"_*(libc_)?(malloc|calloc|realloc|free|cfree|memalign|posix_memalign|aligned_alloc|reallocarray)(@\S+)?|"
    r"_int_(malloc|free|realloc|memalign)|(malloc|unlink|tcache)_\w+|_*malloc_usable_size|sysmalloc|systrim|"
    r"operator (new|delete)\b.*|_*swift_(slowAlloc|slowDealloc|allocObject|dealloc\w*)\w*")
COUNT = re.compile(
    r"_*swift_(\w*([rR]etain|[rR]elease)\w*|isUniquely\w+|isEscaping\w+|weak\w+|unowned\w+)|"
    r"swift::(RefCount|HeapObjectSideTable).*")
# Functions of the module Swift have names with an s or S after the first one.
RUNTIME = re.compile(r"_*swift_.*|swift::.*|\(anonymous namespace\).*|\$s[sS].*")


def place(frames):
    """The row of a sample.

    - frames: (function, file) from the innermost function out. The file is a path, or in brackets if it is the kernel.
    """
    function, file = frames[0]
    function = VARIANT.sub("", function)
    if is_kernel(file):
        return kernel_place(VARIANT.sub("", name) for name, where in frames if is_kernel(where))
    library = os.path.basename(file)
    if ALLOCATION.fullmatch(function):
        return MEMORY
    for start, row in (("libcrypto.", CIPHER), ("libssl.", TLS)):
        if library.startswith(start):
            return row
    if library.startswith(("libc.", "libc-")) and LIBC_COPY.fullmatch(function):
        return LIBC_COPIES
    if re.search(r"\.so\b", library) or file.startswith("["):
        return LIBRARIES
    if COUNT.fullmatch(function):
        return COUNTS
    return SWIFT if RUNTIME.fullmatch(function) else PROGRAM


def is_kernel(file):
    return file.startswith("[") and file not in NOT_KERNEL


def kernel_place(functions):
    for function in functions:
        for row, pattern in KERNEL_PLACES:
            if pattern.fullmatch(function):
                return row
    return KERNEL
