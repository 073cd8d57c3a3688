// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

@Suite struct BrowserMessageTests {
  @Test(
    arguments: [
      ("https://example.org", "https://example.org"),
      ("http://ada:pw@example.org:8080/a?b#c", "http://example.org:8080/a?b#c"),
      ("https://ada@example.org/@x", "https://example.org/@x"), ("http://a@b@example.org/", "http://example.org/"),
      ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("data:text/html,x", nil), ("about:config", nil),
      ("http://localhost:3000/", nil), ("http://ada@[::1]/", nil), ("https:///x", nil), ("", nil),
      ("https://example.org/\u{1}", nil), ("view-source:https://example.org", nil),
    ] as [(String, String?)]
  )
  func onlyPagesOfTheWebHaveAnAddress(url: String, address: String?) { #expect(BrowserPage.address(url) == address) }

  @Test func pagesOfThisMachinesServersComeOnlyFromItsOwnBrowser() {
    let page: JSON = ["url": "http://localhost:8000/a"]
    let message: JSON = ["type": "page", "page": page, "isChosen": true]
    #expect(BrowserMessage(json: message) == .page(BrowserPage(url: "http://localhost:8000/a"), isChosen: true))
    #expect(BrowserPage(json: page) == nil && BrowserPage(json: page, isHere: true)?.localPage?.port == 8000)
    // Another machine's browser names the tabs of a window.
    #expect(PageState(json: ["tabs": [page], "ports": [3001, 0, 70000, "x"]]).tabs.isEmpty)
    #expect(PageState(json: ["ports": [3001, 70000, "x"]]).ports == [3001])
  }

  @Test func anAddressThatIsTooLongIsNone() {
    let url = "https://example.org/" + String(repeating: "a", count: Limits.urlLength)
    #expect(BrowserPage.address(url) == nil)
    // Letters that are encoded get longer.
    #expect(BrowserPage.address("https://example.org/" + String(repeating: "é", count: 1000)) == nil)
  }

  @Test func aTitleIsCutAndAnIconMustBeShort() {
    let long = String(repeating: "ü", count: 400)
    let page = BrowserPage(json: ["url": "https://example.org/", "title": .string(long), "icon": "data:image/png,"])
    #expect(page?.title == String(repeating: "ü", count: 256))
    #expect(page?.icon == nil)
    let icon = "https://example.org/" + String(repeating: "i", count: BrowserLimits.iconLength)
    #expect(BrowserPage(json: ["url": "https://example.org/", "icon": .string(icon)])?.icon == nil)
  }

  @Test func partsOfAStateThatAreNotAllowedAreLeftOut() {
    let state = PageState(json: [
      "place": ["fraction": 12_000],
      "form": [
        ["kind": "text", "name": "a", "index": 0, "text": "fine"], ["kind": "password", "index": 0, "text": "x"],
        ["kind": "text", "index": -1, "text": "x"], ["kind": "text", "index": 0, "text": 7], 5,
        ["kind": "text", "index": 0, "text": "x", "id": .string(String(repeating: "i", count: 300))],
      ],
      "tabs": [["url": "javascript:alert(1)"], ["url": "https://example.org/"]],
    ])
    #expect(state.place == nil)
    #expect(state.form == [FormField(kind: .text, name: "a", text: "fine")])
    #expect(state.tabs == [BrowserPage(url: "https://example.org/")])
    #expect(state.malformed == [.place, .form, .tabs])
    #expect(PageState(json: "x").isEmpty)
    #expect(PageState(json: "x").malformed == [.all])
  }

  @Test func anIDThatIsTooLongIsDroppedAndNotCut() {
    let longest = String(repeating: "ü", count: BrowserLimits.nameLength / 2)
    for (id, isKept) in [(longest, true), (longest + "x", false)] {
      let state = PageState(json: [
        "place": ["fraction": 5, "anchor": ["id": .string(id), "path": [], "tag": "p", "fraction": 0]],
        "form": [["kind": "text", "index": 0, "text": "x", "id": .string(id)]],
      ])
      #expect(state.place?.anchor?.id == (isKept ? id : nil))
      #expect(state.place?.fraction == 5)
      #expect(state.form.map(\.id) == (isKept ? [id] : []))
      #expect(state.malformed == (isKept ? [] : [.anchor, .form]))
    }
  }

  @Test func onlyPartsThatAreLeftOutAreMalformed() {
    for state in [nil, [:], ["place": nil, "form": [], "icon": 7], ["place": ["fraction": 5]]] as [JSON] {
      #expect(PageState(json: state).malformed.isEmpty)
    }
    for state in [["form": "x"], ["form": .array(Array(repeating: field, count: BrowserLimits.fields + 1))]] as [JSON] {
      #expect(PageState(json: state).malformed == [.form])
    }
  }

  private var field: JSON { ["kind": "text", "index": 0, "text": "x"] }

  @Test func anAnchorThatIsNotAllowedLeavesTheFraction() {
    for anchor in [
      ["tag": "p", "fraction": 2_000_000], ["tag": "", "fraction": 0], ["tag": "p", "fraction": 0, "path": [-2]],
      ["tag": "p", "fraction": 0, "path": .array(Array(repeating: 1, count: 65))],
    ] as [JSON] {
      let state = PageState(json: ["place": ["fraction": 5, "anchor": anchor]])
      #expect(state.place == PagePlace(fraction: 5))
      #expect(state.malformed == [.anchor])
    }
  }

  @Test func aWindowIsAskedToComeToTheFrontWithAPage() {
    #expect(BrowserMessage(json: ["type": "front", "url": "a"]) == .front(url: "a"))
    #expect(BrowserMessage(json: ["type": "front"]) == nil)
  }

  @Test func aStateSurvivesItsJSON() {
    let anchor = PageAnchor(id: "a", path: [1, -1, 2], tag: "p", text: "Call me", fraction: -20)
    let state = PageState(
      place: PagePlace(fraction: 10_000, anchor: anchor),
      form: FormField.Kind.allCases.map { FormField(kind: $0, id: "i", index: 3, text: "€") },
      tabs: [BrowserPage(url: "https://example.org/", title: "T")]
    )
    #expect(PageState(json: state.json) == state)
  }

  @Test func aStateThatDoesNotFitGoesThroughTheStream() {
    let small = PageState(form: [FormField(kind: .text, text: "x")])
    let inline = WebPageActivity(icon: nil, state: small)
    #expect(inline.streamed == nil)
    #expect(!WebPageActivity.isStateInStream(inline.userInfo))
    let large = PageState(form: [FormField(kind: .text, text: String(repeating: "x", count: 4000))])
    let streamed = WebPageActivity(icon: "https://example.org/i", state: large)
    #expect(streamed.userInfo == ["icon": "https://example.org/i", "isStateInStream": true])
    #expect(streamed.streamed == large.json.bytes)
  }

  @Test func fieldsThatFitInNoMessageAreLeftOut() throws {
    let long = FormField(kind: .textarea, text: String(repeating: "x", count: BrowserLimits.outgoingLength))
    let state = PageState(form: [FormField(kind: .text, text: "short"), long])
    #expect(PageState(json: try JSON(parsing: state.bytes, depth: BrowserLimits.depth)).form.map(\.text) == ["short"])
  }

  @Test func messagesAreFramedInTheMachinesByteOrder() throws {
    let bytes = try #require((["a": "€"] as JSON).nativeMessage)
    #expect(Array(bytes.prefix(4)) == [11, 0, 0, 0])
    var decoder = NativeMessageDecoder()
    for byte in bytes.dropLast() {
      decoder.receive([byte])
      #expect(try decoder.next() == nil)
    }
    decoder.receive(bytes.suffix(1) + bytes)
    #expect(try decoder.next() == ["a": "€"])
    #expect(try decoder.next() == ["a": "€"])
    #expect(try decoder.next() == nil)
  }

  @Test func lengthsAreCheckedFirst() {
    var decoder = NativeMessageDecoder()
    decoder.receive([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: NativeMessageDecoder.Failure.tooLong(.max)) { try decoder.next() }
    #expect(JSON.string(String(repeating: "x", count: BrowserLimits.outgoingLength)).nativeMessage == nil)
  }

  @Test(arguments: ["{{", "", #"{"title":"\ud83d"}"#])
  func whatIsNoJSONIsSkipped(_ text: String) throws {
    let next = try #require((["a": 1] as JSON).nativeMessage)
    var decoder = NativeMessageDecoder()
    decoder.receive([UInt8(text.utf8.count), 0, 0, 0] + text.utf8 + next)
    #expect(try decoder.next() == ["a": 1])
    #expect(try decoder.next() == nil)
  }

  @Test func onlyKnownMessagesAreRead() throws {
    #expect(BrowserMessage(json: ["type": "hello", "isTaken": true]) == .hello(isTaken: true))
    let continued: JSON = ["type": "hello", "isTaken": true, "url": "https://example.org/"]
    #expect(BrowserMessage(json: continued) == .hello(isTaken: true, url: "https://example.org/"))
    #expect(BrowserMessage(json: ["type": "page", "page": nil, "isChosen": true]) == .page(nil, isChosen: true))
    #expect(BrowserMessage(json: ["type": "page", "page": ["url": "file:///x"]]) == .page(nil, isChosen: false))
    #expect(BrowserMessage(json: ["type": "open", "id": "x", "deviceID": "y"]) == nil)
    let id = ActivityID.random()
    let device = try #require(DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount)))
    var open: [String: JSON] = ["type": "open", "request": 1, "id": id.json, "deviceID": device.json]
    // A click says what it is for.
    #expect(BrowserMessage(json: .object(open)) == nil)
    let shown = ShownOffer(activityType: "a.b", title: nil, webpageHost: "example.org")
    open["shown"] = shown.json
    #expect(BrowserMessage(json: .object(open)) == .open(request: 1, id, device, shown))
    for json in [[], ["type": 5], ["type": "send"], "hello"] as [JSON] { #expect(BrowserMessage(json: json) == nil) }
  }

  @Test func aTitleCountsTheOtherTabs() {
    let page = BrowserPage(url: "https://example.org/", title: "Ducks")
    #expect([0, 1, 3].map { page.counting($0).title } == ["Ducks", "Ducks, and 1 more tab", "Ducks, and 3 more tabs"])
    let long = BrowserPage(url: page.url, title: String(repeating: "ä", count: 400)).counting(49).title ?? ""
    #expect(long.utf8.count <= Limits.titleLength && long.hasSuffix("ä, and 49 more tabs"))
  }
}
