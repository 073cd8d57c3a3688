// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  /// Each test has its own bus and its own process, because the bus's address is in the environment.
  struct ApplicationStartTests {
    private static let url = "https://example.org/a"

    /// Runs `body` with a bus, an app on it, and an empty folder for programs.
    private static func run(_ body: (BusProgram, Folder) throws -> Void) throws {
      do {
        let bus = try TestBus()
        defer { bus.remove() }
        try bus.start()
        setenv("XDG_RUNTIME_DIR", bus.directory, 1)
        let application = try BusProgram("fake-application")
        try body(application, Folder(path: bus.directory))
        application.end()
      } catch {
        Issue.record(error)
      }
    }

    private struct Folder: Sendable {
      let path: String

      /// Creates a program that writes how it was called into a file named after it, in one step.
      func program(_ name: String) throws {
        let report = "\(path)/\(name).report"
        let script = "#!/bin/sh\necho \"$BATON_OFFER $@\" >\(report).new; /bin/mv \(report).new \(report)\n"
        try script.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/\(name)")
      }

      func report(_ name: String) throws -> String {
        try waitFor("\(name) runs") { try? String(contentsOfFile: "\(path)/\(name).report", encoding: .utf8) }
      }

      func hasRun(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name).report") }

      /// - Returns: Whether the app was started as a program, or why it was not started.
      func start(
        _ change: @Sendable (inout ApplicationCommand) -> Void
      ) throws -> Result<Bool, ApplicationStart.Failure> {
        var command = ApplicationCommand(id: "org.example.My-App", name: "App", arguments: [])
        command.variables = ["BATON_OFFER": "7", "XDG_ACTIVATION_TOKEN": "token"]
        change(&command)
        let outcome = Outcome<Result<Bool, ApplicationStart.Failure>>()
        let environment = ProcessEnvironment(["PATH": path])
        try onLoop { [command] in
          ApplicationStart(command, environment) { outcome.set(.success($0.map { $0 != nil })) }.begin()
        }
        return try outcome.wait()
      }
    }

    private static func isStarted(_ result: Result<Bool, ApplicationStart.Failure>, asProgram: Bool) -> Bool {
      if case .success(asProgram) = result { true } else { false }
    }

    @Test func anAppOnTheBusIsActivatedAndOpensPages() async {
      await #expect(processExitsWith: .success) {
        try Self.run { application, folder in
          try application.obey("own org.example.My-App")
          try folder.program("app")
          let shown = try folder.start {
            $0.busName = "org.example.My-App"
            $0.arguments = ["app"]
          }
          #expect(Self.isStarted(shown, asProgram: false))
          try application.expect(
            #"Activate /org/example/My_App [] {"activation-token": "token", "baton-offer": "7"}"#
          )
          let opened = try folder.start {
            $0.busName = "org.example.My-App"
            $0.targets = [Self.url]
          }
          #expect(Self.isStarted(opened, asProgram: false))
          try application.expect(
            #"Open /org/example/My_App ["https://example.org/a"] {"activation-token": "token", "baton-offer": "7"}"#
          )
          #expect(!folder.hasRun("app"))
        }
      }
    }

    @Test func anAppThatIsNotOnTheBusIsStartedByItsCommandLine() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, folder in
          try folder.program("app")
          let result = try folder.start {
            $0.busName = "org.example.My-App"
            $0.arguments = ["app", "x"]
          }
          #expect(Self.isStarted(result, asProgram: true))
          #expect(try folder.report("app") == "7 x\n")
        }
      }
    }

    @Test func whatFailsIsNotStartedTwice() async {
      await #expect(processExitsWith: .success) {
        try Self.run { application, folder in
          try application.obey("own org.example.My-App")
          try application.obey("fail")
          try folder.program("app")
          let result = try folder.start {
            $0.busName = "org.example.My-App"
            $0.arguments = ["app"]
          }
          guard case .failure(let failure) = result else { throw TestFailure("It counts as started") }
          #expect(failure.description == "over D-Bus: org.example.Error.No" && failure.hasRun)
          #expect(!folder.hasRun("app"))
        }
      }
    }

    @Test func anAppThatDoesNotAnswerCountsAsStartedAndOneThatEndsDoesNot() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, folder in
          let application = try BusProgram("fake-application")
          let clock = try ManualClock.install()
          try application.obey("own org.example.My-App")
          try application.obey("mute")
          try folder.program("app")
          func start() -> Outcome<Result<Bool, ApplicationStart.Failure>> {
            onThread {
              try folder.start {
                $0.busName = "org.example.My-App"
                $0.arguments = ["app"]
              }
            }
          }
          let silent = start()
          _ = try application.next("Activate") { $0.hasPrefix("Activate") }
          try clock.pass(Limits.activationTime)
          #expect(Self.isStarted(try silent.wait(), asProgram: false))
          let ended = start()
          _ = try application.next("Activate") { $0.hasPrefix("Activate") }
          application.end()
          guard case .failure(let failure) = try ended.wait() else { throw TestFailure("It counts as started") }
          #expect(failure.description == "over D-Bus: org.freedesktop.DBus.Error.NoReply" && failure.hasRun)
          #expect(!folder.hasRun("app"))
        }
      }
    }

    @Test func anAppOfDBusAloneThatIsNotThereIsAFailure() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, folder in
          let result = try folder.start { $0.busName = "org.example.My-App" }
          guard case .failure(let failure) = result else { throw TestFailure("It counts as started") }
          #expect(failure.description == "over D-Bus: org.freedesktop.DBus.Error.ServiceUnknown")
          let missing = try folder.start {
            $0.busName = "org.example.My-App"
            $0.requiredProgram = "nowhere"
          }
          guard case .failure(let why) = missing else { throw TestFailure("It counts as started") }
          #expect(why.reason == .applicationNotFound)
        }
      }
    }

    @Test func theTerminalIsTheOneThatTheUserChose() async {
      await #expect(processExitsWith: .success) {
        try Self.run { _, folder in
          try folder.program("app")
          // A terminal that is already running does not get our variables, so they are on the command line.
          try folder.program("env")
          let line = "\(folder.path)/env BATON_OFFER=7 \(folder.path)/app x"
          func start() throws -> Result<Bool, ApplicationStart.Failure> {
            try folder.start {
              $0.arguments = ["app", "x"]
              $0.needsTerminal = true
            }
          }
          guard case .failure(let failure) = try start() else { throw TestFailure("It counts as started") }
          #expect(
            failure.description
              == "it needs a terminal, and neither xdg-terminal-exec nor x-terminal-emulator is installed"
          )
          try folder.program("x-terminal-emulator")
          #expect(Self.isStarted(try start(), asProgram: true))
          #expect(try folder.report("x-terminal-emulator") == "7 -e \(line)\n")
          try folder.program("xdg-terminal-exec")
          #expect(Self.isStarted(try start(), asProgram: true))
          #expect(try folder.report("xdg-terminal-exec") == "7 \(line)\n")
        }
      }
    }

    @Test func errorsBeforeAnythingRanAreTold() {
      let prefix = "org.freedesktop.DBus.Error."
      #expect(ApplicationActivation.outcome(nil) == .activated)
      for name in ["ServiceUnknown", "Spawn.ChildExited", "UnknownMethod"] {
        #expect(ApplicationActivation.outcome(prefix + name) == .unavailable(prefix + name))
      }
      for name in ["NoReply", "Timeout", "Failed"] {
        #expect(ApplicationActivation.outcome(prefix + name) == .failed(prefix + name))
      }
    }
  }
}
