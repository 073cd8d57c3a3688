#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the table `profile` of Benchmarks/bench understands what perf(1) prints, and where it puts it."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))
from comparisons import calls, perf, places  # noqa: E402
from comparisons.results import Matrix, decoded  # noqa: E402

KERNEL, LIBC = "[kernel.kallsyms]", "/usr/lib/x86_64-linux-gnu/libc.so.6"
LIBCRYPTO, BATOND = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "/usr/libexec/batond"


class PlaceTests(unittest.TestCase):
    def check(self, row, *functions, file=KERNEL):
        self.assertEqual(places.place([(function, file) for function in functions]), row, functions)

    def test_the_innermost_function_that_is_known_decides(self):
        self.check(places.COPIES, "_copy_to_iter", "__skb_datagram_iter", "tcp_recvmsg_locked", "vfs_read")
        self.check(places.COPIES, "__virt_addr_valid", "__check_object_size", "unix_stream_read_generic")
        self.check(places.SOCKETS, "get_page_from_freelist", "__alloc_skb", "tcp_stream_alloc_skb", "vfs_write")
        self.check(places.WAITS, "_raw_spin_unlock_irqrestore", "__wake_up_sync_key", "sock_def_readable")
        self.check(places.SOCKETS, "_raw_spin_unlock_irqrestore", "skb_queue_tail", "unix_stream_sendmsg", "vfs_writev")
        self.check(places.WAITS, "finish_task_switch.isra.0", "__schedule", "schedule", "do_epoll_wait")
        self.check(places.FAULTS, "get_page_from_freelist", "do_anonymous_page", "exc_page_fault", "_copy_to_iter")
        self.check(places.KERNEL, "handle_softirqs", "irq_exit_rcu", "tcp_sendmsg_locked")
        self.check(places.KERNEL, "do_syscall_64", "entry_SYSCALL_64_after_hwframe")

    def test_waiting_and_names_that_only_look_like_it(self):
        self.check(places.WAITS, "tcp_poll", "sock_poll", "do_sys_poll")
        self.check(places.WAITS, "ep_item_poll.isra.0", "do_epoll_wait")
        self.check(places.SOCKETS, "__sk_mem_schedule", "tcp_sendmsg_locked")
        self.check(places.SOCKETS, "tcp_schedule_loss_probe.part.0", "tcp_write_xmit")
        self.check(places.SOCKETS, "__napi_poll", "net_rx_action")

    def test_only_the_kernels_functions_decide_about_a_sample_in_the_kernel(self):
        frames = [("do_syscall_64", KERNEL), ("memcpy", LIBC), ("tcp_poll", BATOND)]
        self.assertEqual(places.place(frames), places.KERNEL)

    def test_a_module_of_the_kernel(self):
        self.check(places.SOCKETS, "nf_hook_slow", file="[nf_tables]")

    def test_libraries(self):
        self.check(places.CIPHER, "[unknown]", "seal", file=LIBCRYPTO)
        self.check(places.TLS, "[unknown]", file="/usr/lib/libssl.so.3")
        self.check(places.LIBC_COPIES, "__memmove_avx_unaligned_erms", file=LIBC)
        self.check(places.LIBRARIES, "__strcmp_avx2", file=LIBC)
        self.check(places.LIBRARIES, "__vdso_clock_gettime", file="[vdso]")
        for function in ("malloc", "cfree@GLIBC_2.2.5", "_int_free", "unlink_chunk.constprop.0", "__libc_calloc"):
            self.check(places.MEMORY, function, file=LIBC)

    def test_the_program_and_its_runtime(self):
        for function in ("swift_retain", "swift_bridgeObjectRelease", "_swift_release_dealloc", "swift_weakLoadStrong",
                         "swift::RefCounts<swift::RefCountBitsT<(swift::RefCountInlinedness)1> >::incrementSlow"):
            self.check(places.COUNTS, function, file=BATOND)
        for function in ("swift_beginAccess", "$ss6HasherV8_combineyys5UInt8VF", "$sSqwxx", "swift::runtime::insert"):
            self.check(places.SWIFT, function, file=BATOND)
        for function in ("swift_slowAlloc", "swift_allocObject", "swift_deallocClassInstance"):
            self.check(places.MEMORY, function, file=BATOND)
        self.check(places.PROGRAM, "$s3TLS11RecordLayerC5write", file=BATOND)
        self.check(places.PROGRAM, "[unknown]", file="/usr/bin/ssh")


class PerfTests(unittest.TestCase):
    def test_samples(self):
        text = (
            "  216 \n\tffffffff81b6a460 _copy_from_iter ([kernel.kallsyms])\n"
            "\t          9c5901 operator new(unsigned long) (/a b/batond)\n\n"
            "  217 \n\t7f9931e41fc5 [unknown] (/usr/lib/libcrypto.so.3)\n\n")
        self.assertEqual(list(perf.parsed_samples(text)), [
            (216, [("_copy_from_iter", KERNEL), ("operator new(unsigned long)", "/a b/batond")]),
            (217, [("[unknown]", "/usr/lib/libcrypto.so.3")]),
        ])

    def test_calls(self):
        text = ("  216/225   raw_syscalls:sys_enter: NR 0 (1f, 7fc55e108f50, 0, 0, 0, 0)\n"
                "  216/225    raw_syscalls:sys_exit: NR 0 = -11\n"
                "something else\n")
        self.assertEqual(list(perf.parsed_calls(text)), [(225, 216, True, 0, 31), (225, 216, False, 0, -11)])


class CallTests(unittest.TestCase):
    def test_each_call_ends_in_its_thread(self):
        events = [
            (2, 1, False, 0, 5),  # Began before the recording.
            (2, 1, True, 0, 7), (3, 1, True, 1, 8), (2, 1, False, 0, 100), (3, 1, False, 1, 50),
            (2, 1, True, 7, 9),  # Lasts longer than the recording.
        ]
        self.assertEqual(list(calls.finished(events)), [(1, 0, 7, 100), (1, 1, 8, 50)])

    def test_each_kind(self):
        count = calls.Count(calls.UNIX)
        for name, kind, result in [
            ("readv", calls.UNIX, 300), ("read", calls.UNIX, 100), ("read", calls.UNIX, -11),
            ("write", calls.NETWORK, 50), ("read", calls.NETWORK, 7), ("read", None, 8), ("epoll_wait", None, 1),
            ("futex", None, 0), ("getsockopt", calls.NETWORK, 0),
        ]:
            count.add(name, kind, result)
        self.assertEqual(dict(count.calls), {
            "reads": 2, "empty": 1, "writes": 1, "back": 1, "others": 2, "waits": 1, "futexes": 1})
        self.assertEqual((count.size("reads"), count.size("writes")), (200, 50))

    def test_a_count_without_calls(self):
        self.assertEqual(calls.Count(calls.NETWORK).size("reads"), 0)


class MatrixTests(unittest.TestCase):
    def test_a_row_for_each_figure(self):
        matrix = Matrix("Question", "s")
        for contestant, value in (("A", 1), ("A", 3), ("A", 2), ("B", 0.5)):
            matrix.add(contestant, value, "copies")
        matrix.add("A", 4, "all")
        matrix.fail("C", "no", "all")
        head, rows = decoded(matrix.encoded()).rows()
        self.assertEqual(head, ["", "A", "B", "C"])
        self.assertEqual(rows, [["copies", "2.00", "0.500", "–"], ["all", "4.00", "–", "refused: no"]])


if __name__ == "__main__":
    unittest.main()
