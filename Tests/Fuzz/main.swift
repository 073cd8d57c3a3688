// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc

#if LIBFUZZER
import CLibFuzzer
#endif

/// All fuzzers, by the names that `make fuzz TARGET=` takes.
let fuzzers: [(name: String, fuzzer: any Fuzzer.Type)] = [
  // What peers, strangers and clients send.
  ("json", JSONFuzzer.self),
  ("user-info", UserInfoFuzzer.self),
  ("reception", ReceptionFuzzer.self),
  ("frames", FrameFuzzer.self),
  ("messages", MessageFuzzer.self),
  ("advert", AdvertFuzzer.self),
  ("txt", TextRecordFuzzer.self),
  ("varlink-server", VarlinkServerFuzzer.self),
  ("varlink-client", VarlinkClientFuzzer.self),
  ("greeting", GreetingFuzzer.self),
  ("handshake", HandshakeFuzzer.self),
  ("records", RecordFuzzer.self),
  ("certificate", CertificateFuzzer.self),
  ("revocations", RevocationFuzzer.self),
  ("enrolment", EnrolmentFuzzer.self),
  ("terminal-frames", TerminalFrameFuzzer.self),
  ("transfer-frames", TransferFrameFuzzer.self),
  ("port-frames", PortFrameFuzzer.self),
  ("forwarded-requests", RequestGateFuzzer.self),
  ("foreign-names", ForeignNameFuzzer.self),
  // What users and apps write.
  ("invitation", InvitationFuzzer.self),
  ("configuration", ConfigurationFuzzer.self),
  ("desktop-entry", DesktopEntryFuzzer.self),
  ("association", AssociationFuzzer.self),
  ("web-page", WebPageFuzzer.self),
  ("folders", FolderFuzzer.self),
  ("documents", DocumentFuzzer.self),
  ("positions", PositionFuzzer.self),
  ("playback", PlaybackFuzzer.self),
  ("clipboard", ClipboardFuzzer.self),
  ("addresses", AddressFuzzer.self),
  ("tailscale", TailscaleFuzzer.self),
  ("notification-text", NotificationTextFuzzer.self),
  ("search-expression", SearchExpressionFuzzer.self),
  ("sharing-message", SharingMessageFuzzer.self),
  // Files of the state directory.
  ("state-files", StateFileFuzzer.self),
  ("saved-stream", SavedStreamFuzzer.self),
  // Pure machines, driven by sequences of events.
  ("continuation", ContinuationFuzzer.self),
  ("launching", LaunchingFuzzer.self),
  ("reachability", ReachabilityFuzzer.self),
  ("peer-session", PeerSessionFuzzer.self),
  ("stream-flow", StreamFlowFuzzer.self),
  ("stream-endpoint", StreamEndpointFuzzer.self),
  ("instance-table", InstanceTableFuzzer.self),
  ("notifications", NotificationsFuzzer.self),
  ("players", PlayersFuzzer.self),
  ("mirror", MirrorFuzzer.self),
  ("rendezvous", NATSFuzzer.self),
  ("relay", RelayFuzzer.self),
  ("revocation-lists", RevocationListsFuzzer.self),
  ("connections", ConnectionFuzzer.self),
  ("domains", DomainFuzzer.self),
  ("pages", PageFuzzer.self),
  ("pacing", PacingFuzzer.self),
  ("wakefulness", WakefulnessFuzzer.self),
  ("reconnection", ReconnectionFuzzer.self),
  ("buffers", BufferFuzzer.self),
  ("terminals", TerminalFuzzer.self),
  ("port-connections", PortConnectionsFuzzer.self),
  ("file-receiver", FileReceiverFuzzer.self),
]

/// The fuzzer that this program was called as.
enum Chosen {
  static let name = CommandLine.arguments[0].split(atScalar: "/").last.map(String.init) ?? ""
  static let fuzzer = fuzzers.first { $0.name == name }?.fuzzer
}

switch (CommandLine.arguments.dropFirst().first, Chosen.fuzzer) {
case ("--list", _):
  for (name, _) in fuzzers { print(name) }
case ("--seeds", let fuzzer?):
  for (index, seed) in try fuzzer.seeds.enumerated() {
    try write(seed, to: "\(CommandLine.arguments[2])/seed-\(index)")
  }
case ("--length", let fuzzer?):
  print(fuzzer.length)
case ("--words", let fuzzer?):
  for word in fuzzer.words { print(quoted(word)) }
case (_, nil):
  fatalError("unknown fuzzer \(Chosen.name); --list shows all")
case ("--replay", let fuzzer?):
  for path in CommandLine.arguments.dropFirst(2) {
    // Without a buffer: if an input stops the program, its path is the last line.
    let line = Array("\(path)\n".utf8)
    guard Glibc.write(STDOUT_FILENO, line, line.count) == line.count else { fatalError("\(errno)") }
    try fuzzer.run(read(path))
  }
default:
  #if LIBFUZZER
  if let text = getenv("FUZZ_SECONDS"), let seconds = Int(String(cString: text)) { TimeLimit.set(seconds: seconds) }
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  exit(
    LLVMFuzzerRunDriver(&count, &arguments) { start, count in
      let input = Array(UnsafeBufferPointer(start: start, count: count))
      do { try Chosen.fuzzer?.run(input) } catch { fatalError("\(error) was thrown") }
      return 0
    }
  )
  #else
  fatalError("This program only replays inputs: \(Chosen.name) --replay FILE...")
  #endif
}

private func read(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fatalError("\(path) cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
  return bytes
}

private func write(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "w") else { fatalError("\(path) cannot be written") }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { fatalError("\(path) cannot be written") }
}

/// Returns the word as it must be in a libFuzzer dictionary.
private func quoted(_ word: String) -> String {
  let bytes = word.utf8.map { byte -> String in
    let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    return isPlain ? String(Unicode.Scalar(byte)) : "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
  }
  return "\"\(bytes.joined())\""
}
