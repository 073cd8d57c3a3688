import Activity
import Foundation
import Testing

struct ReasonTests {
  private var document: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try String(contentsOf: root.appending(path: "Documentation/Reasons.md"), encoding: .utf8)
    }
  }

  /// The names in the first column of the tables.
  private var documented: [String] {
    get throws {
      try document.split(separator: "\n").compactMap { line in
        guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
        return String(line.dropFirst(3)[..<end])
      }
    }
  }

  @Test func everyReasonIsDocumentedOnce() throws {
    let documented = try documented
    for reason in Reason.allCases {
      #expect(documented.filter { $0 == reason.rawValue }.count == 1, "\(reason.rawValue)")
    }
  }

  @Test func nothingElseIsDocumented() throws {
    for name in try documented { #expect(Reason(rawValue: name) != nil, "\(name)") }
  }

  @Test func everyRowSaysWhatToDo() throws {
    for line in try document.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 3 && cells.allSatisfy { !$0.isEmpty }, "\(line)")
    }
  }

  @Test(arguments: Reason.allCases) func everyExplanationIsASentence(reason: Reason) {
    let text = reason.explanation
    #expect(text.first?.isUppercase == true || text.hasPrefix("batond "))
    #expect(text.hasSuffix(".") || text.hasSuffix("?"))
    #expect(!text.contains("\n"))
  }
}
