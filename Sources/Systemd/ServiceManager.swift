import CSystemd

/// What a service tells systemd (sd_notify(3)); nothing happens where no service manager listens.
package enum ServiceManager {
  package static func ready(status: String) { _ = sd_notify(0, "READY=1\nSTATUS=\(status)") }

  package static func status(_ status: String) { _ = sd_notify(0, "STATUS=\(status)") }

  package static func stopping() { _ = sd_notify(0, "STOPPING=1\nSTATUS=Stopping") }
}
