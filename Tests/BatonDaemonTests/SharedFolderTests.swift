// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import TestSupport
import Testing
import VarlinkClient

private let configuration = [
  "alpha": "[shared-folders]\nNotes=/home/ada/notes\nOnlyHere=/srv/here\n",
  "beta": "[shared-folders]\nNotes=/mnt/data/Notizen von Ada\n",
]

private func activity(_ userInfo: JSON) -> ControlActivity {
  var activity = ControlActivity(activityType: "org.example.notes")
  activity.userInfo = userInfo
  return activity
}

extension DaemonTests {
  struct SharedFolderTests {
    @Test func aFileURLArrivesPointingAtTheSameDocument() throws {
      try withTwoDaemons(configuration: configuration) { a, b in
        let published: JSON = [
          "document": ["$url": "file:///home/ada/notes/sub/to%20do.txt"],
          "all": [["$url": "file:///home/ada/notes/"], ["$url": "file:///etc/hosts"]],
        ]
        let note = try a.advertise(activity(published))
        #expect(try a.status().current?.userInfo == published)
        try b.waitForOffer(note.id)
        #expect(
          try b.continueActivity(note.id).activity.userInfo == [
            "document": ["$url": "file:///mnt/data/Notizen%20von%20Ada/sub/to%20do.txt"],
            "all": [["$url": "file:///mnt/data/Notizen%20von%20Ada/"], ["$url": "file:///etc/hosts"]],
          ]
        )
      }
    }

    @Test func theFoldersAreListed() throws {
      try withTwoDaemons(configuration: configuration) { a, b in
        let folders = try a.call(ListSharedFolders.self, Nothing()).folders
        #expect(folders.map { "\($0.name)=\($0.path)" } == ["Notes=/home/ada/notes", "OnlyHere=/srv/here"])
        let others = try b.call(ListSharedFolders.self, Nothing()).folders
        #expect(others.map(\.name) == ["Notes"])
      }
    }

    @Test func anUpdateIsMappedToo() throws {
      try withTwoDaemons(configuration: configuration) { a, b in
        let note = try b.advertise(activity(["document": ["$url": "file:///mnt/data/Notizen%20von%20Ada/1"]]))
        let fresh: JSON = ["document": ["$url": "file:///mnt/data/Notizen%20von%20Ada/2"]]
        try note.update(activity(fresh))
        #expect(try b.status().current?.userInfo == fresh)
        try a.waitForOffer(note.id)
        let reply = try a.continueActivity(note.id)
        #expect(reply.activity.userInfo == ["document": ["$url": "file:///home/ada/notes/2"]])
      }
    }

    @Test func aFolderThatIsNotHereAndAWayOutOfOneAreNoFiles() throws {
      try withTwoDaemons(configuration: configuration) { a, b in
        // An app can write what a hostile daemon would.
        let note = try a.advertise(
          activity([
            "other": ["$url": "file:///srv/here/a"], "out": ["$url": "baton-folder:/Notes/%2e%2e/a"],
            "dots": ["$url": "file:///home/ada/notes/../a"],
          ])
        )
        try b.waitForOffer(note.id)
        #expect(
          try b.continueActivity(note.id).activity.userInfo == [
            "other": ["$url": "baton-folder:/OnlyHere/a"], "out": ["$url": "baton-folder:/Notes/%2e%2e/a"],
            "dots": ["$url": "file:///home/ada/notes/../a"],
          ]
        )
      }
    }

    @Test func theLimitIsOfTheFormThatTravels() throws {
      let long = "/" + String(repeating: "p", count: SharedFolders.sharedFolderPathLength - 1)
      try withTwoDaemons(configuration: [
        "alpha": "[shared-folders]\nN=/n", "beta": "[shared-folders]\nN=\(long)",
      ]) { a, b in
        func local(_ folder: String, _ text: String) -> JSON {
          ["k": .array(Array(repeating: ["$url": .string(folder)], count: 50)), "x": .string(text)]
        }
        let left = Limits.userInfoLength - local("baton-folder:/N", "").bytes.count
        let text = String(repeating: "x", count: left)
        let note = try a.advertise(activity(local("file:///n", text)))
        try b.waitForOffer(note.id)
        let delivered = try b.continueActivity(note.id).activity
        #expect(delivered.userInfo == local("file://" + long, text))

        // What arrived can be published unchanged. With one more byte, it is too large.
        let again = try b.advertise(delivered)
        #expect(try b.status().current?.userInfo == local("file://" + long, text))
        again.end()
        let larger = BecomeCurrent.Parameters(activity: activity(local("file://" + long, text + "x")))
        var replies = try b.connect().replies(of: BecomeCurrent.self, larger)
        #expect(try reason { try replies.next(until: .now + patience) } == .userInfoTooLarge)
      }
    }

    @Test func whatGrowsBeyondTheLimitIsRefusedWhenItIsPublished() throws {
      try withTwoDaemons(configuration: ["alpha": "[shared-folders]\nA-longer-name=/n"]) { a, _ in
        func published(_ path: String) -> ControlActivity {
          let urls: [JSON] = Array(repeating: ["$url": .string(path)], count: 100)
          return activity(["k": .array(urls)])
        }
        try a.advertise(published("file:///q")).end()
        let parameters = BecomeCurrent.Parameters(activity: published("file:///n"))
        var replies = try a.connect().replies(of: BecomeCurrent.self, parameters)
        #expect(try reason { try replies.next(until: .now + patience) } == .userInfoTooLarge)
      }
    }
  }
}
