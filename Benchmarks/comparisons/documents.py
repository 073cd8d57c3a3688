# SPDX-License-Identifier: Apache-2.0
"""Tables as Markdown, and their places in Documentation/reference/Performance.md."""
import json
import re
import shutil
import textwrap

from comparisons import results

# The columns of a paragraph.
WIDTH = 110


def filled(text, **options):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False, **options)


def as_json(value):
    """JSON whose lists of figures are in one line each. Four digits are more than any figure is worth."""
    return shaped(value, "\n") + "\n"


def shaped(value, line):
    if isinstance(value, dict) and value:
        inner = line + " "
        members = (f"{inner}{json.dumps(name)}: {shaped(member, inner)}" for name, member in value.items())
        return "{" + ",".join(members) + line + "}"
    if isinstance(value, list) and any(isinstance(member, dict) for member in value):
        inner = line + " "
        return "[" + ",".join(inner + shaped(member, inner) for member in value) + line + "]"
    return json.dumps(rounded(value), ensure_ascii=False)


def rounded(value):
    if isinstance(value, (list, tuple)):
        return [rounded(member) for member in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def markdown(run, about):
    """Where and how it was measured, and the results."""
    machine, options = about["machine"], about["options"]
    parts = [filled(
        f"Measured on {about['date'][:10]}: {machine['processor']}, {machine['cores']} cores, {machine['memory']}, "
        f"{machine['system']}, Linux {machine['kernel']}; load before the run {machine['load']}; {options['rounds']} rounds.")]
    for result in run["results"]:
        lines = results.as_markdown(result).splitlines()
        text = "\n".join(filled(line, subsequent_indent="  ") if line.startswith("- ") else line for line in lines)
        parts += [filled(f"**{result.question}.** {result.note}".strip()), text]
    parts.append("Settings:")
    parts.append("\n".join(filled(f"- {name}: {text}", subsequent_indent="  ") for name, text in run["settings"].items()))
    return "\n\n".join(parts) + "\n"


def renew(document, table, text, plot):
    """Replaces what the document says about a table, and its plot. The document says where:

        <!-- bench: TABLE -->
        <!-- end -->
    """
    pattern = re.compile(rf"(<!-- bench: {re.escape(table)} -->\n).*?(<!-- end -->)", re.DOTALL)
    old = document.read_text()
    if not pattern.search(old):
        raise RuntimeError(f"{document} has no place for the table {table}")
    picture = ""
    if plot.exists():
        name = f"../pictures/bench-{table}.svg"
        shutil.copyfile(plot, document.parent / name)
        picture = f"\n![The same figures as a plot]({name})\n"
    document.write_text(pattern.sub(lambda match: f"{match[1]}\n{text}{picture}\n{match[2]}", old))
