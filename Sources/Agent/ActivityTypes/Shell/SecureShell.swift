// SPDX-License-Identifier: Apache-2.0

import Activity

/// The command line of ssh for a directory of another machine. User, host and directory come from that machine, so they
/// must not become options, or commands there.
package enum SecureShell {
  /// Whether the text is a user's name: it does not begin with a dash, and has no character with a meaning.
  package static func isUser(_ text: String) -> Bool {
    isName(text, length: 64, also: "._-") && !text.starts(withBytesOf: ".")
  }

  /// Whether the text is a host's name.
  package static func isHost(_ text: String) -> Bool {
    isName(text, length: 253, also: ".-_") && !text.starts(withBytesOf: ".") && !text.containsBytes(of: "..")
  }

  private static func isName(_ text: String, length: Int, also characters: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= length else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: characters.utf8.contains(byte)
      }
    }
  }

  /// The host of an address as `ListPeers` gives it: `HOST:PORT`, `[ADDRESS]:PORT` or `[ADDRESS%INTERFACE]:PORT`.
  package static func host(ofAddress address: String) -> String? {
    var host = Substring(address)
    if let address = host.rest(afterBytesOf: "[") {
      guard let end = address.unicodeScalars.firstIndex(of: "]") else { return nil }
      host = address[..<end]
    } else if let colon = host.unicodeScalars.lastIndex(of: ":"), host.unicodeScalars.firstIndex(of: ":") == colon {
      host = host[..<colon]
    }
    let characters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:%-_".utf8)
    guard let first = host.utf8.first, first != UInt8(ascii: "-"), host.utf8.count <= 253,
      host.utf8.allSatisfy(characters.contains)
    else { return nil }
    return String(host)
  }

  /// Returns the arguments of ssh.
  ///
  /// - Parameters:
  ///   - host: A name, or an address.
  ///   - name: The name under which the host's key is known, if `host` is an address.
  package static func arguments(user: String?, host: String, name: String?, directory: String) -> [String] {
    var arguments = ["ssh", "-t"]
    if let name { arguments += ["-o", "HostKeyAlias=\(name)"] }
    if let user { arguments += ["-l", user] }
    return arguments + ["--", host, "cd -- \(quoted(directory)) && exec \"$SHELL\" -l"]
  }

  /// Returns the text as one word of a command line, for POSIX shells, zsh and fish. fish gives a backslash between
  /// single quotes a meaning, so none is there.
  package static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += #"'"'"'"#
      case "\\": result += #"'"\\"'"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }
}
