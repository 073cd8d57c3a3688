// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import EventLoop
import Glibc
import Localization

/// What a passphrase opens.
enum PassphraseSubject {
  case backup, key

  fileprivate var prompt: String {
    switch self {
    case .backup: localized("Passphrase for the backup:") + " "
    case .key: localized("Passphrase for the team's key:") + " "
    }
  }

  fileprivate var currentPrompt: String {
    switch self {
    case .backup: localized("Current passphrase for the backup:") + " "
    case .key: localized("Current passphrase for the team's key:") + " "
    }
  }
}

/// The passphrase of a backup or of a team's key: typed, or the first line of a file.
enum Passphrase {
  static let option = Option.text(
    "passphrase-file",
    "FILE",
    completing: .file,
    localized("Read the passphrase from the first line of FILE instead of asking for it.")
  )

  /// Asks for a passphrase if the other option does not give one.
  static let flag = Option.flag("passphrase", localized("Protect the team's key with a passphrase, and ask for it."))

  /// - Parameters:
  ///   - isNew: Whether the passphrase is being chosen. Then it must be long enough, and is asked for twice.
  ///   - thing: What it opens.
  static func read(_ arguments: ParsedArguments, isNew: Bool, of thing: PassphraseSubject = .backup) throws -> String {
    if let path = arguments[option] { return try check(firstLine(of: path), isNew: isNew) }
    let passphrase = try check(ask(thing.prompt), isNew: isNew)
    guard try !isNew || ask(localized("Repeat the passphrase:") + " ") == Array(passphrase.utf8) else {
      throw CommandError(.failure, localized("The passphrases don't match. Nothing was changed."))
    }
    return passphrase
  }

  /// Reads a new passphrase for a team's key, if the options demand one.
  static func readIfWanted(_ arguments: ParsedArguments) throws -> String? {
    guard arguments[flag] || arguments[option] != nil else { return nil }
    return try read(arguments, isNew: true, of: .key)
  }

  /// Asks for the passphrase that is about to change.
  static func askForCurrent(of thing: PassphraseSubject) throws -> String {
    try check(ask(thing.currentPrompt), isNew: false)
  }

  private static func ask(_ prompt: String) throws -> [UInt8] {
    do throws(SystemError) {
      return try PassphrasePrompt.ask(prompt) ?? []
    } catch {
      throw CommandError(
        .failure,
        localized("Can't ask for the passphrase without a terminal (\(error)). Use `--passphrase-file FILE`.")
      )
    }
  }

  private static func check(_ bytes: [UInt8], isNew: Bool) throws -> String {
    guard !bytes.isEmpty else {
      throw CommandError(.failure, localized("The passphrase is empty. Nothing was changed."))
    }
    guard bytes.count <= Limits.passphraseLength, let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(
        .failure,
        localized("A passphrase must be text of at most \(Limits.passphraseLength) bytes. Nothing was changed.")
      )
    }
    guard !isNew || text.count >= Limits.passphraseCharacters else { throw CommandError(.passphraseTooShort) }
    return text
  }

  /// Reads byte by byte, because what follows in a pipe is for another reader.
  private static func firstLine(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandError(.failure, "\(SystemError(path))") }
    defer { _ = close(descriptor) }
    var line: [UInt8] = []
    var byte: [UInt8] = [0]
    do throws(SystemError) {
      while line.count <= Limits.passphraseLength, try Descriptor.read(descriptor, into: &byte) == 1 {
        if byte == Array("\n".utf8) { break }
        line += byte
      }
    } catch {
      throw CommandError(.failure, "\(SystemError(path, error.code))")
    }
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
