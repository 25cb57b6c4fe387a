"""The manual as HTML: a file a page, readable from the disk without any server."""
import html
import os
import re
import shutil

from . import markdown
from .code import kind_of

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The order of the navigation; pages of docs/ that are not named here are put at the end of "More".
chapters = [
    ("Start", ["README.md", "docs/tutorial.md", "docs/coming-from.md"]),
    ("Decks", ["docs/decks.md", "docs/reference.md", "docs/inp.md", "docs/output.md", "docs/report.md", "paraview/README.md"]),
    ("Choose", ["docs/schemes.md", "docs/elements.md", "docs/beams.md", "docs/shells.md", "docs/couplings.md", "docs/verify.md", "docs/solvers.md", "docs/python.md"]),
    ("Theory", ["docs/theory.md", "docs/theory-newmark.md", "docs/theory-variational.md", "docs/theory-linearly-implicit.md",
                "docs/theory-energy-momentum.md", "docs/theory-dissipation.md", "docs/theory-composition.md", "docs/theory-stiff.md",
                "docs/theory-thin.md", "docs/theory-constraints.md", "docs/theory-modes.md", "docs/theory-base-motion.md"]),
    ("Trust", ["docs/verification.md", "docs/verification-results.md", "docs/papers.md"]),
    ("Speed", ["docs/performance.md", "docs/scaling.md", "benchmarks/README.md"]),
    ("More", ["CHANGELOG.md", "CONTRIBUTING.md", "docs/architecture.md"]),
]

style = """
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1d2733;background:#fff}
nav{position:fixed;top:0;bottom:0;left:0;width:15em;overflow:auto;padding:1em;background:#f3f5f8;border-right:1px solid #d8dee6;box-sizing:border-box;font-size:14px}
nav h2{font-size:12px;text-transform:uppercase;letter-spacing:.06em;color:#66727f;margin:1.2em 0 .2em;border:0}
nav a{display:block;padding:1px 0}nav a.now{font-weight:bold;color:#1d2733}nav .inner{padding-left:1em;font-size:13px}
main{margin-left:15em;padding:1.5em 2.5em 4em;max-width:62em}
a{color:#1f5fa8;text-decoration:none}a:hover{text-decoration:underline}
h1,h2,h3{line-height:1.25}h2{margin-top:2em;border-bottom:1px solid #e3e7ec;padding-bottom:.2em}
a.here{visibility:hidden;margin-left:.4em;color:#aab}h1:hover a.here,h2:hover a.here,h3:hover a.here{visibility:visible}
code{font:.9em/1.4 ui-monospace,monospace;background:#f1f3f6;padding:.05em .25em;border-radius:3px;overflow-wrap:anywhere}
pre{background:#f6f8fa;border:1px solid #e3e7ec;border-left:4px solid #aab4c0;border-radius:3px;padding:.7em 1em;overflow:auto}
pre code{background:none;padding:0;overflow-wrap:normal}
pre.sh{border-left-color:#2e8b57}pre.prm{border-left-color:#1f5fa8}pre.formula{border-left-color:#c77f1a;background:#fffdf7}
table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto;font-size:15px}
th,td{border:1px solid #d8dee6;padding:.3em .6em;text-align:left;vertical-align:top}th{background:#f3f5f8}
img{max-width:100%}
@media(max-width:50em){nav{position:static;width:auto}main{margin:0;padding:1em}}
@media print{nav,a.here{display:none}main{margin:0;max-width:none}}
"""


def text_of(name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def pages():
    """Chapters with the pages that there are; names relative to the project. Pages of theory that are not named go to theirs."""
    named = [name for _, names in chapters for name in names]
    others = sorted(f"docs/{name}" for name in os.listdir(os.path.join(root, "docs")) if name.endswith(".md"))
    found = [(title, [name for name in names if os.path.exists(os.path.join(root, name))]) for title, names in chapters]
    for name in (name for name in others if name not in named):
        next(names for title, names in found if title == ("Theory" if "/theory" in name else "More")).append(name)
    return found


def every_page():
    return [name for _, names in pages() for name in names]


def html_name(page):
    """README.md of the project is the first page."""
    return "index.html" if page == "README.md" else page.replace("docs/", "", 1).replace("/", "-").replace(".md", ".html")


def title_of(page, blocks):
    named = {"README.md": "symdyn", "CHANGELOG.md": "Changelog", "CONTRIBUTING.md": "Contributing"}
    return named.get(page) or markdown.plain(next((b.text for b in blocks if b.kind == "heading"), page))


def is_local(target):
    return not re.match(r"[a-z]+:", target)


def resolved(page, target):
    """(file relative to the project, anchor) of a link on a page."""
    path, _, anchor = target.partition("#")
    return (os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page), anchor


class Site:
    """All pages, read; `write` puts them into a folder with the files that they show or link to."""

    def __init__(self):
        self.blocks = {page: markdown.blocks_of(text_of(page)) for page in every_page()}
        self.files = set()

    def address(self, page, target):
        if not is_local(target):
            return target
        name, anchor = resolved(page, target)
        if name in self.blocks:
            return (html_name(name) if name != page or not anchor else "") + ("#" + anchor if anchor else "")
        if os.path.isfile(os.path.join(root, name)):
            self.files.add(name)
        return "files/" + name

    def navigation(self, page):
        made = []
        for title, names in pages():
            made.append(f"<h2>{title}</h2>")
            for name in names:
                now = ' class="now"' if name == page else ""
                made.append(f'<a{now} href="{html_name(name)}">{html.escape(title_of(name, self.blocks[name]))}</a>')
                if name == page:
                    made += [f'<a class="inner" href="#{b.anchor}">{html.escape(markdown.plain(b.text))}</a>'
                             for b in self.blocks[name] if b.kind == "heading" and b.level == 2 and len(self.blocks[name]) < 400]
        return "\n".join(made)

    def page(self, page):
        body = markdown.to_html(self.blocks[page], lambda target: self.address(page, target), kind_of)
        return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                f"<title>{html.escape(title_of(page, self.blocks[page]))} - symdyn</title><style>{style}</style></head>\n"
                f"<body><nav>{self.navigation(page)}</nav>\n<main>{body}</main></body></html>\n")

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for page in self.blocks:
            with open(os.path.join(folder, html_name(page)), "w", encoding="utf-8") as file:
                file.write(self.page(page))
        for name in sorted(self.files):
            target = os.path.join(folder, "files", name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(os.path.join(root, name), target)
        return len(self.blocks)
