// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct SelectionTypesTests {
  private func types(_ names: String...) -> [String] { SelectionTypes.offered(names).map(\.type.description) }

  @Test func textOfXClientsHasOneType() {
    let offered = SelectionTypes.offered(["TIMESTAMP", "TARGETS", "MULTIPLE", "UTF8_STRING", "TEXT", "STRING"])
    #expect(offered.map(\.type) == [.text])
    #expect(offered.map(\.name) == ["UTF8_STRING"])
  }

  @Test func textInLatinCountsIfThereIsNoOther() {
    #expect(SelectionTypes.offered(["TEXT", "STRING"]).map(\.name) == ["STRING"])
    #expect(SelectionTypes.content([0x61, 0xE9], of: "STRING") == Array("aé".utf8))
    #expect(SelectionTypes.content(Array("é".utf8), of: "STRING") == Array("é".utf8))
    #expect(SelectionTypes.content([0xE9], of: "image/png") == [0xE9])
  }

  @Test func longTextOfAManagerMayBeCut() {
    let length = 4 << 20
    for name in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING"] {
      #expect(SelectionTypes.mayBeCut(size: length, of: name))
      #expect(!SelectionTypes.mayBeCut(size: length - 1, of: name))
    }
    #expect(!SelectionTypes.mayBeCut(size: length, of: "image/png"))
  }

  @Test func textComesFirst() {
    #expect(
      types("text/html", "text/plain", "UTF8_STRING", "image/png", "text/plain;charset=utf-8")
        == ["text/plain;charset=utf-8", "image/png", "text/html"]
    )
  }

  @Test func aPictureOfABrowserIsAPicture() throws {
    // Firefox, "Copy Image".
    let firefox = types(
      "TIMESTAMP",
      "TARGETS",
      "MULTIPLE",
      "SAVE_TARGETS",
      "text/html",
      "text/_moz_htmlcontext",
      "text/_moz_htmlinfo",
      "image/bmp",
      "image/jpeg",
      "image/png",
      "image/x-icon",
      "application/x-moz-nativeimage"
    )
    #expect(firefox == ["image/png", "image/jpeg", "image/bmp", "image/x-icon", "text/html"])
    #expect(CopyInfo(try firefox.map { try #require(MediaType($0)) }, size: nil, copied: nil).title == "Picture")
    // Chromium.
    #expect(types("text/html", "image/png", "chromium/x-internal-source-rfh-token") == ["image/png", "text/html"])
    // Cells of a spreadsheet are text, and can be had as a picture.
    let cells = types("application/x-openoffice-embed-source-xml", "text/html", "image/png", "text/plain;charset=utf-8")
    #expect(cells == ["text/plain;charset=utf-8", "image/png", "text/html"])
    #expect(CopyInfo(try cells.map { try #require(MediaType($0)) }, size: nil, copied: nil).title == "Text")
  }

  @Test func listsOfFilesAreLeftOutWithTheTextThatTheyAre() {
    #expect(types("text/uri-list", "UTF8_STRING", "text/plain", "x-special/gnome-copied-files") == [])
    #expect(types("application/vnd.portal.filetransfer", "text/plain", "image/png") == ["image/png"])
  }

  @Test func linksAreNoFiles() {
    #expect(types("text/x-moz-url", "text/uri-list", "UTF8_STRING") == ["text/plain;charset=utf-8"])
    #expect(SelectionTypes.offered(["text/uri-list"]).map(\.name) == ["text/uri-list"])
    #expect(types("text/uri-list") == ["text/plain;charset=utf-8"])
    #expect(SelectionTypes.listName(["UTF8_STRING", "text/uri-list"]) == "text/uri-list")
    #expect(SelectionTypes.listName(["text/uri-list", "x-special/gnome-copied-files"]) == nil)
    for (list, areFiles) in [
      ("file:///etc/hostname\r\n", true), ("FILE:/etc", true), ("https://example.org/file:\r\n", false),
      ("# a comment\r\nfile:///a\r\n", true), ("https://example.org/\r\nfile:///a", true), ("", false),
    ] { #expect(SelectionTypes.namesFiles(Array(list.utf8)) == areFiles, "\(list)") }
  }

  @Test func whatProgramsUseAmongThemselvesIsLeftOut() {
    #expect(
      types(
        "text/x-moz-url-priv",
        "chromium/x-web-custom-data",
        "application/x-qt-image",
        "text/_moz_htmlinfo",
        "application/x-libreoffice-tsvc",
        "x-kde-other/x",
        "image/png"
      ) == ["image/png"]
    )
  }

  @Test func thereAreAtMostSixteen() {
    #expect(SelectionTypes.offered((0..<40).map { "image/x\($0)" }).count == 16)
  }

  @Test func localProgramsFindTextByEachOfItsNames() throws {
    let names = SelectionTypes.names(of: [.text, try #require(MediaType("text/html"))])
    #expect(
      names.map(\.name)
        == ["text/plain;charset=utf-8", "text/html", "text/plain", "UTF8_STRING", "STRING", "TEXT"]
    )
    #expect(names.first { $0.name == "UTF8_STRING" }?.type == .text)
    #expect(SelectionTypes.names(of: [try #require(MediaType("image/png"))]).map(\.name) == ["image/png"])
  }

  @Test func otherMachinesGiveNoListsOfFilesAndNoOtherEncodings() throws {
    let types = try ["text/uri-list", "x-special/gnome-copied-files", "text/plain;charset=utf-16"].map {
      try #require(MediaType($0))
    }
    #expect(SelectionTypes.names(of: types).map(\.name) == ["text/plain;charset=utf-16"])
    #expect(SelectionTypes.names(of: Array(types.prefix(2))).isEmpty)
    #expect(SelectionTypes.names(of: [try #require(MediaType("text/plain"))]).map(\.name).contains("UTF8_STRING"))
  }

  @Test(arguments: [
    ["UTF8_STRING", "x-kde-passwordManagerHint"], ["X-KDE-PASSWORDMANAGERHINT"], ["x-kde-passwordManagerHint=secret"],
    ["text/plain", "application/x-nspasteboard-concealed-type"], ["ExcludeClipboardContentFromMonitorProcessing"],
  ])
  func secretsAreRecognized(_ names: [String]) { #expect(SecretHint.isSecret(names)) }

  @Test func otherThingsAreNoSecrets() { #expect(!SecretHint.isSecret(["text/plain", "x-kde-other", "TARGETS"])) }
}
