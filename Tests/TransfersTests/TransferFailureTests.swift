// SPDX-License-Identifier: Apache-2.0

import Desktop
import Foundation
import Testing

struct TransferFailureTests {
  /// The section of Reasons.md, with each of its lines joined.
  private var section: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let document = try String(contentsOf: root.appending(path: "Documentation/guide/Reasons.md"), encoding: .utf8)
      let section = try #require(document.components(separatedBy: "\n## Transfers\n").last)
      return section.replacing("\n\n", with: "\u{0}").replacing("\n", with: " ").replacing("\u{0}", with: "\n")
    }
  }

  @Test(arguments: TransferFailure.allCases) func everyFailureIsDocumentedWithItsText(failure: TransferFailure) throws {
    let entry = try #require(try section.components(separatedBy: "### `\(failure.rawValue)`\n").dropFirst().first)
    let paragraphs = entry.split(separator: "\n")
    let words = failure.explanation.components(separatedBy: " ")
    let isPrinted = words.indices.contains { place in
      paragraphs[0].hasPrefix(words[..<place].joined(separator: " "))
        && paragraphs[1].hasPrefix("**What to do:** " + words[place...].joined(separator: " "))
    }
    #expect(isPrinted)
  }

  @Test func nothingElseIsDocumented() throws {
    let names = try section.components(separatedBy: "### `").dropFirst().map { $0.prefix { $0 != "`" } }
    #expect(names.map(String.init).sorted() == TransferFailure.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: TransferFailure.allCases) func everyExplanationIsASentence(failure: TransferFailure) {
    #expect(failure.explanation.first?.isUppercase == true)
    #expect(failure.explanation.hasSuffix("."))
    #expect(!failure.explanation.contains("\n"))
  }
}
