// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Testing

struct ReasonTests {
  private var document: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try String(contentsOf: root.appending(path: "Documentation/guide/Reasons.md"), encoding: .utf8)
    }
  }

  private struct Entry {
    /// The name, from a heading of the third level.
    let name: String
    /// The paragraphs below the heading.
    let paragraphs: [String]

    /// - Parameter text: The text, starting with the heading's name.
    init(_ text: String) {
      let parts = text.components(separatedBy: "\n\n").map { $0.trimmingCharacters(in: .newlines) }
      name = String(parts[0].dropLast())
      paragraphs = Array(parts.dropFirst())
    }
  }

  /// The reasons of transfers are a list of their own: see `TransferFailureTests`.
  private var entries: [Entry] {
    get throws {
      let sections = try document.components(separatedBy: "\n## ").filter { !$0.hasPrefix("Transfers\n") }
      return sections.flatMap { $0.components(separatedBy: "\n### `").dropFirst() }.map { Entry($0) }
    }
  }

  @Test func everyReasonIsDocumentedOnce() throws {
    let documented = try entries.map(\.name)
    for reason in Reason.allCases {
      #expect(documented.filter { $0 == reason.rawValue }.count == 1, "\(reason.rawValue)")
    }
  }

  @Test func nothingElseIsDocumented() throws {
    for name in try entries.map(\.name) { #expect(Reason(rawValue: name) != nil, "\(name)") }
  }

  @Test func everyReasonSaysWhatItMeansAndWhatToDo() throws {
    for entry in try entries {
      #expect(entry.paragraphs.count == 2, "\(entry.name)")
      #expect(entry.paragraphs.last?.hasPrefix("**What to do:** ") == true, "\(entry.name)")
    }
  }

  /// What happened is at the beginning of the first paragraph, and what to do at the beginning of the second one.
  @Test func theDocumentHasTheTextThatProgramsPrint() throws {
    for entry in try entries {
      let words = try #require(Reason(rawValue: entry.name)?.explanation).components(separatedBy: " ")
      let paragraphs = entry.paragraphs.map { $0.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }
      let isPrinted = words.indices.contains { place in
        paragraphs.first?.hasPrefix(words[..<place].joined(separator: " ")) == true
          && paragraphs.last?.hasPrefix("**What to do:** " + words[place...].joined(separator: " ")) == true
      }
      #expect(isPrinted, "\(entry.name)")
    }
  }

  @Test(arguments: Reason.allCases) func everyExplanationIsASentence(reason: Reason) {
    let text = reason.explanation
    #expect(text == reason.englishExplanation)
    #expect(text.first?.isUppercase == true || text.hasPrefix("batond "))
    #expect(text.hasSuffix(".") || text.hasSuffix("?"))
    #expect(!text.contains("\n"))
  }
}
