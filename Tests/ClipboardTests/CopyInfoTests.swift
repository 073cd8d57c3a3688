// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

@testable import Desktop

struct CopyInfoTests {
  private func info(_ text: String) throws -> CopyInfo? {
    CopyInfo(json: try JSON(parsing: Array(text.utf8), depth: 8))
  }

  @Test func itSurvivesWritingAndReading() throws {
    for copied in [1_797_307_200.5, 1_797_307_200] {
      let info = CopyInfo([.text], size: 5, copied: copied)
      #expect(CopyInfo(json: info.json) == info)
    }
    #expect(CopyInfo([.text], size: nil, copied: nil).json.text == #"{"types":["text/plain;charset=utf-8"]}"#)
  }

  @Test func itSaysWhatItCameAfter() throws {
    let ids = (0..<20).map { _ in ActivityID.random() }
    let info = CopyInfo([.text], size: 5, copied: nil).after(ids)
    #expect(info.earlier == Array(ids.prefix(16)))
    #expect(CopyInfo(json: info.json) == info)
    #expect(try self.info(#"{"types": ["text/plain"], "earlier": [7, "x"]}"#)?.earlier == [])
  }

  @Test func ofCopiesThatDoNotKnowEachOtherBothMachinesFindTheSameOneNewer() {
    for _ in 0..<100 {
      let info = CopyInfo([.text], size: 5, copied: nil)
      let (first, second) = (ActivityID.random(), ActivityID.random())
      let (one, other) = ((first, info.after([])), (second, info.after([.random()])))
      #expect(CopyInfo.isNewer(one, than: other) != CopyInfo.isNewer(other, than: one))
      let later = (second, info.after([.random(), first]))
      #expect(CopyInfo.isNewer(later, than: one))
      #expect(!CopyInfo.isNewer(one, than: later))
      // An earlier version does not say it.
      #expect(CopyInfo.isNewer((second, info), than: one))
    }
  }

  @Test(arguments: [
    "{}", #"{"types": []}"#, #"{"types": "text/plain"}"#, #"{"types": ["UTF8_STRING"]}"#, "[]",
    #"{"types": ["text/plain", "x-kde-passwordManagerHint"]}"#,
  ])
  func nothingElseCanBePasted(_ text: String) throws { #expect(try info(text) == nil) }

  @Test func typesThatAreNoneAreLeftOut() throws {
    #expect(try info(#"{"types": ["a b", "image/png", 7], "size": -1}"#)?.types.map(\.description) == ["image/png"])
  }

  @Test func titlesSayNothingOfTheContent() throws {
    #expect(CopyInfo([.text], size: 1, copied: nil).title == "Text")
    #expect(CopyInfo([try #require(MediaType("image/png"))], size: 1, copied: nil).title == "Picture")
    #expect(CopyInfo([try #require(MediaType("application/pdf"))], size: 1, copied: nil).title == "Copied data")
  }

  @Test func requestsNameAType() throws {
    let request = ClipboardRequest(.text)
    #expect(ClipboardRequest(line: request.line.dropLast()) == request)
    for line in [#"{"get":"document"}"#, #"{"get":"clipboard"}"#, #"{"get":"clipboard","type":"x"}"#, "", "7"] {
      #expect(ClipboardRequest(line: Array(line.utf8)) == nil)
    }
  }
}
