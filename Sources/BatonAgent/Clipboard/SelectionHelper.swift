import Activity
import CLinux
import Clipboard
import EventLoop
import Glibc

/// The program that sees and sets the desktop's selection, so that the agent needs no libraries of desktops.
@Loop
final class SelectionHelper {
  enum Event {
    case said(HelperEvent)
    /// It has ended, or says what makes no sense. Nothing follows.
    case ended
  }

  private let readiness: Readiness
  private let child: ChildProgram
  private var decoder = HelperDecoder()
  private var output: ArraySlice<UInt8> = []
  private var handler: (@Loop (Event) -> Void)?

  /// - Parameters:
  ///   - path: The program's.
  ///   - environment: With the desktop's variables.
  ///   - handler: Never called before this returns.
  init(path: String, _ environment: [String], handler: @escaping @Loop (Event) -> Void) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, flags, 0, &ends) == 0 else { throw SystemError("socketpair") }
    defer { _ = Glibc.close(ends[1]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    readiness = Readiness(owning: ends[0])
    self.handler = handler
    var options = ChildProgram.Options(environment: environment)
    (options.standardInput, options.standardOutput) = (ends[1], ends[1])
    child = try ChildProgram([path], options)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.writable() }
    readiness.isReading = true
  }

  isolated deinit { close() }

  /// Ends the program. The handler is no longer called.
  func close() {
    handler = nil
    readiness.close()
    child.kill(SIGTERM)
  }

  func tell(_ command: HelperCommand) {
    guard !readiness.isClosed else { return }
    output += command.bytes
    readiness.isWriting = true
  }

  private func writable() {
    while !output.isEmpty {
      let count = output.withUnsafeBytes { send(readiness.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        output = output.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        break
      }
    }
    output = []
    readiness.isWriting = false
  }

  private func readable() {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(readiness.descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { end() }
      return
    }
    do throws(HelperDecoder.Malformed) {
      for event in try decoder.receive(buffer[..<count]) { handler?(.said(event)) }
    } catch {
      end()
    }
  }

  private func end() {
    let handler = handler
    close()
    handler?(.ended)
  }
}
