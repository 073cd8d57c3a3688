import Activity
import Daemon
import Discovery
import Testing

struct ConfigurationTests {
  private func read(_ text: String) throws(Configuration.Fault) -> Configuration {
    var configuration = Configuration()
    try configuration.read(text, path: "batond.conf")
    return configuration
  }

  private func fault(_ text: String) -> String? {
    do { _ = try read(text) } catch { return error.description }
    return nil
  }

  @Test func anEmptyFileIsTheDefaults() throws {
    let text = "\n# Name=x\n ; Port=1\n[Device]\nName=\n[Network]\nPort=\nDiscovery=\n[Log]\nLevel=\n[shared-folders]\n"
    #expect(try read(text) == Configuration())
  }

  @Test func foldersAreShared() throws {
    let shared = try read("[Device]\nName=a\n[shared-folders]\nNotes = /srv/my notes \n#X=/x\nA.b_c-9=/a=b\n")
      .sharedFolders
    #expect(shared.inward("baton-folder:/Notes/x") == "file:///srv/my%20notes/x")
    #expect(shared.inward("baton-folder:/A.b_c-9/x") == "file:///a=b/x")
    #expect(shared.inward("baton-folder:/X/x") == "baton-folder:/X/x")
  }

  @Test func interfacesAreNamedByPatterns() throws {
    let policy = try read("[Network]\nInterfaces= eth* \twlan0\nExcludeInterfaces=eth9\n").interfaces
    #expect(policy == InterfacePolicy(interfaces: ["eth*", "wlan0"], excluded: ["eth9"]))
    #expect(try read("[Network]\nInterfaces=a\nInterfaces=\n").interfaces == InterfacePolicy())
    let patterns = Array(repeating: "a", count: Limits.interfacePatterns).joined(separator: " ")
    #expect(try read("[Network]\nInterfaces=\(patterns)\n").interfaces.interfaces.count == Limits.interfacePatterns)
    #expect(
      fault("[Network]\nExcludeInterfaces=\(patterns) b\n")
        == "batond.conf:2: at most 64 patterns of interfaces are named"
    )
  }

  @Test func lockedScreensWithholdUnlessToldOtherwise() throws {
    #expect(try read("").withholdsWhenLocked)
    #expect(try !read("[Privacy]\nWithholdWhenLocked=no\n").withholdsWhenLocked)
    #expect(try read("[Privacy]\nWithholdWhenLocked=no\nWithholdWhenLocked=\n").withholdsWhenLocked)
    #expect(fault("[Privacy]\nWithholdWhenLocked=x") == "batond.conf:2: expected yes or no, not \"x\"")
  }

  @Test(arguments: [
    ("[shared-folders]\n\nNotes=srv/notes", 3, "a folder's path is absolute"),
    ("[shared-folders]\nNotes=", 2, "a folder's path is absolute"),
    ("[shared-folders]\nNotes=~/notes", 2, "a folder's path is absolute"),
    ("[shared-folders]\nNotes=/srv/../notes", 2, "a folder's path is absolute"),
    ("[shared-folders]\nMy Notes=/srv/notes", 2, "a folder's name is 1 to 63 letters"),
    ("[shared-folders]\n=/srv/notes", 2, "a folder's name is 1 to 63 letters"),
    ("[shared-folders]\nA=/a\n[Log]\n[shared-folders]\nA=/b", 5, "the folder A was named before"),
    ("[shared-folders]\n" + (0...16).map { "f\($0)=/srv\n" }.joined(), 18, "at most 16 folders are shared"),
    ("[shared-folders]\nNotes", 2, "a line is [Section] or Key=Value"),
    ("[Shared-Folders]\nNotes=/srv", 2, "there is no key Notes in section [Shared-Folders]"),
    ("[shared-folders.Notes]\nx=/srv", 2, "there is no key "),
    ("shared-folders.Notes=/srv", 1, "there is no key shared-folders.Notes in section []"),
  ])
  func aFaultIsNamedWithItsLine(text: String, line: Int, message: String) {
    #expect(fault(text)?.hasPrefix("batond.conf:\(line): \(message)") == true, "\(fault(text) ?? "no fault")")
  }
}
