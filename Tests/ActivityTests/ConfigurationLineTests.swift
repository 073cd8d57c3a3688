// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@Suite struct ConfigurationLineTests {
  @Test func linesHaveNumbersAndSections() {
    let lines = ConfigurationLine.lines(of: "a=1\n# comment\n\n [One] \r\n b = x=y \n;\n[Two]\nc=")
    #expect(lines.map(\.number) == [1, 4, 5, 7, 8])
    #expect(lines.map(\.section) == [nil, "One", "One", "Two", "Two"])
    #expect(
      lines.map(\.content) == [
        .setting(key: "a", value: "1"), .section, .setting(key: "b", value: "x=y"), .section,
        .setting(key: "c", value: ""),
      ]
    )
    #expect(lines[1].text == "[One]")
  }

  @Test func whatIsNoSettingIsAFault() {
    let lines = ConfigurationLine.lines(of: "x\na=1\n[One]\n[Two\na=1\n]\n[]")
    #expect(
      lines.map(\.fault) == [
        #"a line must be [Section] or Key=Value, not "x""#, #""a" isn't in a section"#, nil,
        #"a line must be [Section] or Key=Value, not "[Two""#, nil, #"a line must be [Section] or Key=Value, not "]""#,
        nil,
      ]
    )
    #expect(lines.last?.section == "")
  }

  @Test func unknownKeysAreQuoted() {
    #expect(
      ConfigurationLine.unknown("b\n", in: "One", known: ["C", "D"])
        == #"unknown key "b\n" in section [One]; the keys are C, D"#
    )
  }

  @Test func aSwitchHasADefault() throws {
    #expect(try ["", "On", "0"].map { try SettingValue.bool($0, default: true) } == [true, true, false])
    #expect(throws: UnusableSetting(#"expected yes or no, not "2""#)) { try SettingValue.bool("2", default: true) }
  }
}
