import Activity
import CLinux
import EventLoop
import Glibc
import TransferInterface
import Transfers

/// One line of a terminal that shows how far a transfer is. Nothing if the errors do not go to a terminal.
struct ProgressLine {
  private let isShown: Bool
  private var isThere = false
  private var speed = TransferSpeed()

  init(_ output: Output) { isShown = !output.isJSON && isatty(STDERR_FILENO) == 1 }

  mutating func show(_ state: ControlTransfer) {
    guard isShown else { return }
    speed.measure(state.received, at: .now)
    var text: String
    switch state.transfer.state {
    case .waiting: text = "Waiting for \(Printable.text(state.transfer.device)) to accept"
    case .running: text = running(state)
    case .asking, .done, .failed: return
    }
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    if clinux_terminal_size(STDERR_FILENO, &columns, &rows) == 0, columns > 1 {
      text = String(text.prefix(Int(columns) - 1))
    }
    write("\r\u{1B}[K\(text)")
    isThere = true
  }

  private func running(_ state: ControlTransfer) -> String {
    let size = state.transfer.size ?? 0
    let percent = TransferText.percent(state).map { "\($0) %" } ?? ""
    var parts = [percent, "\(ByteCount.text(state.received)) of \(ByteCount.text(size))"]
    if let count = state.transfer.count, count > 1 { parts.append("\(state.arrived) of \(count) files") }
    if let value = speed.value, value >= 1 { parts.append("\(ByteCount.text(Int(value)))/s") }
    if let left = speed.timeLeft(size - state.received) { parts.append("\(duration(left)) left") }
    return parts.joined(separator: "  ")
  }

  private func duration(_ seconds: Int) -> String {
    let (minutes, rest) = (seconds / 60, seconds % 60)
    guard minutes >= 60 else { return "\(minutes):\(rest < 10 ? "0" : "")\(rest)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Removes the line.
  mutating func clear() {
    if isThere { write("\r\u{1B}[K") }
    isThere = false
  }

  private func write(_ text: String) { try? Descriptor.write(Array(text.utf8)[...], to: STDERR_FILENO) }
}
