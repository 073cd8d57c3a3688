import Activity
import Testing

@testable import Transfers

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

  @Test func aDayLaterThereIsRoom() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 60))
    #expect(!admit(&volumes, 2, Self.desktop, 60, at: Limits.quotaTime - 1))
    #expect(admit(&volumes, 2, Self.desktop, 60, at: Limits.quotaTime))
  }

  @Test func emptyFilesTakeRoom() {
    var volumes = ReceivedVolumes()
    let quotas = ReceivedVolumes.Quotas(perMachine: 1 << 20)
    #expect(admit(&volumes, 1, Self.desktop, 0, entries: 200, quotas))
    volumes.correct(id(1), to: 0)
    #expect(!admit(&volumes, 2, Self.desktop, 0, entries: 100, quotas))
    #expect(!admit(&volumes, 2, Self.desktop, 0, entries: .max, quotas))
  }

  @Test func whatHasGrownCounts() {
    var volumes = ReceivedVolumes()
    #expect(admit(&volumes, 1, Self.desktop, 10))
    volumes.correct(id(1), to: 50)
    #expect(!admit(&volumes, 2, Self.desktop, 11))
    volumes.correct(id(1), to: 20)
    #expect(admit(&volumes, 2, Self.desktop, 40))
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
    }
    #expect(admitted == 5000)
  }
}
