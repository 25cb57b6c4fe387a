"""Settings of Sphinx. docs/build copies them beside the pages (docs/manual/book.py)."""
from pygments.lexer import RegexLexer, bygroups
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Operator, String, Text

project = author = "symdyn"
copyright = "the symdyn developers, LGPL-2.1-or-later"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
root_doc = "index"
exclude_patterns = ["files"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 6
myst_update_mathjax = False

html_theme = "furo"
html_title = "symdyn"
html_static_path = ["static"]
html_copy_source = False
html_css_files = ["katex/katex.min.css", "manual.css"]
html_js_files = ["katex/katex.min.js", "katex/contrib/auto-render.js", "scripts/gumshoe-patched.js"]
mathjax_path = "formulas.js"  # KaTeX in the place of MathJax: the same brackets around formulas
mathjax_options = {"defer": "defer"}


class Deck(RegexLexer):
    tokens = {"root": [
        (r"(^|\s)#.*$", Comment), (r"^(\s*)(set)(\s+[^=\n]+)(=)(.*?)(?=\s#|$)", bygroups(Text, Keyword, Name, Operator, String)),
        (r"^(\s*)(subsection|include)(.*)$", bygroups(Text, Keyword, Name.Class)), (r"^\s*end\s*$", Keyword), (r"\s+|\S+", Text)]}


def setup(app):
    app.add_lexer("prm", Deck)
    for name in ("formula", "csv", "inp"):
        app.add_lexer(name, TextLexer)
