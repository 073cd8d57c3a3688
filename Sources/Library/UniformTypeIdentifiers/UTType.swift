// SPDX-License-Identifier: Apache-2.0

/// The type of some content, by its identifier, such as `public.text`.
///
/// On Linux, a type is only its identifier: there is no information about conformance.
public struct UTType: Hashable, Sendable {
  /// The identifier.
  public let identifier: String

  /// Creates a type. Nil if the identifier is empty.
  public init?(_ identifier: String) {
    guard !identifier.isEmpty else { return nil }
    self.identifier = identifier
  }

  /// Creates a type that your app declares.
  public init(exportedAs identifier: String) { self.identifier = identifier }

  /// Creates a type that another app declares.
  public init(importedAs identifier: String) { self.identifier = identifier }
}

// Apple's types.
extension UTType {
  /// `public.item`
  public static let item = UTType(importedAs: "public.item")
  /// `public.content`
  public static let content = UTType(importedAs: "public.content")
  /// `public.composite-content`
  public static let compositeContent = UTType(importedAs: "public.composite-content")
  /// `public.data`
  public static let data = UTType(importedAs: "public.data")
  /// `public.directory`
  public static let directory = UTType(importedAs: "public.directory")
  /// `public.folder`
  public static let folder = UTType(importedAs: "public.folder")
  /// `public.text`
  public static let text = UTType(importedAs: "public.text")
  /// `public.plain-text`
  public static let plainText = UTType(importedAs: "public.plain-text")
  /// `public.utf8-plain-text`
  public static let utf8PlainText = UTType(importedAs: "public.utf8-plain-text")
  /// `public.rtf`
  public static let rtf = UTType(importedAs: "public.rtf")
  /// `public.html`
  public static let html = UTType(importedAs: "public.html")
  /// `public.xml`
  public static let xml = UTType(importedAs: "public.xml")
  /// `public.json`
  public static let json = UTType(importedAs: "public.json")
  /// `com.adobe.pdf`
  public static let pdf = UTType(importedAs: "com.adobe.pdf")
  /// `public.source-code`
  public static let sourceCode = UTType(importedAs: "public.source-code")
  /// `public.image`
  public static let image = UTType(importedAs: "public.image")
  /// `public.jpeg`
  public static let jpeg = UTType(importedAs: "public.jpeg")
  /// `public.png`
  public static let png = UTType(importedAs: "public.png")
  /// `com.compuserve.gif`
  public static let gif = UTType(importedAs: "com.compuserve.gif")
  /// `public.tiff`
  public static let tiff = UTType(importedAs: "public.tiff")
  /// `public.heic`
  public static let heic = UTType(importedAs: "public.heic")
  /// `public.svg-image`
  public static let svg = UTType(importedAs: "public.svg-image")
  /// `com.microsoft.bmp`
  public static let bmp = UTType(importedAs: "com.microsoft.bmp")
  /// `public.camera-raw-image`
  public static let rawImage = UTType(importedAs: "public.camera-raw-image")
  /// `public.movie`
  public static let movie = UTType(importedAs: "public.movie")
  /// `public.video`
  public static let video = UTType(importedAs: "public.video")
  /// `public.mpeg-4`
  public static let mpeg4Movie = UTType(importedAs: "public.mpeg-4")
  /// `com.apple.quicktime-movie`
  public static let quickTimeMovie = UTType(importedAs: "com.apple.quicktime-movie")
  /// `public.audio`
  public static let audio = UTType(importedAs: "public.audio")
  /// `public.mp3`
  public static let mp3 = UTType(importedAs: "public.mp3")
  /// `com.microsoft.waveform-audio`
  public static let wav = UTType(importedAs: "com.microsoft.waveform-audio")
  /// `public.mpeg-4-audio`
  public static let mpeg4Audio = UTType(importedAs: "public.mpeg-4-audio")
  /// `public.audiovisual-content`
  public static let audiovisualContent = UTType(importedAs: "public.audiovisual-content")
  /// `public.url`
  public static let url = UTType(importedAs: "public.url")
  /// `public.file-url`
  public static let fileURL = UTType(importedAs: "public.file-url")
  /// `public.message`
  public static let message = UTType(importedAs: "public.message")
  /// `public.email-message`
  public static let emailMessage = UTType(importedAs: "public.email-message")
  /// `public.contact`
  public static let contact = UTType(importedAs: "public.contact")
  /// `public.vcard`
  public static let vCard = UTType(importedAs: "public.vcard")
  /// `public.calendar-event`
  public static let calendarEvent = UTType(importedAs: "public.calendar-event")
  /// `public.to-do-item`
  public static let toDoItem = UTType(importedAs: "public.to-do-item")
  /// `public.archive`
  public static let archive = UTType(importedAs: "public.archive")
  /// `public.zip-archive`
  public static let zip = UTType(importedAs: "public.zip-archive")
  /// `public.presentation`
  public static let presentation = UTType(importedAs: "public.presentation")
  /// `public.spreadsheet`
  public static let spreadsheet = UTType(importedAs: "public.spreadsheet")
  /// `public.database`
  public static let database = UTType(importedAs: "public.database")
  /// `public.bookmark`
  public static let bookmark = UTType(importedAs: "public.bookmark")
  /// `public.delimited-values-text`
  public static let delimitedText = UTType(importedAs: "public.delimited-values-text")
  /// `public.comma-separated-values-text`
  public static let commaSeparatedText = UTType(importedAs: "public.comma-separated-values-text")
  /// `public.script`
  public static let script = UTType(importedAs: "public.script")
  /// `com.apple.application`
  public static let application = UTType(importedAs: "com.apple.application")
  /// `com.apple.package`
  public static let package = UTType(importedAs: "com.apple.package")
  /// `org.idpf.epub-container`
  public static let epub = UTType(importedAs: "org.idpf.epub-container")
  /// `public.playlist`
  public static let playlist = UTType(importedAs: "public.playlist")
  /// `public.disk-image`
  public static let diskImage = UTType(importedAs: "public.disk-image")
  /// `public.tab-separated-values-text`
  public static let tabSeparatedText = UTType(importedAs: "public.tab-separated-values-text")
  /// `public.swift-source`
  public static let swiftSource = UTType(importedAs: "public.swift-source")
  /// `com.apple.property-list`
  public static let propertyList = UTType(importedAs: "com.apple.property-list")
  /// `com.apple.rtfd`
  public static let rtfd = UTType(importedAs: "com.apple.rtfd")
  /// `com.apple.webarchive`
  public static let webArchive = UTType(importedAs: "com.apple.webarchive")
  /// `com.apple.live-photo`
  public static let livePhoto = UTType(importedAs: "com.apple.live-photo")
  /// `public.mpeg`
  public static let mpeg = UTType(importedAs: "public.mpeg")
  /// `public.avi`
  public static let avi = UTType(importedAs: "public.avi")
  /// `public.midi-audio`
  public static let midi = UTType(importedAs: "public.midi-audio")
  /// `public.font`
  public static let font = UTType(importedAs: "public.font")
}
