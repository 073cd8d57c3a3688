#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Scripts/make-interfaces makes of each kind of declaration, and what it says about one that it does not understand."""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "Scripts/make-interfaces"
loader = importlib.machinery.SourceFileLoader("make_interfaces", str(SCRIPT))
sys.dont_write_bytecode = True
make_interfaces = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_interfaces", loader))
loader.exec_module(make_interfaces)
Fault = make_interfaces.Fault


def interface(text, head=""):
    return make_interfaces.Interface("org.example.Test", f"{head}interface org.example.Test\n\n{text}\n")


def types(text, head=""):
    return interface(text, head).types("test")


class MemberTests(unittest.TestCase):
    def member(self, declaration, head=""):
        """The Swift declaration and the default of a parameter."""
        made = types(f"type Thing (a: int)\nmethod Do({declaration}) -> ()", head)
        name = declaration.split(":")[0]
        parameters = made[made.index("enum Do: Method"):]
        declared = re.search(rf"(?m)^ *(.*package var {name}: .*)$", parameters)[1]
        return declared, re.search(rf"(?m)^      {name}: (.*?),?$", parameters)[1]

    def test_each_type(self):
        for declaration, declared, parameter in [
            ("a: string", "package var a: String", "String"),
            ("a: ?string", "package var a: String?", "String? = nil"),
            ("a: bool", "package var a: Bool", "Bool"),
            ("a: ?bool", "@Coded<FalseByDefault> package var a: Bool", "Bool = false"),
            ("a: float", "package var a: Double", "Double"),
            ("a: int", "@Coded<Count> package var a: Int", "Int"),
            ("a: ?int", "@Coded<Count?> package var a: Int?", "Int? = nil"),
            ("a: object", "@Coded<JSONObject> package var a: JSON", "JSON"),
            ("a: ?object", "@Coded<JSONObject?> package var a: JSON?", "JSON? = nil"),
            ("a: []string", "package var a: [String]", "[String]"),
            ("a: ?[]string", "package var a: [String]?", "[String]? = nil"),
            ("a: [string]int", "package var a: [String: Int]", "[String: Int]"),
            ("a: Thing", "package var a: Thing", "Thing"),
            ("a: ?[]Thing", "package var a: [Thing]?", "[Thing]? = nil"),
            ("a: (one, two)", "package var a: A", "A"),
            ("as: [](b: string)", "package var as: [A]", "[A]"),
        ]:
            with self.subTest(declaration):
                self.assertEqual(self.member(declaration), (declared, parameter))

    def test_a_name_that_has_a_type_everywhere(self):
        head = "#: import Elsewhere\n#: id: ActivityID\n"
        self.assertEqual(self.member("id: ?string", head), ("package var id: ActivityID?", "ActivityID? = nil"))
        self.assertEqual(self.member("id: int", head)[1], "Int")
        self.assertIn("\nimport Elsewhere\n", types("method Do() -> ()", head))

    def test_a_type_of_its_own(self):
        made = types("#: a: @Coded<Short?> Name? = .none\n#: -> b: UInt16\nmethod Do(a: ?string) -> (b: int)")
        self.assertIn("@Coded<Short?> package var a: Name?", made)
        self.assertIn("a: Name? = .none", made)
        self.assertIn("package var b: UInt16", made)

    def test_an_enumeration_with_a_name_of_its_own(self):
        made = types("#: -> a: Kind\nmethod Do() -> (a: (one, default))")
        self.assertIn("package enum Kind: String, CaseIterable, Codable, Sendable {\n    case one\n    case `default`\n", made)
        self.assertIn("package var a: Kind", made)


class DeclarationTests(unittest.TestCase):
    def test_what_is_published_has_no_markers(self):
        made = interface("# Does it.\n#: more\nmethod Do(\n  # The name\n  #: Name\n  a: string\n) -> ()")
        self.assertEqual(
            made.published, "interface org.example.Test\n\n# Does it.\nmethod Do(\n  # The name\n  a: string\n) -> ()\n")
        self.assertIn("package static let requiredMode: Call.Mode? = .more", made.types("test"))

    def test_what_methods_share_is_there_once(self):
        made = types("#: reply = Answer\nmethod Do() -> (a: string)\n#: reply = Answer\nmethod Undo() -> (a: string)")
        self.assertEqual(made.count("struct Answer"), 1)
        self.assertEqual(made.count("typealias Reply = Answer"), 2)

    def test_what_is_written_by_hand(self):
        made = types("#: by hand\ntype A (a: string)\n#: reply by hand\nmethod Do() -> (event: (one, two), a: A)")
        self.assertNotIn("struct A:", made)
        self.assertNotIn("Reply", made.split("package enum Do")[1].split("/// The methods")[0])
        self.assertIn("package enum Event", made)

    def test_each_method_has_a_handler(self):
        text = "#: = DoThis\nmethod Do() -> ()\n#: handler goOn\nmethod Continue() -> ()"
        made = interface(text, "#: list of methods\n")
        handlers = made.handlers("test", "Thing")
        self.assertIn("func do(_ parameters: DoThis.Parameters, _ exchange: Exchange<DoThis>)", handlers.replace("`", ""))
        self.assertIn("on(Continue.self) { [unowned handlers] in handlers.goOn($0, $1) }", handlers)
        self.assertIn("      DoThis.self,\n      Continue.self,\n", made.types("test"))
        self.assertNotIn("DoThis.self", types(text))


class FaultTests(unittest.TestCase):
    def test_each_fault_is_named(self):
        for text, named in [
            ("type A (a: Nothing)", "Nothing"),
            ("#: sometimes\nmethod Do() -> ()", "sometimes"),
            ("#: b: Name\nmethod Do(a: string) -> ()", "no member b"),
            ("#: -> b: Name\nmethod Do() -> (a: string)", "no member b"),
            ("method Do(a: string) ->", "'('"),
            ("method Do(a: string", "the end"),
            ("type A (a: str!ng)", "line 3"),
        ]:
            with self.subTest(text), self.assertRaises(Fault) as caught:
                types(text)
            self.assertIn(named, str(caught.exception))

    def test_a_reason_needs_a_kind_and_an_explanation(self):
        made = interface(
            'type Reason (\n  #: group "Things" notFound "It is\n  #: gone." "Look."\n  gone,\n  #: "Where?" "There."\n  lost,\n'
            '  #: notFound "It is away."\n  away\n)'
        )
        gone, lost, away = made.reasons()
        self.assertEqual(gone, ("gone", 'group "Things" notFound "It is gone." "Look."'))
        gone, lost = make_interfaces.Reason(*gone), make_interfaces.Reason(*lost)
        self.assertIn('case .gone: localized("It is gone. Look.")', make_interfaces.reason_list([gone]))
        self.assertIn("case .gone: .notFound", make_interfaces.reason_list([gone]))
        for name, make in [("lost", lambda: make_interfaces.reason_list([gone, lost])), ("away", lambda: make_interfaces.Reason(*away))]:
            with self.assertRaises(Fault) as caught:
                make()
            self.assertIn(name, str(caught.exception))

    def test_a_transfer_fails_for_reasons_of_its_own(self):
        head = '#: failure gone "It is\n#:   gone." "Look." note: Or lost.\n#: failure lost "Where?" "There."\n'
        failures = [make_interfaces.Reason(*line.split(" ", 1)) for line in interface("type A (a: int)", head).failures]
        self.assertEqual([(failure.name, failure.event, failure.note) for failure in failures],
                         [("gone", "It is gone.", "Or lost."), ("lost", "Where?", None)])
        self.assertIn('case .lost: localized("Where? There.")', make_interfaces.failure_list(failures))

    def test_the_document_has_each_reason_in_its_section_and_in_the_index(self):
        reasons = [make_interfaces.Reason("lost", 'group "Things" notFound "It is lost." "Look." note: Or "gone". more: Twice.'),
                   make_interfaces.Reason("gone", 'notFound "It has \\(Limits.titleLength) \\"bytes\\"." "Wait."')]
        text = make_interfaces.document(reasons, [make_interfaces.Reason("lost", '"No." "Yes."')])
        self.assertIn("[`gone`](#gone), [`lost`](#lost), [`lost`](#lost-1) of a transfer.\n", text)
        self.assertIn('## Things\n\n### `gone`\n\nIt has 512 "bytes".\n\n**What to do:** Wait.\n\n### `lost`\n\n'
                      'It is lost. Or "gone".\n\n**What to do:** Look. Twice.\n\n## Transfers\n\n### `lost`\n', text)
        with self.assertRaises(Fault):
            make_interfaces.printed("\\(Limits.noSuchLimit)")


if __name__ == "__main__":
    unittest.main()
