// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

@testable import Desktop

struct ReceivedVolumesTests {
  private static let desktop = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
  private static let laptop = DeviceID(bytes: [UInt8](repeating: 2, count: 32))!
  private let quotas = ReceivedVolumes.Quotas(total: 100, perMachine: 60)

  private func admit(
    _ volumes: inout ReceivedVolumes,
    _ number: UInt64,
    _ device: DeviceID,
    _ size: UInt64,
    entries: Int = 0,
    _ quotas: ReceivedVolumes.Quotas? = nil,
    at date: Double = 0
  ) -> Bool {
    volumes.admit(id(number), from: device, size: size, entries: entries, quotas ?? self.quotas, at: date)
  }

  private func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  @Test func eachMachineAndAllHaveAQuota() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60))
    #expect(!admit(&volumes, 2, Self.desktop, 1))
    #expect(!admit(&volumes, 3, Self.laptop, 41))
    #expect(admit(&volumes, 3, Self.laptop, 40))
    #expect(admit(&volumes, 4, Self.laptop, 0))
  }

  @Test func anotherAttemptCountsOnce() {
    var volumes = ReceivedVolumes()
    for _ in 1...3 { #expect(admit(&volumes, 1, Self.desktop, 60)) }
    #expect(!admit(&volumes, 1, Self.desktop, 61))
  }

  @Test func anAttemptThatAnnouncesLessTakesNothingOutOfTheAccount() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 50))
    // It broke off, and what has arrived is on the disk.
    volumes.pause(id(1), size: nil, at: 0)
    #expect(admit(&volumes, 1, Self.desktop, 1))
    volumes.pause(id(1), size: nil, at: 0)
    #expect(!admit(&volumes, 2, Self.desktop, 11))
    // The receiver has compared it with what comes, and deleted the rest.
    #expect(admit(&volumes, 1, Self.desktop, 1))
    volumes.pause(id(1), size: 1, at: 0)
    #expect(admit(&volumes, 2, Self.desktop, 59))
  }

  @Test func aDayLaterThereIsRoom() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60))
    #expect(!admit(&volumes, 2, Self.desktop, 60, at: ReceivedVolumes.quotaTime - 1))
    volumes.pause(id(1), size: 60, at: 0)
    #expect(admit(&volumes, 2, Self.desktop, 60, at: ReceivedVolumes.quotaTime))
  }

  @Test func whatIsDoneCountsForADayAndSomeMinutes() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60))
    volumes.close(id(1), at: 100)
    #expect(!admit(&volumes, 2, Self.desktop, 1, at: 99 + ReceivedVolumes.quotaTime))
    #expect(admit(&volumes, 2, Self.desktop, 60, at: 600 + ReceivedVolumes.quotaTime))
  }

  @Test func whatRunsCountsHoweverLongItTakes() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60))
    #expect(!admit(&volumes, 2, Self.desktop, 1, at: 3 * ReceivedVolumes.quotaTime))
    volumes.close(id(1), at: 3 * ReceivedVolumes.quotaTime)
    #expect(!admit(&volumes, 2, Self.desktop, 1, at: 3 * ReceivedVolumes.quotaTime + 1))
  }

  @Test func aClockThatIsSetBackDoesNotCountForever() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60, at: 1e12))
    volumes.close(id(1), at: 1e12)
    #expect(!admit(&volumes, 2, Self.desktop, 1, at: 1000))
    #expect(admit(&volumes, 2, Self.desktop, 60, at: 2000 + ReceivedVolumes.quotaTime))
  }

  /// Beside a transfer that runs, a machine makes many that are empty. None of them takes its place in the account.
  @Test func emptyTransfersBesideAnOpenOneDoNotHideIt() {
    var volumes = ReceivedVolumes()
    let quotas = ReceivedVolumes.Quotas(perMachine: 1000)
    #expect(admit(&volumes, 1, Self.desktop, 1000, quotas))
    for number in 2..<3000 {
      #expect(admit(&volumes, UInt64(number), Self.desktop, 0, quotas))
      volumes.pause(id(UInt64(number)), size: 0, at: 0)
      volumes.close(id(UInt64(number)), at: 0)
    }
    #expect(!admit(&volumes, 3000, Self.desktop, 1, quotas))
    volumes.close(id(1), at: 0)
    #expect(!admit(&volumes, 3000, Self.desktop, 1, quotas))
  }

  @Test func theAccountIsKeptOverARestart() throws {
    var volumes = ReceivedVolumes()
    let quotas = ReceivedVolumes.Quotas(perMachine: 5 * 4096)
    #expect(admit(&volumes, 1, Self.desktop, 0, entries: 2, quotas))
    volumes.close(id(1), at: 0)
    #expect(admit(&volumes, 2, Self.desktop, 4096, quotas))
    #expect(admit(&volumes, 3, Self.desktop, 4096, quotas))
    var restored = try #require(ReceivedVolumes(json: volumes.json))
    #expect(restored == volumes)
    restored.restore([id(2)], at: 0)
    #expect(!admit(&restored, 4, Self.desktop, 4097, quotas))
    #expect(admit(&restored, 4, Self.desktop, 4096, quotas))
    // What may go on is in place of what was announced.
    #expect(admit(&restored, 2, Self.desktop, 4096, quotas))
    restored.pause(id(2), size: 0, at: 0)
    restored.pause(id(3), size: 0, at: 0)
    #expect(!admit(&restored, 5, Self.desktop, 4097, quotas))
    #expect(admit(&restored, 5, Self.desktop, 4096, quotas))
  }

  @Test func emptyFilesTakeRoom() {
    var volumes = ReceivedVolumes()
    let quotas = ReceivedVolumes.Quotas(perMachine: 1 << 20)
    #expect(admit(&volumes, 1, Self.desktop, 0, entries: 200, quotas))
    volumes.pause(id(1), size: 0, at: 0)
    #expect(!admit(&volumes, 2, Self.desktop, 0, entries: 100, quotas))
    #expect(!admit(&volumes, 2, Self.desktop, 0, entries: .max, quotas))
  }

  @Test func whatHasGrownCounts() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 10))
    volumes.pause(id(1), size: 50, at: 0)
    #expect(!admit(&volumes, 2, Self.desktop, 11))
    #expect(admit(&volumes, 1, Self.desktop, 50))
    volumes.pause(id(1), size: 20, at: 0)
    #expect(admit(&volumes, 2, Self.desktop, 40))
  }

  /// Otherwise, its machine could take back what was counted, while the files stay.
  @Test func anAttemptThatWasRefusedChangesNothing() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 50))
    volumes.pause(id(1), size: 50, at: 0)
    volumes.pause(id(1), size: 0, at: 0)
    #expect(!admit(&volumes, 2, Self.desktop, 11))
  }

  @Test func sizesThatOverflowExceed() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, .max, ReceivedVolumes.Quotas()))
    #expect(!admit(&volumes, 2, Self.desktop, .max))
    #expect(!admit(&volumes, 2, Self.laptop, 1))
  }

  @Test func manySmallTransfersAreStillCounted() {
    var volumes = ReceivedVolumes()
    let quotas = ReceivedVolumes.Quotas(perMachine: 5000)
    var admitted = 0
    for number in 0..<10_000
    where volumes.admit(id(UInt64(number)), from: Self.desktop, size: 1, entries: 0, quotas, at: 1) {
      admitted += 1
      volumes.close(id(UInt64(number)), at: 1)
    }
    #expect(admitted == 5000)
  }
}
