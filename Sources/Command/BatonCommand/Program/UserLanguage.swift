// SPDX-License-Identifier: Apache-2.0

import CLinux
import EventLoop
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
    guard let path = ProgramFile.path, let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return path[..<end] + "/../share/locale"
  }
}
