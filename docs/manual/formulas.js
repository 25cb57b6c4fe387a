// Formulas as Sphinx writes them, by KaTeX.
renderMathInElement(document.body, {delimiters: [{left: "\\[", right: "\\]", display: true}, {left: "\\(", right: "\\)", display: false}], throwOnError: false});
