// SPDX-License-Identifier: Apache-2.0

import Activity
import CAvahi
import EventLoop
import Testing

@testable import Discovery

extension AvahiTests {
  @Loop
  @Suite struct ResolvingTests {
    @Test func anInstanceHasAnAddressAndItsPort() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication(port: 22866)
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        observers[1].discovery.resolve(instance: publication.instance)
        var addresses: [SocketAddress] = []
        try await expect(within: .seconds(3), "resolved") {
          for case .resolved(publication.instance, let answer) in observers[1].events { addresses = answer }
          return !addresses.isEmpty
        }
        #expect(addresses.allSatisfy { $0.port == 22866 })
        let ours = HostAddresses.current().map(\.bytes)
        #expect(addresses.allSatisfy { ours.contains($0.bytes) })
      }
    }

    @Test func anInstanceThatIsNotThereHasNone() async throws {
      try await withObservers(1) { observers in
        try await expect("available") { observers[0].events.contains(.available) }
        observers[0].discovery.resolve(instance: "nobody")
        try await expect(within: .seconds(6), "answered") {
          observers[0].events.contains(.resolved(instance: "nobody", addresses: []))
        }
      }
    }

    @Test func systemPortsAreNotTold() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication(port: 22)
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        observers[1].discovery.resolve(instance: publication.instance)
        try await expect(within: .seconds(6), "answered") {
          observers[1].events.contains(.resolved(instance: publication.instance, addresses: []))
        }
      }
    }

    /// Checks the bytes of all the records that Avahi has of ours.
    @Test func noRecordHoldsTheMachinesName() async throws {
      try await withObservers(1) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("published") { observers[0].events.contains(.published(instance: publication.instance)) }
        let instance = try #require(ServiceName.join(publication.instance))
        let host = "\(publication.host).local"
        let dump = RecordDump([
          (ServiceType.fullName, UInt16(AVAHI_DNS_TYPE_PTR)), (instance, UInt16(AVAHI_DNS_TYPE_SRV)),
          (instance, UInt16(AVAHI_DNS_TYPE_TXT)), (host, UInt16(AVAHI_DNS_TYPE_A)),
          (host, UInt16(AVAHI_DNS_TYPE_AAAA)), (host, UInt16(AVAHI_DNS_TYPE_HINFO)),
          ("1.0.0.127.in-addr.arpa", UInt16(AVAHI_DNS_TYPE_PTR)),
          ("_services._dns-sd._udp.local", UInt16(AVAHI_DNS_TYPE_PTR)),
        ])
        try await expect("all records") {
          dump.records.filter { !$0.isEmpty }.count >= 5
            && (Lab.hasTwoHosts || dump.records[3].contains([127, 0, 0, 1]))
        }
        await dump.close()
        let expected = RecordData.service(port: 22866, target: [publication.host, "local"])
        #expect(dump.records[1].map { lowercased($0) } == expected.map { [lowercased($0)] })
        #expect(dump.records[2] == RecordData.text(publication.text).map { [$0] })
        #expect(dump.records[5].isEmpty)
        for data in dump.records[0...5].joined() {
          #expect(!String(decoding: data, as: UTF8.self).lowercased().contains("lab-"))
        }
        let label = Array(publication.host.lowercased().utf8)
        for data in dump.records[6] { #expect(!lowercased(data).contains(label)) }
      }
    }

    private func lowercased(_ data: [UInt8]) -> [UInt8] { data.map { (65...90).contains($0) ? $0 + 32 : $0 } }
  }
}

/// Collects the data of records by name and type.
@Loop
private final class RecordDump {
  private(set) var records: [[[UInt8]]]
  private let collector = Collector()

  init(_ names: [(String, UInt16)]) {
    records = Array(repeating: [], count: names.count)
    let collector = collector
    Task { @AvahiQueue in
      collector.start(names) { index, data in
        Task { @Loop in if !self.records[index].contains(data) { self.records[index].append(data) } }
      }
    }
  }

  func close() async {
    let collector = collector
    await Task { @AvahiQueue in collector.close() }.value
  }

  @AvahiQueue
  private final class Collector {
    private var client: AvahiClient?
    private var browsers: [RecordBrowser] = []

    nonisolated init() {}

    func start(_ names: [(String, UInt16)], _ onRecord: @escaping @Sendable (Int, [UInt8]) -> Void) {
      guard let client = try? AvahiClient(onState: { _ in }) else { return }
      self.client = client
      for (index, (name, type)) in names.enumerated() {
        let browser = try? RecordBrowser(client, name: name, type: type) { event in
          if case .appeared(let data) = event { onRecord(index, data) }
        }
        if let browser { browsers.append(browser) }
      }
    }

    func close() {
      for browser in browsers { browser.close() }
      client?.close()
    }
  }
}
