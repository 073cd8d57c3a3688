// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  struct ChildProgramTests {
    /// The exit status, and what it wrote.
    static func run(
      _ script: String,
      directory: String? = nil
    ) throws -> (status: Int32, output: String) {
      let (reading, writing) = try Pipes.make()
      let outcome = Outcome<Int32>()
      try onLoop {
        var options = ChildProgram.Options(environment: ["PATH=/usr/bin:/bin", "A=b c"])
        options.standardOutput = writing
        options.directory = directory
        try ChildProgram(["/bin/sh", "-c", script], options).onEnd = { outcome.set(.success($0)) }
      }
      close(writing)
      let output = FileHandle(fileDescriptor: reading, closeOnDealloc: true).readDataToEndOfFile()
      return (try outcome.wait(), String(decoding: output, as: UTF8.self))
    }

    @Test func programsGetWhatTheyAreGivenAndNothingElse() throws {
      let leak = open("/dev/null", O_RDONLY)
      defer { close(leak) }
      let (status, output) = try Self.run(
        "echo $A; pwd; readlink /proc/self/fd/0; ls /proc/$$/fd; ps -o sid= -p $$ | tr -d ' ' | grep -qx $$ && echo own; exit 3",
        directory: "/usr"
      )
      #expect(status == 3)
      #expect(output == "b c\n/usr\n/dev/null\n0\n1\n2\nown\n")
    }

    /// This needs its own process, because how it treats a signal belongs to the whole process.
    @Test func signalsAreNeitherHeldNorIgnored() async {
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_IGN)
        let (_, output) = try ChildProgramTests.run("exec sed -nE 's/Sig(Blk|Ign):\\t//p' /proc/self/status")
        let sets = output.split(separator: "\n").map { UInt64($0, radix: 16) }
        // Glibc keeps signals 32 and 33 to itself, and its posix_spawn leaves them ignored.
        #expect(sets.count == 2 && sets.allSatisfy { $0.map { $0 & ~0x1_8000_0000 } == 0 })
      }
    }

    @Test func endsBySignalAreTold() throws {
      #expect(try Self.run("kill -TERM $$").status == 128 + SIGTERM)
    }

    @Test func endedProgramsLeaveNothingBehind() throws {
      try Descriptors.settle()
      #expect(try ChildProgramTests.run("exit 0").status == 0)
      let before = Descriptors.count
      for _ in 0..<20 { #expect(try ChildProgramTests.run("exit 0").status == 0) }
      var status: Int32 = 0
      #expect(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD)
      try waitUntil("Nothing is left open") { Descriptors.count <= before }
    }

    @Test func whatIsNoProgramIsAnError() throws {
      let directory = try onLoop { () -> [Int32] in
        var codes: [Int32] = []
        for (path, folder) in [("/nonexistent", nil), ("/bin/true", "/nonexistent")] {
          var options = ChildProgram.Options()
          options.directory = folder
          do throws(SystemError) { _ = try ChildProgram([path], options) } catch { codes.append(error.code) }
        }
        return codes
      }
      #expect(directory == [ENOENT, ENOENT])
    }
  }
}
