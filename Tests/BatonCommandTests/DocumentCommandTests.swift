// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import Testing

/// `baton document`, without a daemon. Tests/Everyday/test_documents.py has the rest.
struct DocumentCommandTests {
  private func run(_ arguments: String..., input: String = "") async throws -> BatonProcess.Result {
    try await BatonProcess(["document"] + arguments, socket: "/nonexistent/baton.sock").finish(input: Data(input.utf8))
  }

  @Test func aFileIsDescribed() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")
    try Data("Hello\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await run("describe", "--json", file.path)
    #expect(result.status == 0)
    let members = try JSON(parsing: result.output, depth: 4).object
    #expect(members?["path"] == .string(file.path) && members?["size"] == 6)
    let text = try await run("describe", file.path)
    #expect(text.lines.first == "Path:          \(file.path)")
    // It is not in a shared folder, and a path alone is not opened.
    let found = try await run("find", input: result.text)
    #expect(found.status == 4 && found.output.isEmpty)
    #expect(found.errors.contains("Can't find ") && found.errors.contains(": it isn't on this machine."))
  }

  @Test func whatIsNotThereCannotBeDescribed() async throws {
    let result = try await run("describe", "/nonexistent/a")
    #expect(result.status == 4)
    #expect(result.errors == "baton: Can't describe /nonexistent/a: No such file or directory.\n")
  }

  @Test(arguments: ["", "[]", #"{"path":"relative"}"#, #"{"path":"/x","repositoryPath":"../x"}"#])
  func whatIsNoDescriptionIsAUsageError(_ input: String) async throws {
    let result = try await run("find", input: input)
    #expect(result.status == 2 && result.output.isEmpty)
  }
}
