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
  private var last: (instant: ContinuousClock.Instant, received: Int)?
  /// In bytes per second: an average over the last seconds.
  private var speed: Double?

  init(_ output: Output) { isShown = !output.isJSON && isatty(STDERR_FILENO) == 1 }

  mutating func show(_ state: ControlTransfer) {
    guard isShown else { return }
    measure(state)
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
    if let speed, speed >= 1 {
      parts.append("\(ByteCount.text(Int(speed)))/s")
      let left = Double(max(0, size - state.received)) / speed
      if left < 360_000 { parts.append("\(duration(Int(left.rounded(.up)))) left") }
    }
    return parts.joined(separator: "  ")
  }

  private func duration(_ seconds: Int) -> String {
    let (minutes, rest) = (seconds / 60, seconds % 60)
    guard minutes >= 60 else { return "\(minutes):\(rest < 10 ? "0" : "")\(rest)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private mutating func measure(_ state: ControlTransfer) {
    let now = ContinuousClock.now
    defer { last = (now, state.received) }
    guard let last, state.received >= last.received else { return }
    let time = (now - last.instant) / .seconds(1)
    guard time > 0 else { return }
    let current = Double(state.received - last.received) / time
    let weight = min(1, time / 3)
    speed = speed.map { $0 * (1 - weight) + current * weight } ?? current
  }

  /// Removes the line.
  mutating func clear() {
    if isThere { write("\r\u{1B}[K") }
    isThere = false
  }

  private func write(_ text: String) { try? Descriptor.write(Array(text.utf8)[...], to: STDERR_FILENO) }
}
