// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Desktop
import EventLoop
import Glibc

/// One line of a terminal that shows how far a transfer is. Nothing if the errors do not go to a terminal.
struct ProgressLine {
  private let isShown: Bool
  private var isThere = false
  private var text: ProgressText

  /// - Parameter isThere: Whether the other machine is connected.
  init(_ output: Output, isThere: Bool) {
    isShown = !output.isJSON && isatty(STDERR_FILENO) == 1
    text = ProgressText(isThere: isThere)
  }

  mutating func show(_ state: ControlTransfer) {
    guard isShown else { return }
    guard var text = text.line(state, at: .now) else { return }
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    if clinux_terminal_size(STDERR_FILENO, &columns, &rows) == 0, columns > 1 {
      text = String(text.prefix(Int(columns) - 1))
    }
    write("\r\u{1B}[K\(text)")
    isThere = true
  }

  /// Removes the line.
  mutating func clear() {
    if isThere { write("\r\u{1B}[K") }
    isThere = false
  }

  private func write(_ text: String) { try? Descriptor.write(Array(text.utf8)[...], to: STDERR_FILENO) }
}
