"""The pages of the manual: which there are, in which order, and what their links mean."""
import os
import re

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The order of the navigation; pages of docs/ that are not named here are put at the end of "More".
chapters = [
    ("Start", ["README.md", "docs/tutorial.md", "docs/gallery.md", "docs/coming-from.md", "docs/words.md", "docs/faq.md"]),
    ("Decks", ["docs/decks.md", "docs/inp.md", "docs/schemes.md", "docs/elements.md", "docs/beams.md", "docs/shells.md", "docs/couplings.md", "docs/solvers.md"]),
    ("Results", ["docs/output.md", "docs/report.md", "docs/verify.md", "docs/python.md", "paraview/README.md"]),
    ("Theory", ["docs/theory-structure.md", "docs/theory.md", "docs/theory-newmark.md", "docs/theory-variational.md", "docs/theory-linearly-implicit.md",
                "docs/theory-energy-momentum.md", "docs/theory-dissipation.md", "docs/theory-composition.md", "docs/theory-stiff.md", "docs/theory-constraints.md",
                "docs/theory-modes.md", "docs/theory-base-motion.md", "docs/theory-thin.md", "docs/theory-inelastic.md", "docs/theory-viscoelastic.md",
                "docs/theory-temperature.md", "docs/theory-ties.md", "docs/theory-contact.md"]),
    ("Reference", ["docs/reference.md"]),
    ("Verification", ["docs/verification.md", "docs/verification-results.md", "docs/papers.md"]),
    ("Speed", ["docs/performance.md", "docs/scaling.md", "benchmarks/README.md"]),
    ("More", ["docs/cite.md", "CONTRIBUTING.md", "docs/architecture.md", "CHANGELOG.md"]),
]


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


def is_local(target):
    return not re.match(r"[a-z]+:", target)


def resolved(page, target):
    """(file relative to the project, anchor) of a link on a page."""
    path, _, anchor = target.partition("#")
    return (os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page), anchor
