// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Localization

/// The language of the texts that this program shows: `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` of the environment.
enum UserLanguage {
  private static let domain = "baton"

  /// Has texts translated, if there are translations next to this program and the user doesn't want English. Numbers,
  /// sorting and everything else stay as they are. Called once, before other threads run.
  static func adopt() {
    guard let directory, setlocale(LC_MESSAGES, "") != nil else { return }
    // Texts in other encodings than UTF-8 would not be strings.
    guard bindtextdomain(domain, directory) != nil, bind_textdomain_codeset(domain, "UTF-8") != nil else { return }
    unsafe Translations.catalog = { format, plural in
      guard let plural else {
        // gettext may return its argument, which lives as long as this closure runs.
        return format.withCString { String(cString: dgettext(domain, $0)) }
      }
      return format.withCString { one in
        plural.format.withCString { other in
          String(cString: dngettext(domain, one, other, UInt(clamping: plural.count.magnitude)))
        }
      }
    }
  }

  /// `share/locale` beside the folder of this program: `/usr/share/locale` for `/usr/bin/baton`.
  private static var directory: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0, let end = path[..<count].lastIndex(of: CChar(UInt8(ascii: "/"))) else { return nil }
    let folder = String(decoding: path[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return folder + "/../share/locale"
  }
}
