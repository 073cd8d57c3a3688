// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Search
import Systemd
import VarlinkClient
import VarlinkServer

/// Keeps and finds what the user did: the index, its socket, and what desktops ask over D-Bus.
@Loop
final class SearchPart: AgentPart {
  private let socket: String?
  private let configuration: AgentConfiguration
  private let store: IndexStore
  private let service: SearchService
  private let sharing: SearchSharing
  private let bus: SearchBus
  private let server: SearchServer
  private var offers: OfferList?

  /// - Parameter server: Where the index is served.
  /// - Returns: Nil if there is no place for an index.
  init?(
    _ options: AgentOptions,
    _ environment: ProcessEnvironment,
    _ configuration: AgentConfiguration,
    on server: VarlinkServer,
    installed: InstalledApplications,
    log: Log
  ) {
    let data = environment.directory("XDG_DATA_HOME") ?? environment.directory("HOME").map { "\($0)/.local/share" }
    guard let data else {
      log.notice("Search isn't available, because neither XDG_DATA_HOME nor HOME is set")
      return nil
    }
    socket = options.socket
    self.configuration = configuration
    store = IndexStore(directory: "\(data)/baton", log: log)
    let service = SearchService(store, ResultOpener(socket: options.socket), installed, log: log)
    self.service = service
    self.server = SearchServer(service, on: server)
    sharing = SearchSharing(socket: options.socket, store, service, log: log)
    let announcer = LaunchAnnouncer(environment)
    let source = SearchProvider.Source { words, completion in
      service.finder.search(words, limit: nil) { completion((try? $0.get()) ?? []) }
    } open: { result, token in
      announcer.getToken(insteadOf: token) { token in
        service.names.open(result.id, ShownResult(result), activationToken: token) { failure in
          if let failure { log.warning("Couldn't open a search result: \(failure.message)") }
        }
      }
    } icon: { result in
      service.describer.icon(of: result)
    }
    bus = SearchBus(SearchProvider(source), log: log)
  }

  func start() {
    service.start()
    sharing.start(configuration.settings.search.sharedTeams)
    configuration.observe { [weak self] in self?.apply() }
    bus.start()
    offers = OfferList(path: socket) { [service] offers in
      // What was copied is pasted, and its title says nothing.
      service.offersChanged(offers.filter { $0.activityType != OpenActivityType.clipboard.rawValue })
    }
  }

  private func apply() {
    let settings = configuration.settings.search
    sharing.apply(settings.sharedTeams)
    service.apply(settings)
  }

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    offers = nil
    bus.stop()
    sharing.stop()
    service.stop()
    store.close { completion() }
  }

  func applicationsChanged() {}
}
