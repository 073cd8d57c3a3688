// SPDX-License-Identifier: Apache-2.0

/// The types of sound and films by the endings of their names. Nothing else is handed over as played, or opened as it:
/// so neither a program nor a letter is.
package enum PlayableType {
  private static let types: [String: String] = [
    "3gp": "video/3gpp", "aac": "audio/aac", "aif": "audio/x-aiff", "aiff": "audio/x-aiff", "avi": "video/x-msvideo",
    "flac": "audio/flac", "flv": "video/x-flv", "m2ts": "video/mp2t", "m4a": "audio/mp4", "m4b": "audio/mp4",
    "m4v": "video/mp4", "mka": "audio/x-matroska", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "mts": "video/mp2t",
    "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "ts": "video/mp2t",
    "wav": "audio/x-wav", "weba": "audio/webm", "webm": "video/webm", "wma": "audio/x-ms-wma", "wmv": "video/x-ms-wmv",
  ]
  /// What the player of an address plays, too, because addresses often do not say what is there.
  package static let usual = ["video/mp4", "audio/mpeg"]

  /// The type of a file with this name; nil if it is neither sound nor a film.
  package static func ofFile(_ name: String) -> String? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else { return nil }
    return types[String(Substring(name.utf8[dot...].dropFirst())).lowercased()]
  }

  /// The types that the file at an address may have, the likely one first.
  package static func ofAddress(_ url: String) -> [String] {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = path.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    return (ofFile(name).map { [$0] } ?? []) + usual
  }
}
