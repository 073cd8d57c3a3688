// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import JSONCoding
import Testing

private let hash = String(repeating: "0a", count: 32)

struct DocumentStreamLineTests {
  @Test func requestsSurvive() {
    for request in DocumentRequest.allCases {
      #expect(request.line.last == 0x0A)
      #expect(DocumentRequest(line: request.line.dropLast()) == request)
    }
    #expect(DocumentRequest.document.line == Array("{\"get\":\"document\"}\n".utf8))
  }

  @Test(arguments: ["", "{}", "[]", "{\"get\":\"/etc/passwd\"}", "{\"get\":1}", "{\"get\":\"document\"", "nonsense"])
  func otherLinesAreNoRequests(_ line: String) { #expect(DocumentRequest(line: Array(line.utf8)) == nil) }

  @Test func aLongLineIsNoRequest() {
    let line = "{\"get\":\"document\"" + String(repeating: " ", count: 4096) + "}"
    #expect(DocumentRequest(line: Array(line.utf8)) == nil)
  }

  @Test func headersAndRefusalsSurvive() {
    let header = DocumentHeader(size: 5, sha256: hash, baseSHA256: hash)
    #expect(DocumentHeader.read(line: header.line.dropLast()) == .success(header))
    for refusal in DocumentRefusal.allCases {
      #expect(DocumentHeader.read(line: refusal.line.dropLast()) == .failure(refusal))
    }
    #expect(DocumentHeader.read(line: Array(#"{"reason":"later"}"#.utf8)) == .failure(.notAvailable))
  }

  @Test(arguments: [
    "", "{}", #"{"size":1}"#, #"{"size":-1,"sha256":"HASH"}"#, #"{"size":1,"sha256":"00"}"#,
    #"{"size":1e99,"sha256":"HASH"}"#, #"{"size":1,"sha256":"HASH","baseSHA256":"x"}"#,
  ])
  func otherLinesAreNoHeaders(_ line: String) {
    let line = line.split(separator: "HASH", omittingEmptySubsequences: false).joined(separator: hash)
    #expect(DocumentHeader.read(line: Array(line.utf8)) == nil)
  }
}
