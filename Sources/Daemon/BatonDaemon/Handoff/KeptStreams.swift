// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import EventLoop
import Glibc
import JSONCoding
import Systemd

/// The streams that one daemon leaves to the next, as descriptors that systemd keeps. For each stream there are the
/// app's socket and a file in memory with the rest. One more such file has what they share.
@Loop
package struct KeptStreams {
  /// How many descriptors the maximum number of streams needs.
  package static let capacity = 2 * Limits.keptStreams + 1
  /// The maximum size of a file, in bytes: both buffers of a stream, what came with the app's call, and a header.
  private static let fileLength =
    Int(2 * Limits.streamWindowMaximum) + Limits.varlinkMessageLength + 4096
  private static let common = "streams"

  /// The epoch of the stream numbers; nil if nothing was left.
  var epoch: UInt64?
  var openedCount: UInt32 = 0
  var streams: [(SavedStream, socket: Int32)] = []

  init(epoch: UInt64, openedCount: UInt32, streams: [(SavedStream, socket: Int32)]) {
    (self.epoch, self.openedCount, self.streams) = (epoch, openedCount, streams)
  }

  /// - Parameter descriptors: Closed, except for the sockets of ``streams``.
  init(taking descriptors: [StoredDescriptor]) {
    var files: [String: [UInt8]] = [:]
    var sockets: [String: Int32] = [:]
    for item in descriptors {
      let parts = item.name.split(atScalar: "-", maxSplits: 1).map(String.init)
      if parts.count == 2, parts[0] == "socket", sockets[parts[1]] == nil {
        sockets[parts[1]] = item.descriptor
      } else {
        files[item.name] = Self.read(item.descriptor)
        Sockets.close(item.descriptor)
      }
    }
    let numbers = files[Self.common].flatMap { try? JSON(parsing: $0[...], depth: 1) }?.object ?? [:]
    epoch = numbers["streamEpoch"]?.uint64
    openedCount = numbers["openedCount"]?.uint64.flatMap(UInt32.init(exactly:)) ?? 0
    for (name, socket) in sockets {
      if epoch != nil, let stream = files["stream-\(name)"].flatMap(SavedStream.init) {
        streams.append((stream, socket))
      } else {
        Sockets.close(socket)
      }
    }
  }

  /// Everything that must be kept, as descriptors that the caller owns. A stream for which no file can be created is
  /// ended.
  func descriptors() -> [StoredDescriptor] {
    let numbers: JSON = ["streamEpoch": JSON(epoch ?? 0), "openedCount": JSON(UInt64(openedCount))]
    guard let common = Self.file(Self.common, numbers.bytes) else { return [] }
    var descriptors = [common]
    for (number, (stream, socket)) in streams.enumerated() {
      guard let file = Self.file("stream-\(number)", stream.bytes) else {
        Sockets.close(socket)
        continue
      }
      descriptors += [file, StoredDescriptor(name: "socket-\(number)", descriptor: socket)]
    }
    return descriptors
  }

  private static func file(_ name: String, _ bytes: [UInt8]) -> StoredDescriptor? {
    let descriptor = clinux_memory_file("baton-\(name)")
    guard descriptor >= 0 else { return nil }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      Sockets.close(descriptor)
      return nil
    }
    return StoredDescriptor(name: name, descriptor: descriptor)
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0, (0...fileLength).contains(Int(status.st_size)) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }
}
