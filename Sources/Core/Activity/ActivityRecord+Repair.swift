// SPDX-License-Identifier: Apache-2.0

/// Harmless flaws are repaired, because programs pass titles and addresses on as they find them.
extension ActivityRecord {
  /// Returns the activity with a title on one line, without direction marks and not too long, and with addresses whose
  /// unusual characters are percent-encoded. An address that is too long is left out, unless the activity consists of
  /// it.
  package func repaired() -> ActivityRecord {
    var record = self
    record.title = title.map(Self.repairedTitle)
    record.webpageURL = webpageURL.map(Self.repairedURL)
    record.referrerURL = referrerURL.map(Self.repairedURL)
    if !isPage { Self.drop(&record.webpageURL) }
    Self.drop(&record.referrerURL)
    Self.drop(&record.targetContentIdentifier)
    return record
  }

  /// Whether the activity is nothing but a page.
  private var isPage: Bool { activityType.utf8.elementsEqual(Self.webPageType.utf8) }

  private static func drop(_ address: inout String?) {
    if let length = address?.utf8.count, length > Limits.urlLength { address = nil }
  }

  /// The members that this activity has, and the repaired one no longer.
  package func members(missingIn repaired: ActivityRecord) -> [String] {
    let addresses = [
      ("webpageURL", \ActivityRecord.webpageURL), ("referrerURL", \.referrerURL),
      ("targetContentIdentifier", \.targetContentIdentifier),
    ]
    return addresses.filter { self[keyPath: $1] != nil && repaired[keyPath: $1] == nil }.map(\.0)
  }

  /// Titles in Hebrew and Arabic contain direction marks, and titles of notes contain line breaks.
  package static func repairedTitle(_ title: String) -> String {
    guard title.utf8.count > Limits.titleLength || title.unicodeScalars.contains(where: isControl) else { return title }
    var repaired = String.UnicodeScalarView()
    var count = 0
    for scalar in title.unicodeScalars where !scalar.properties.isBidiControl {
      let next: Unicode.Scalar = isControl(scalar) ? " " : scalar
      if next == " ", repaired.last == " " { continue }
      count += UTF8.width(next)
      repaired.append(next)
      // Nothing of what follows can be shown.
      if count > Limits.titleLength { break }
    }
    guard count > Limits.titleLength else { return String(repaired) }
    var shortened = String(repaired)
    // Whole characters are left out, so that no accent is lost.
    while shortened.utf8.count + ellipsis.utf8.count > Limits.titleLength { shortened.removeLast() }
    return shortened + ellipsis
  }

  private static let ellipsis = "…"

  /// Browsers leave backslashes in queries, and players spaces in paths. In what comes before the path, such a
  /// character could mean another host, so nothing is repaired there.
  private static func repairedURL(_ url: String) -> String {
    guard url.utf8.count <= Limits.urlLength, url.unicodeScalars.contains(where: isUnusual),
      let scheme = url.utf8.firstRange(ofBytes: "://".utf8)
    else { return url }
    let rest = url[scheme.upperBound...]
    let end = rest.unicodeScalars.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    let start = url[..<end]
    guard !start.unicodeScalars.contains(where: isUnusual) else { return url }
    var repaired = String(start)
    for scalar in url[end...].unicodeScalars {
      if isUnusual(scalar) {
        for byte in String(scalar).utf8 {
          repaired += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
      } else {
        repaired.unicodeScalars.append(scalar)
      }
    }
    return repaired
  }
}
