// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc

/// Finds configuration files by the rules of systemd (systemd.unit(5), "conf-files"): first the main file, then the
/// drop-ins of all directories, sorted by name. Of several files with one name, the first directory's is read; if that
/// one is a link to /dev/null, none is.
package struct ConfigurationFiles: Equatable, Sendable {
  /// The maximum size of a configuration file in bytes: some hundred times what anyone writes.
  package static let configurationFileLength = 65536
  /// The maximum number of files in one directory of drop-ins.
  package static let configurationFiles = 64

  package let main: String
  /// Whether a missing main file is a fault.
  package let isRequired: Bool
  /// In order of precedence, the highest first.
  package let directories: [String]

  package init(main: String, isRequired: Bool, directories: [String]) {
    self.main = main
    self.isRequired = isRequired
    self.directories = directories
  }

  /// - Parameters:
  ///   - named: A file that is read instead; its drop-ins are in `FILE.d`.
  ///   - environment: Returns a variable's value; nil if it is unset or empty.
  /// - Returns: Nil if a user's daemon has no home directory.
  package init?(named: String?, isUser: Bool, environment: (String) -> String?) {
    if let named {
      self.init(main: named, isRequired: true, directories: ["\(named).d"])
    } else if isUser {
      let home = environment("HOME").map { "\($0)/.config" }
      guard let configuration = environment("XDG_CONFIG_HOME") ?? home else { return nil }
      let places = [configuration] + [environment("XDG_RUNTIME_DIR")].compactMap(\.self)
      self.init(places)
    } else {
      self.init(["/etc", "/run", "/usr/local/lib", "/usr/lib"])
    }
  }

  /// - Parameter places: The first has the main file.
  private init(_ places: [String]) {
    let files = places.map { "\($0)/baton/batond.conf" }
    self.init(main: files[0], isRequired: false, directories: files.map { "\($0).d" })
  }

  /// Reads all the files. It blocks, like every read of a file.
  package func read() -> ConfigurationReader {
    var reader = ConfigurationReader()
    read(main, isRequired: isRequired, into: &reader)
    for path in dropIns(&reader) { read(path, isRequired: false, into: &reader) }
    return reader
  }

  private func dropIns(_ reader: inout ConfigurationReader) -> [String] {
    var paths: [String: String] = [:]
    for directory in directories {
      for name in names(in: directory, &reader) where paths[name] == nil { paths[name] = "\(directory)/\(name)" }
    }
    // By bytes, as strcmp(3) does.
    return paths.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  private func names(in directory: String, _ reader: inout ConfigurationReader) -> [String] {
    guard let stream = opendir(directory) else {
      if errno != ENOENT { reader.add(Self.fault(directory)) }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(validatingCString: $0) }
      }
      guard let name else {
        reader.add(ConfigurationFault(.wrong, place: directory, message: "the file's name isn't UTF-8"))
        continue
      }
      guard name.ends(withBytesOf: ".conf"), !name.starts(withBytesOf: ".") else { continue }
      guard names.count < Self.configurationFiles else {
        let message = "there are more than \(Self.configurationFiles) files; the others are ignored"
        reader.add(ConfigurationFault(.wrong, place: directory, message: message))
        break
      }
      names.append(name)
    }
    return names
  }

  private func read(_ path: String, isRequired: Bool, into reader: inout ConfigurationReader) {
    // A pipe that nobody writes to must not block us.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      // A dangling link exists, but what it should say does not.
      let (fault, isMissing) = (Self.fault(path), errno == ENOENT)
      var status = stat()
      if !isMissing || isRequired || lstat(path, &status) == 0 { reader.add(fault) }
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return reader.add(Self.fault(path)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      if Self.isNull(status) { return }
      return reader.add(ConfigurationFault(.wrong, place: path, message: "this isn't a file"))
    }
    var bytes = [UInt8](repeating: 0, count: Self.configurationFileLength + 1)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + length }, $0.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return reader.add(Self.fault(path)) }
      guard count > 0 else { break }
      length += count
    }
    guard length <= Self.configurationFileLength else {
      let message = "the file is larger than \(Self.configurationFileLength) bytes"
      return reader.add(ConfigurationFault(.wrong, place: path, message: message))
    }
    guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
      return reader.add(ConfigurationFault(.wrong, place: path, message: "the file isn't UTF-8"))
    }
    reader.read(text, path: path)
  }

  /// Whether it is /dev/null.
  private static func isNull(_ status: stat) -> Bool {
    var null = stat()
    return stat("/dev/null", &null) == 0 && status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == null.st_rdev
  }

  /// A fault with the error of the last call.
  private static func fault(_ path: String) -> ConfigurationFault {
    ConfigurationFault(.wrong, place: path, message: String(cString: strerror(errno)))
  }
}
