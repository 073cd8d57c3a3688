// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The memory in which all streams of a daemon keep bytes.
@Loop
package final class StreamMemory {
  /// The size of each piece of memory for frames: two full frames.
  static let pieceLength = 2 * (DataFrame.headerLength + DataFrame.maximumCount)

  private(set) var budget: StreamBudget
  private var peers: [PeerID: Group] = [:]
  private var users: [UserID: Group] = [:]
  /// Pieces that nobody uses. The last one was used last, so it is still in the processor's cache.
  private var spare: [UnsafeMutableRawPointer] = []

  private static let reservedPieces = StreamBudget.sendingReserve / pieceLength
  /// How many unused pieces are kept: as many as one busy stream needs.
  private static let sparePieces = 64

  /// - Parameter limit: The maximum number of bytes that streams hold.
  package init(limit: Int) { budget = StreamBudget(memory: limit) }

  func resize(to limit: Int) { budget.resize(to: limit) }

  /// Frees the pieces that nobody uses.
  func freeSpare() {
    for piece in spare { piece.deallocate() }
    spare = []
  }

  isolated deinit { freeSpare() }

  /// What the streams with one peer, or those of one user, hold together.
  fileprivate final class Group {
    var held = 0
    var accounts = 0
  }

  /// What one stream holds.
  @Loop
  package final class Account {
    private unowned let memory: StreamMemory
    private let peer: PeerID
    private let user: UserID
    private let groups: [Group]
    private var held = 0
    private var pieces = 0

    fileprivate init(_ memory: StreamMemory, peer: PeerID, user: UserID) {
      (self.memory, self.peer, self.user) = (memory, peer, user)
      memory.budget.addStream()
      let groups = [memory.peers[peer] ?? Group(), memory.users[user] ?? Group()]
      for group in groups { group.accounts += 1 }
      (memory.peers[peer], memory.users[user]) = (groups[0], groups[1])
      self.groups = groups
    }

    /// Gives back what the stream still holds. It holds no pieces.
    package func close() {
      give(held)
      memory.budget.removeStream()
      for group in groups { group.accounts -= 1 }
      if groups[0].accounts == 0 { memory.peers[peer] = nil }
      if groups[1].accounts == 0 { memory.users[user] = nil }
    }

    /// Takes up to `wanted` bytes beyond the stream's reserve.
    ///
    /// - Parameter least: If fewer are free, none are taken.
    /// - Returns: How many were taken.
    func take(_ wanted: Int, atLeast least: Int = 1) -> Int {
      let count = memory.budget.take(wanted, atLeast: least, held: (held, groups[0].held, groups[1].held))
      add(count)
      return count
    }

    /// Takes bytes that are there already; see `StreamBudget.force(_:)`.
    func force(_ count: Int) {
      memory.budget.force(count)
      add(count)
    }

    func give(_ count: Int) {
      memory.budget.give(count)
      add(-count)
    }

    private func add(_ count: Int) {
      held += count
      for group in groups { group.held += count }
    }

    /// Takes a piece of memory for frames, of ``StreamMemory/pieceLength`` bytes. The first ones are the stream's
    /// reserve.
    ///
    /// - Parameter isForced: Whether it is for bytes that are there already.
    /// - Returns: Nil if the stream must wait until it needs fewer.
    func takePiece(isForced: Bool = false) -> UnsafeMutableRawPointer? {
      if pieces >= reservedPieces, take(pieceLength, atLeast: pieceLength) == 0 {
        guard isForced else { return nil }
        force(pieceLength)
      }
      pieces += 1
      return memory.spare.popLast() ?? .allocate(byteCount: pieceLength, alignment: 64)
    }

    func givePiece(_ piece: UnsafeMutableRawPointer) {
      pieces -= 1
      if pieces >= reservedPieces { give(pieceLength) }
      if memory.spare.count < sparePieces { memory.spare.append(piece) } else { piece.deallocate() }
    }
  }

  /// Begins an account, which its owner must close.
  package func account(peer: PeerID, user: UserID) -> Account { Account(self, peer: peer, user: user) }
}
