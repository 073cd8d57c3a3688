// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Owns the records of one publication.
///
/// The records are added without probing, so others see them in a tenth of a second instead of a whole one. Only names
/// that are unique by construction allow this. The group is never reset, because Avahi delays groups that are committed
/// again.
@AvahiQueue
final class EntryGroup {
  enum State { case registering, established, collided, failed }

  let publication: ServiceInstance
  private(set) var state = State.registering
  private var pointer: OpaquePointer?
  private var isCommitted = false
  /// The interfaces on which the service is announced.
  private let interfaces: [Int32]
  private let onState: @AvahiQueue (State) -> Void

  /// - Parameters:
  ///   - interfaces: The interfaces on which the service is announced. Each address is announced on its own interface.
  ///   - onState: Called for each new state, possibly before this returns. It must not close the group.
  /// - Throws: `AvahiError`. In this case, nothing is published.
  init(
    _ client: AvahiClient,
    _ publication: ServiceInstance,
    addresses: [HostAddress],
    interfaces: [Int32],
    onState: @escaping @AvahiQueue (State) -> Void
  ) throws(AvahiError) {
    self.publication = publication
    self.interfaces = interfaces
    self.onState = onState
    guard let clientPointer = client.pointer else { throw client.error("avahi_entry_group_new") }
    pointer = avahi_entry_group_new(
      clientPointer,
      { _, state, context in EntryGroup.at(context)?.changed(to: state) },
      Unmanaged.passUnretained(self).toOpaque()
    )
    guard let pointer else { throw client.error("avahi_entry_group_new") }
    try addService(pointer)
    for address in addresses { try add(address, to: pointer) }
    isCommitted = true
    try AvahiError.check("avahi_entry_group_commit", avahi_entry_group_commit(pointer))
  }

  isolated deinit { close() }

  func close() {
    guard let pointer else { return }
    self.pointer = nil
    avahi_entry_group_free(pointer)
  }

  /// Changes the TXT record in place, if the group is established. Before that, Avahi may take its own record for
  /// another machine's.
  func update(text: [[UInt8]]) throws(AvahiError) {
    guard let pointer, state == .established else { return }
    var list: UnsafeMutablePointer<AvahiStringList>?
    // Each string is put before the others, and avahi-daemon reverses the list again when it reads it.
    for string in text { list = avahi_string_list_add_arbitrary(list, string, string.count) }
    defer { avahi_string_list_free(list) }
    for interface in interfaces {
      try AvahiError.check(
        "avahi_entry_group_update_service_txt",
        avahi_entry_group_update_service_txt_strlst(
          pointer,
          interface,
          anyIPVersion,
          AVAHI_PUBLISH_NO_COOKIE,
          publication.instance,
          ServiceType.name,
          ServiceType.domain,
          list
        )
      )
    }
  }

  private func addService(_ pointer: OpaquePointer) throws(AvahiError) {
    let labels = [publication.instance] + ServiceType.labels
    guard let fullName = ServiceName.join(publication.instance), let name = RecordData.name(labels),
      let service = RecordData.service(port: publication.port, target: [publication.host, ServiceType.domain]),
      let text = RecordData.text(publication.text)
    else { throw AvahiError(call: "publication", code: Int32(AVAHI_ERR_INVALID_SERVICE_NAME)) }
    let unique = AvahiPublishFlags(rawValue: AVAHI_PUBLISH_UNIQUE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue)
    let shared = AvahiPublishFlags(rawValue: 0)
    try add(name, AVAHI_DNS_TYPE_PTR, of: ServiceType.fullName, shared, lifetime: AVAHI_DEFAULT_TTL, to: pointer)
    try add(service, AVAHI_DNS_TYPE_SRV, of: fullName, unique, lifetime: AVAHI_DEFAULT_TTL_HOST_NAME, to: pointer)
    try add(text, AVAHI_DNS_TYPE_TXT, of: fullName, unique, lifetime: AVAHI_DEFAULT_TTL, to: pointer)
  }

  /// - Parameter lifetime: In seconds.
  private func add(
    _ data: [UInt8],
    _ type: some BinaryInteger,
    of name: String,
    _ flags: AvahiPublishFlags,
    lifetime: some BinaryInteger,
    to pointer: OpaquePointer
  ) throws(AvahiError) {
    for interface in interfaces {
      try AvahiError.check(
        "avahi_entry_group_add_record",
        avahi_entry_group_add_record(
          pointer,
          interface,
          anyIPVersion,
          flags,
          name,
          UInt16(AVAHI_DNS_CLASS_IN),
          UInt16(type),
          UInt32(lifetime),
          data,
          data.count
        )
      )
    }
  }

  /// Adds an address without a reverse record, which would reveal that the machine's address and this random name
  /// belong together.
  private func add(_ address: HostAddress, to pointer: OpaquePointer) throws(AvahiError) {
    var value = AvahiAddress()
    value.proto = address.bytes.count == 4 ? ipVersion4 : ipVersion6
    withUnsafeMutableBytes(of: &value.data) { $0.copyBytes(from: address.bytes) }
    try AvahiError.check(
      "avahi_entry_group_add_address",
      avahi_entry_group_add_address(
        pointer,
        AvahiIfIndex(address.interface),
        anyIPVersion,
        AvahiPublishFlags(rawValue: AVAHI_PUBLISH_NO_REVERSE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue),
        "\(publication.host).\(ServiceType.domain)",
        &value
      )
    )
  }

  private func changed(to state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: self.state = .established
    case AVAHI_ENTRY_GROUP_COLLISION: self.state = .collided
    case AVAHI_ENTRY_GROUP_REGISTERING: self.state = .registering
    case AVAHI_ENTRY_GROUP_UNCOMMITED:
      guard isCommitted else { return }
      self.state = .failed  // Avahi has emptied it.
    default: self.state = .failed
    }
    onState(self.state)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> EntryGroup? {
    context.map { Unmanaged<EntryGroup>.fromOpaque($0).takeUnretainedValue() }
  }
}
