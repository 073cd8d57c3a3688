import Activity
import DesktopEntries
import EventLoop
import Glibc

/// Asks one domain for its `/.well-known/apple-app-site-association`, by running curl(1): over HTTPS alone, without following
/// redirections, and with an end to its length and to the time that it takes.
@Loop
final class AssociationRequest {
  struct Failure: Error {
    let description: String
    /// The domain has answered, and has no association. Otherwise nothing is known: no network, a server that is down, or
    /// somebody else in its place.
    var isAnswer = false
  }

  let domain: String
  private let environment: ProcessEnvironment
  private var completion: (@Loop (Result<[UInt8], Failure>) -> Void)?
  private var child: ChildProgram?
  private var readiness: Readiness?
  private var timer: Timer?
  private var output: [UInt8] = []
  private var isAtEnd = false
  private var status: Int32?

  /// What curl writes after the file.
  private static let trailer = #"\n%{http_code} %{content_type}"#
  /// Bytes of it.
  private static let trailerLength = 256
  /// curl's status where the server says that the file is longer than it may be.
  private static let tooLong: Int32 = 63

  init(
    _ domain: String,
    _ environment: ProcessEnvironment,
    completion: @escaping @Loop (Result<[UInt8], Failure>) -> Void
  ) {
    self.domain = domain
    self.environment = environment
    self.completion = completion
  }

  /// Calls the completion once, never before this returns, unless it is cancelled.
  func begin() {
    timer = Timer { [weak self] in self?.finish(.failure(Failure(description: "it took too long"))) }
    timer?.set(Loop.now + Limits.associationTime + .seconds(1))
    do throws(SystemError) {
      guard let curl = environment.program("curl") else { throw SystemError("curl is not installed", ENOENT) }
      let (reading, writing) = try Pipes.make()
      defer { close(writing) }
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
      let readiness = Readiness(owning: reading)
      self.readiness = readiness
      readiness.onReadable = { [weak self] in self?.readable() }
      readiness.isReading = true
      var options = ChildProgram.Options(environment: environment.forApplication().list)
      options.standardOutput = writing
      let child = try ChildProgram([curl] + arguments, options)
      self.child = child
      child.onEnd = { [weak self] in
        self?.status = $0
        self?.finishIfOver()
      }
    } catch {
      let trouble = error.description
      Task { @Loop [weak self] in self?.finish(.failure(Failure(description: trouble))) }
    }
  }

  func cancel() {
    completion = nil
    end()
  }

  private var arguments: [String] {
    [
      // No settings of the user: they could follow redirections or leave checks out.
      "--disable", "--silent", "--globoff", "--proto", "=https", "--max-redirs", "0", "--tlsv1.2",
      "--max-time", "\(Limits.associationTime.components.seconds)", "--max-filesize", "\(Limits.associationLength)",
      "--header", "Accept: application/json", "--write-out", Self.trailer,
      "https://\(domain)/.well-known/apple-app-site-association",
    ]
  }

  private func readable() {
    guard let readiness else { return }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = read(readiness.descriptor, &buffer, buffer.count)
    if count > 0 {
      output += buffer.prefix(count)
      if output.count > Limits.associationLength + Self.trailerLength {
        refuse("it is longer than \(Limits.associationLength) bytes")
      }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      readiness.isReading = false
      isAtEnd = true
      finishIfOver()
    }
  }

  private func finishIfOver() {
    guard isAtEnd, let status else { return }
    guard status == 0 else {
      let isAnswer = status == Self.tooLong
      return finish(.failure(Failure(description: "curl ended with \(status)", isAnswer: isAnswer)))
    }
    let end = output.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
    let words = String(decoding: output[end...].dropFirst(), as: UTF8.self).split(separator: " ", maxSplits: 1)
    let type = words.dropFirst().first?.prefix { $0 != ";" }.lowercased() ?? ""
    let body = Array(output[..<end])
    guard let code = words.first, code == "200" else {
      let code = words.first ?? "none"
      // The server has too much to do, or what is behind it is down.
      let isAnswer = code != "429" && !code.hasPrefix("5")
      return finish(.failure(Failure(description: "the answer is \(code)", isAnswer: isAnswer)))
    }
    guard ["application/json", "application/octet-stream"].contains(type) else {
      return refuse("its type is \(type.isEmpty ? "not given" : type)")
    }
    guard body.count <= Limits.associationLength else {
      return refuse("it is longer than \(Limits.associationLength) bytes")
    }
    guard Association(body) != nil else { return refuse("it is no JSON object") }
    finish(.success(body))
  }

  private func refuse(_ trouble: String) { finish(.failure(Failure(description: trouble, isAnswer: true))) }

  private func finish(_ result: Result<[UInt8], Failure>) {
    let completion = completion
    cancel()
    completion?(result)
  }

  private func end() {
    timer?.set(nil)
    readiness?.close()
    child?.onEnd = nil
    child?.kill()
    child = nil
  }
}
