// SPDX-License-Identifier: Apache-2.0

import EventLoop
import VarlinkClient

/// Waits for several changes of the index, and reports the first error.
@Loop
final class ChangeResults {
  private var count: Int
  private var error: ControlError?
  private let completion: @Loop (ControlError?) -> Void

  init(count: Int, completion: @escaping @Loop (ControlError?) -> Void) {
    self.count = count
    self.completion = completion
  }

  func add(_ result: Result<Void, ControlError>) {
    if case .failure(let failure) = result { error = error ?? failure }
    count -= 1
    if count == 0 { completion(error) }
  }
}
