// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How long the processors may work for this process. Then libFuzzer finishes the input that it tries, and ends.
///
/// It is not the time of a clock, because fuzzers run while tests need the processors.
enum TimeLimit {
  static func set(seconds: Int) {
    var event = sigevent()
    event.sigev_notify = Int32(SIGEV_SIGNAL)
    // libFuzzer's signal to end.
    event.sigev_signo = SIGUSR1
    var timer: timer_t?
    var time = itimerspec()
    time.it_value.tv_sec = seconds
    guard timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0, timer_settime(timer, 0, &time, nil) == 0 else {
      fatalError("There is no timer: \(errno)")
    }
  }
}
