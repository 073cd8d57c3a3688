// SPDX-License-Identifier: Apache-2.0

import Desktop
import Testing

struct ObeyedFolderTests {
  @Test(arguments: [
    "/home/ada/Handoff", "/home/ada/Downloads/in box", "/srv/in box", "/run/media/ada/disk", "/mnt/etc", "/etcetera",
    "/home/ada/code", "/home/adam",
  ])
  func filesCanArrive(path: String) { #expect(ObeyedFolder.objection(to: path, home: "/home/ada") == nil) }

  @Test(arguments: [
    "/home/ada", "/home/ada/", "/home//ada/.", "/home", "/", "/home/ada/.ssh", "/home/ada/.config/autostart",
    "/home/ada/.local/bin", "/home/ada/bin", "/home/ada/x/../.ssh", "/etc/cron.d", "/etc", "//etc", "/./etc",
    "/usr/local/bin", "/srv/code/.git/hooks", "/srv/git/x.git", "/srv/git/x.GIT/hooks", "/srv/hooks",
    "/home/ada/py/site-packages", "/run/user/1000/systemd", "/data/config/systemd", "/data/programs",
    "/home/ada/.\u{301}x", "/home/ada/public_html/in", "/srv/www/site", "/srv/http", "/data/cgi-bin",
  ])
  func whereFilesAreObeyedNoneCanArrive(path: String) {
    #expect(ObeyedFolder.objection(to: path, home: "/home/ada", others: ["/data/config", "/data/programs/"]) != nil)
  }

  @Test func aHomeDirectoryCanBeAnywhere() {
    #expect(ObeyedFolder.objection(to: "/var/lib/x/.home/Handoff", home: "/var/lib/x/.home") == nil)
    #expect(ObeyedFolder.objection(to: "/root/Handoff", home: "/root") == nil)
    #expect(ObeyedFolder.objection(to: "/root/Handoff", home: "/home/ada") != nil)
  }
}
