// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Glibc
import Localization

/// A QR code for the terminal, if libqrencode is installed. Nothing depends on it: the code is also shown as text.
enum QRCode {
  // From qrencode.h. A symbol is its version and its width in modules, as int, and a pointer to one byte for each
  // module, whose lowest bit is set for a dark one.
  private typealias Encode = @convention(c) (UnsafePointer<CChar>, CInt, CInt, CInt, CInt) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private static let widthOffset = MemoryLayout<CInt>.size
  private static let modulesOffset = 2 * MemoryLayout<CInt>.size

  /// The light modules around a code that a camera needs (ISO/IEC 18004).
  private static let margin = 4
  /// How far the drawing is indented.
  private static let indentation = 4
  /// No code for so little text is wider.
  private static let widthLimit = 80

  /// - Returns: Nil if there is no library or no terminal that can show it.
  static func text(_ content: String) -> String? {
    var window = winsize()
    guard isUTF8, getenv("TERM").map({ String(cString: $0) }) != "dumb",
      ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, let modules = modules(content),
      indentation + modules.count + 2 * margin <= Int(window.ws_col)
    else { return nil }
    return drawing(modules)
  }

  /// Two modules above each other are one character. The light ones are drawn, so that the code is dark on light in a
  /// terminal with a dark background, whose colours are set.
  static func drawing(_ modules: [[Bool]]) -> String {
    let range = -margin..<(modules.count + margin)
    func isDark(_ row: Int, _ column: Int) -> Bool {
      modules.indices.contains(row) && modules[row].indices.contains(column) && modules[row][column]
    }
    func block(_ row: Int, _ column: Int) -> String {
      switch (isDark(row, column), isDark(row + 1, column)) {
      case (false, false): "█"
      case (false, true): "▀"
      case (true, false): "▄"
      case (true, true): " "
      }
    }
    let rows = stride(from: range.lowerBound, to: range.upperBound, by: 2)
    let lines = rows.map { row in range.map { column in block(row, column) }.joined() }
    let indent = String(repeating: " ", count: indentation)
    return lines.map { "\(indent)\u{1B}[97;40m\($0)\u{1B}[0m" }.joined(separator: "\n")
  }

  private static func modules(_ content: String) -> [[Bool]]? {
    guard let library = dlopen("libqrencode.so.4", RTLD_NOW) else { return nil }
    defer { dlclose(library) }
    guard let encode = dlsym(library, "QRcode_encodeString").map({ unsafeBitCast($0, to: Encode.self) }),
      let free = dlsym(library, "QRcode_free").map({ unsafeBitCast($0, to: Free.self) })
    else { return nil }
    // The smallest version, medium error correction, 8-bit characters, with case.
    guard let symbol = encode(content, 0, 1, 2, 1) else { return nil }
    defer { free(symbol) }
    let width = Int(symbol.load(fromByteOffset: widthOffset, as: CInt.self))
    guard (1...widthLimit).contains(width),
      let bytes = symbol.load(fromByteOffset: modulesOffset, as: UnsafePointer<UInt8>?.self)
    else { return nil }
    return (0..<width).map { row in (0..<width).map { column in bytes[row * width + column] & 1 == 1 } }
  }

  private static var isUTF8: Bool {
    let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) in
      getenv(name).map { String(cString: $0) } ?? ""
    }
    let locale = names.first { !$0.isEmpty } ?? ""
    return ["utf-8", "utf8"].contains { locale.lowercased().containsBytes(of: $0) }
  }
}
