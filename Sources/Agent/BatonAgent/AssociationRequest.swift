// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// Asks one domain for its `/.well-known/apple-app-site-association`. It runs getent(1) to find the addresses, and
/// curl(1). It uses only HTTPS and public addresses and follows no redirections. The length of the file and the total
/// time are limited.
@Loop
final class AssociationRequest {
  /// The maximum number of addresses at which one domain is asked.
  nonisolated static let addressesPerDomain = 8
  /// The maximum size of the list of a domain's addresses in bytes. It usually has about 300.
  private static let addressListLength = 64 * 1024

  struct Failure: Error {
    let description: String
    /// Whether the domain has answered that it has no valid association. Otherwise nothing is known: there is no
    /// network, a server is down, or somebody else answers in its place.
    var isAnswer = false
  }

  private let domain: String
  private let environment: ProcessEnvironment
  private var completion: (@Loop (Result<[UInt8], Failure>) -> Void)?
  private var program: ProgramOutput?
  private var timer: Timer?

  /// What curl writes after the file.
  private static let trailer = #"\n%{http_code} %{content_type}"#
  /// The most bytes that the trailer has.
  private static let trailerLength = 256
  /// curl's exit status if the server says that the file is longer than permitted.
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

  /// Starts the request. The completion is called once, never before this returns, and not if the request is cancelled.
  func begin() {
    timer = Timer { [weak self] in self?.fail("the request timed out") }
    timer?.set(Loop.now + Limits.associationTime)
    // A proxy resolves names itself, and this machine may be unable to.
    if hasProxy { return fetch(["--noproxy", ""]) }
    run("getent", ["ahosts", domain], length: Self.addressListLength) { [weak self] in self?.resolved($0) }
  }

  func cancel() {
    completion = nil
    timer?.set(nil)
    program?.cancel()
    program = nil
  }

  /// Whether there is a proxy, by the variables that curl reads.
  private var hasProxy: Bool {
    ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { environment[$0] != nil }
  }

  private func run(
    _ name: String,
    _ arguments: [String],
    length: Int,
    completion: @escaping @Loop (ProgramOutput.Result) -> Void
  ) {
    do throws(SystemError) {
      guard let path = environment.program(name) else { throw SystemError("\(name) isn't installed", ENOENT) }
      program = try ProgramOutput([path] + arguments, environment, length: length, completion: completion)
    } catch {
      let trouble = error.description
      Task { @Loop [weak self] in self?.fail(trouble) }
    }
  }

  private func resolved(_ result: ProgramOutput.Result) {
    guard case .ended(0, let output) = result else { return fail("its addresses can't be resolved") }
    var addresses: [String] = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
      guard let bytes = Self.address(text), PublicAddress.contains(bytes) else { continue }
      let address = bytes.count == 4 ? text : "[\(text)]"
      if !addresses.contains(address), addresses.count < Self.addressesPerDomain { addresses.append(address) }
    }
    // This also happens if a hotel's network answers for every name, so nothing is known about the domain.
    guard !addresses.isEmpty else { return fail("it has no public address") }
    fetch(["--noproxy", "*", "--resolve", "\(domain):443:\(addresses.joined(separator: ","))"])
  }

  private static func address(_ text: String) -> [UInt8]? {
    for (family, length) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: length)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// - Parameter way: Options that say how to reach the domain.
  private func fetch(_ way: [String]) {
    let arguments = [
      // No settings of the user, because they could follow redirections or skip checks.
      "--disable", "--silent", "--globoff", "--proto", "=https", "--max-redirs", "0", "--tlsv1.2",
      "--max-time", "\(Limits.associationTime.components.seconds)", "--max-filesize", "\(Limits.associationLength)",
      "--header", "Accept: application/json", "--write-out", Self.trailer,
    ]
    let url = "https://\(domain)/.well-known/apple-app-site-association"
    run("curl", arguments + way + [url], length: Limits.associationLength + Self.trailerLength) { [weak self] in
      self?.fetched($0)
    }
  }

  private func fetched(_ result: ProgramOutput.Result) {
    guard case .ended(let status, let output) = result else {
      return refuse("the file is longer than \(Limits.associationLength) bytes")
    }
    guard status == 0 else { return fail("curl exited with status \(status)", isAnswer: status == Self.tooLong) }
    let end = output.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
    let words = String(decoding: output[end...].dropFirst(), as: UTF8.self).split(atScalar: " ", maxSplits: 1)
    let type = words.dropFirst().first?.scalarPrefix(while: { $0 != ";" }).lowercased() ?? ""
    let body = Array(output[..<end])
    guard let code = words.first, code == "200" else {
      let code = words.first ?? "none"
      // The server is overloaded, or what is behind it is down.
      return fail("the server answered with status \(code)", isAnswer: code != "429" && !code.starts(withBytesOf: "5"))
    }
    guard ["application/json", "application/octet-stream"].contains(type) else {
      return refuse("the file's type is \(type.isEmpty ? "missing" : type)")
    }
    guard body.count <= Limits.associationLength else {
      return refuse("the file is longer than \(Limits.associationLength) bytes")
    }
    guard Association(body) != nil else { return refuse("the file isn't a JSON object") }
    finish(.success(body))
  }

  private func refuse(_ trouble: String) { fail(trouble, isAnswer: true) }

  private func fail(_ trouble: String, isAnswer: Bool = false) {
    finish(.failure(Failure(description: trouble, isAnswer: isAnswer)))
  }

  private func finish(_ result: Result<[UInt8], Failure>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}
