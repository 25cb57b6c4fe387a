// The sections of the page.
const data = JSON.parse(document.getElementById("data").textContent), page = document.getElementById("page"), plots = [];
const several = data.runs.length > 1;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) name in made ? made[name] = value : made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function section(title, ...children) { const made = element("section", {}, element("h2", {}, title), ...children); page.append(made); return made; }
function table(rows, head) {
  const row = (cells, tag) => element("tr", {}, ...cells.map((cell, i) => element(tag || (i ? "td" : "th"), cell && cell.sum ? {className: "sum"} : {}, cell && cell.sum ? cell.sum : cell instanceof Node ? cell : String(cell))));
  return element("div", {className: "wide"}, element("table", {className: head ? "rows" : ""}, ...(head ? [row(head, "th")] : []), ...rows.map(cells => row(cells))));
}
function percent(x) { return x === null || x === undefined ? "-" : Number((100 * x).toPrecision(2)) + " %"; }
const colourOfVerdict = {balanced: "good", coarse: "fair", doubtful: "bad"};
const of = (run, name, otherwise) => run.summary && run.summary[name] !== undefined ? run.summary[name] : otherwise;
const units = run => of(run, "units", {});

function statusNote(run) {
  const progress = run.progress || {}, part = progress.part !== undefined ? Math.round(100 * progress.part) + " % of stage " + progress.stage : "";
  if (run.status === "running") return ["fair", "This run is under way: " + (part || "no step yet") + (progress.t !== undefined ? ", t = " + short(progress.t) : "") + ". The page shows what there was when it was written, on " + data.date + "."];
  if (run.status === "killed") return ["bad", "This run has ended without a summary: its process was killed" + (part ? " after " + part : "") + ". The page shows what it has left."];
  if (run.status === "failed") return ["bad", "This run failed: " + of(run, "error", "run.log has the reason") + (run.summary ? "\nThe last good state is that of t = " + short(run.summary.time) + "." : "")];
  if (run.status === "incomplete") return ["bad", "This run has frequencies without an answer; run.log has the reasons."];
  if (run.status !== "done") return ["fair", "This run was " + run.status + (run.summary ? " at t = " + short(run.summary.time) : "") + ". It can go on from its checkpoint."];
  return null;
}

function writeHead() {
  const head = document.getElementById("head");
  head.append(element("h1", {}, data.title));
  for (const run of data.runs) {
    const certificate = of(run, "certificate", {}), line = element("p", {});
    if (several) line.append(element("b", {}, run.label + "  "));
    line.append(element("span", {className: "badge " + (run.status === "done" ? "good" : run.status === "running" ? "fair" : "bad")}, run.status));
    if (certificate.verdict) line.append(element("span", {className: "badge " + colourOfVerdict[certificate.verdict]}, certificate.verdict), certificate.reason + ".");
    head.append(line);
    const note = statusNote(run);
    if (note) head.append(element("div", {className: "note " + note[0]}, (several ? run.label + ": " : "") + note[1]));
  }
  head.append(element("p", {className: "pale"}, "Written by symdyn " + data.symdyn + " on " + data.date + "; folder " + data.runs.map(run => run.folder).join(", ")));
}

function writeView() {
  const all = data.runs.flatMap(run => run.views.map(view => ({run, view, name: (several ? run.label + ": " : "") + view.name})));
  if (!all.length) { section("View", element("p", {className: "pale"}, "The run has written no frames, so there is nothing to show in space (Output/Write every).")); return; }
  const canvas = element("canvas"), clock = element("div", {className: "clock"});
  const scaleBar = element("div", {className: "scale"}, element("div", {className: "name"}), element("div", {className: "marks"}), element("div", {className: "ramp"}));
  scaleBar.querySelector(".ramp").style.background = rampCss;
  const choice = element("select", {ariaLabel: "what is shown"}, ...all.map((one, i) => element("option", {value: i}, one.name)));
  const field = element("select", {ariaLabel: "field"}), play = element("button", {type: "button"}, "Play"), slider = element("input", {type: "range", min: 0, step: "any", ariaLabel: "frame"});
  const scale = element("input", {type: "number", min: 0, step: "any", ariaLabel: "scale of displacements"}), edges = element("input", {type: "checkbox", checked: true}), outline = element("input", {type: "checkbox", checked: true});
  const up = element("select", {ariaLabel: "axis upwards"}, element("option", {value: "y"}, "y up"), element("option", {value: "z"}, "z up")), home = element("button", {type: "button"}, "Reset view");
  const made = section("View", element("div", {className: "bar"}, ...(all.length > 1 ? [element("label", {}, "Show ", choice)] : []), element("label", {}, "Field ", field), element("label", {}, "Scale ", scale),
    element("label", {}, edges, "edges"), element("label", {}, outline, "undeformed"), up, home), element("div", {className: "stage"}, canvas, clock, scaleBar), element("div", {className: "bar"}, play, slider),
    element("p", {className: "pale screen"}, "Drag: turn; shift and drag: move; wheel: zoom; double-click: all."));
  let current;
  const viewer = new Viewer(canvas, v => {
    const {view, run} = current, k = Math.min(Math.round(v.frame), view.times.length - 1), shown = v.body.fields[v.field], u = units(run);
    const unit = name => name && name !== "1" ? " " + name : "";
    clock.textContent = view.kind === "motion" ? "t = " + short(view.times[Math.floor(v.frame)]) + unit(u.time)
      : view.kind === "modes" ? nameOfMode(run, view, k) : "f = " + short(view.times[k]) + (u.time === "s" ? " Hz" : "");
    if (v.scale !== 1) clock.textContent += ", displacement x " + short(v.scale);
    if (document.activeElement !== slider) slider.value = v.frame;
    if (document.activeElement !== scale) scale.value = v.scale;
    play.textContent = v.playing ? "Pause" : "Play";
    scaleBar.querySelector(".name").textContent = withUnit(shown.name, view.kind === "modes" ? "" : shown.unit);
    scaleBar.querySelector(".marks").replaceChildren(...[4, 3, 2, 1, 0].map(i => element("span", {}, short(shown.low + i / 4 * (shown.high - shown.low)))));
  });
  if (!viewer.gl) { made.append(element("div", {className: "note fair"}, "This browser has no WebGL 2, so the body cannot be drawn.")); return; }
  const show = i => {
    current = all[i];
    current.body = current.body || new Body(current.view, units(current.run).length || "");
    slider.max = Math.max(0, current.body.u.length - 1);
    slider.step = current.view.kind === "motion" ? "any" : 1;
    field.replaceChildren(...current.body.fields.map((one, k) => element("option", {value: k}, one.name)));
    viewer.show(current.body);
  };
  choice.onchange = () => show(Number(choice.value));
  field.onchange = () => { viewer.field = Number(field.value); viewer.draw(); };
  play.onclick = () => { viewer.play(!viewer.playing); viewer.draw(); };
  slider.oninput = () => { viewer.playing = viewer.playing && current.view.kind !== "motion"; viewer.frame = Number(slider.value); viewer.draw(); };
  scale.oninput = () => { if (scale.value !== "" && isFinite(Number(scale.value))) { viewer.scale = Number(scale.value); viewer.draw(); } };
  edges.onchange = () => { viewer.showEdges = edges.checked; viewer.draw(); };
  outline.onchange = () => { viewer.showOutline = outline.checked; viewer.draw(); };
  up.onchange = () => { viewer.up = up.value; viewer.draw(); };
  home.onclick = () => { Object.assign(viewer, {yaw: current.body.flat ? 0 : 0.35, pitch: current.body.flat ? 0 : 0.3, zoom: 1, pan: [0, 0]}); viewer.draw(); };
  window.viewer = viewer;
  redraws.push(() => viewer.draw());
  show(0);
}
const redraws = [];

function nameOfMode(run, view, k) {
  const rows = run.tables["modes-" + view.name.replace("modes: ", "")];
  const column = rows ? rows.headers.findIndex(name => name.startsWith("frequency")) : -1;
  return "mode " + Math.round(view.times[k]) + (column >= 0 && rows.rows[k] ? ": " + rows.rows[k][column] + " " + (rows.headers[column].match(/\[(.*)\]/) || ["", ""])[1] : "");
}

/// Columns of a table as arrays by name.
function unpacked(t) {
  const numbers = new Float32Array(bytesOf(t.data));
  return t.columns.map((column, i) => ({...column, values: numbers.subarray(i * t.rows, (i + 1) * t.rows)}));
}
/// "u" of "tip.u_x", "P" of "P_y".
function quantity(name) { return name.slice(name.lastIndexOf(".") + 1).replace(/_[xyz]$/, ""); }
const titles = {u: "Displacement", v: "Velocity", a: "Acceleration", R: "Reaction", F: "Section force", M: "Section moment", F_int: "Force of the strain", P: "Linear momentum", J: "Angular momentum"};

function groupsOf(columns) {
  const groups = new Map(), energies = ["E_kinetic", "E_potential", "E_total", "W_external", "E_dissipated", "W_thermal"];
  const add = (key, title, column) => { const full = key + "|" + column.unit; if (!groups.has(full)) groups.set(full, {title, unit: column.unit, names: []}); if (!groups.get(full).names.includes(column.name)) groups.get(full).names.push(column.name); };
  for (const column of columns) {
    if (energies.includes(column.name)) add("energy", "Energy", column);
    else if (column.name === "E_balance_error") add("balance", "Energy balance error", column);
    else if (column.name.includes(".")) add(quantity(column.name), titles[quantity(column.name)] || quantity(column.name), column);
    else if (/^[PJ]_[xyz]$/.test(column.name)) add(column.name[0], titles[column.name[0]], column);
  }
  const order = g => g.title === "Energy" ? 1 : g.title === "Energy balance error" ? 2 : /momentum/.test(g.title) ? 3 : 0;
  return [...groups.values()].sort((a, b) => order(a) - order(b));
}

/// Where all rows are of one time, as those of a static stage, their numbers are the abscissa.
function abscissa(columns) {
  const time = columns[0].values;
  return time.every(t => t === time[0]) ? {name: "row of history.csv", unit: "", values: Float32Array.from(time, (_, i) => i)} : columns[0];
}

function writePlots() {
  const runs = data.runs.map((run, i) => ({run, number: i, columns: run.history && run.history.rows ? unpacked(run.history) : null})).filter(one => one.columns);
  const cards = element("div", {className: "cards"}), made = section("Plots", cards);
  if (runs.length) writeHistory(cards, runs);
  else made.append(element("p", {className: "pale"}, "history.csv has no rows."));
  for (const run of data.runs) writeSweeps(cards, run);
  if (runs.some(one => one.run.history.of > one.run.history.rows)) made.append(element("p", {className: "pale"}, "Long tables are drawn with some of their rows."));
}

function writeHistory(cards, runs) {
  const every = [...new Map(runs.flatMap(one => one.columns.slice(1)).map(column => [column.name, column])).values()];
  const lines = (names, x) => names.flatMap((name, k) => runs.flatMap(({run, number, columns}) => {
    const column = columns.find(one => one.name === name), axis = x ? columns.find(one => one.name === x) : abscissa(columns);
    return column && axis ? [{name, run: several ? run.label : "", x: axis.values, y: column.values, colour: k, dash: number, on: k < 8}] : [];
  }));
  const axis = abscissa(runs[0].columns), label = withUnit(axis.name, axis.unit), groups = groupsOf(every);
  for (const group of groups.slice(0, 12)) plots.push(new Plot(cards, group.title, label, withUnit("", group.unit).trim(), lines(group.names)));
  writeChoice(cards, every, lines, label);
}

/// A plot whose columns the reader chooses.
function writeChoice(cards, every, lines, label) {
  const time = "(" + label + ")", first = every.find(column => column.name === "newton") || every[0];
  const y = element("select", {multiple: true, size: 6, ariaLabel: "columns"}, ...every.map(column => element("option", {value: column.name, selected: column === first}, withUnit(column.name, column.unit))));
  const x = element("select", {ariaLabel: "abscissa"}, element("option", {value: ""}, time), ...every.map(column => element("option", {value: column.name}, withUnit(column.name, column.unit))));
  const plot = new Plot(cards, "Columns by choice", label, "", lines([first.name]));
  plots.push(plot);
  plot.card.append(element("div", {className: "bar"}, element("label", {}, "y ", y), element("label", {}, "x ", x)));
  y.onchange = x.onchange = () => {
    const names = [...y.selectedOptions].map(option => option.value), chosen = every.find(column => column.name === x.value);
    plot.xLabel = chosen ? withUnit(chosen.name, chosen.unit) : label;
    plot.yLabel = [...new Set(names.map(name => every.find(column => column.name === name).unit))].map(unit => unit ? "[" + unit + "]" : "").join(" ");
    plot.setLines("Columns by choice", lines(names, x.value));
  };
}

/// Amplitudes over frequencies, a plot a quantity. What is rounding beside the rest, as motions across the plane of a vibration, is left out.
function writeSweeps(cards, run) {
  const rounding = 1e-9, peak = column => column.values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (const [name, t] of Object.entries(run.sweeps)) {
    const columns = t.rows ? unpacked(t) : [], groups = new Map();
    for (const column of columns.slice(1)) {
      if (column.name.startsWith("phase ")) continue;
      const short = column.name.replace("amplitude ", ""), key = quantity(short) + "|" + column.unit;
      groups.set(key, [...(groups.get(key) || []), {...column, name: short}]);
    }
    for (const group of groups.values()) {
      const most = Math.max(...group.map(peak)), what = titles[quantity(group[0].name)] || quantity(group[0].name);
      const lines = group.filter(column => peak(column) >= rounding * most).map((column, k) => ({name: column.name, run: several ? run.label : "", x: columns[0].values, y: column.values, colour: k, dash: 0, on: k < 8}));
      plots.push(new Plot(cards, name + ": " + what, withUnit(columns[0].name, columns[0].unit), withUnit("", group[0].unit).trim(), lines, true));
    }
  }
}

function writeCertificate(run) {
  const c = of(run, "certificate", null), u = units(run), place = section((several ? run.label + ": " : "") + "Certificate");
  if (!c) { place.append(element("p", {className: "pale"}, "The run has no summary.json yet, so there is no certificate.")); return; }
  const rows = [];
  if (c.verdict) rows.push(["verdict", element("b", {className: colourOfVerdict[c.verdict]}, c.verdict + ": " + c.reason)]);
  for (const m of c.motions || []) {
    rows.push(["stage " + m.stage, m.scheme + ", step " + short(m.step) + (m["critical step"] ? ", " + percent(m["step over critical step"]) + " of the critical step" : "")]);
    if (m["largest error"] !== undefined) rows.push(["energy balance error", short(m["largest error"]) + " " + (u.energy || "") + ": " + percent(m["error over largest energy"]) + " of the largest energy" + (m["error over work"] === null ? "" : ", " + percent(m["error over work"]) + " of the work")]);
  }
  for (const [name, m] of Object.entries(c.momenta || {})) rows.push(["momentum " + name, "drift " + short(m.drift) + " of " + short(m.largest)]);
  if (c.newton) rows.push(["Newton residual", "at most " + short(c.newton["largest residual"]) + " " + (u.force || "") + ", " + short(c.newton["largest residual over first"]) + " of the first, in " + c.newton.solutions + " solutions"]);
  for (const [scheme, counts] of Object.entries((c.verify || {}).verdicts || {})) rows.push(["symdyn verify, " + scheme, Object.entries(counts).map(([verdict, n]) => n + " " + verdict).join(", ")]);
  if (c["smallest det F"] !== undefined) rows.push(["smallest det F at frames", short(c["smallest det F"])]);
  rows.push(["host", c.host || "-"], ["started, ended", (c.started || "-") + ", " + (c.ended || "-")], ["command line", c["command line"] || "-"],
            ["versions", Object.entries(c.versions || {}).map(([name, version]) => name + " " + version).join(", ")]);
  if ((c.settings || []).length) rows.push(["--set", c.settings.join("; ")]);
  for (const file of c.files || []) rows.push(["SHA-256 of " + file.file, {sum: file.sha256}]);
  place.append(table(rows));
}

function list(title, items) { return items && items.length ? [element("h3", {style: "margin-top:12px"}, title), element("ul", {}, ...items.map(item => element("li", {}, item)))] : []; }

function writeFacts(run) {
  const s = run.summary || {}, u = units(run), left = element("div"), right = element("div"), rows = [];
  for (const [name, label, unit] of [["dimension", "dimension", ""], ["cells", "cells", ""], ["nodes", "nodes", ""], ["dofs", "degrees of freedom", ""], ["degree", "order of elements", ""], ["mass", "mass", u.mass], ["ranks", "ranks", ""], ["steps", "steps", ""], ["time", "time reached", u.time], ["newton iterations", "Newton iterations", ""], ["linear solver", "linear solver", ""], ["peak memory MiB", "peak memory", "MiB"]])
    if (s[name] !== undefined) rows.push([label, (typeof s[name] === "number" ? short(s[name]) : s[name]) + (unit && unit !== "1" ? " " + unit : "")]);
  left.append(rows.length ? table(rows) : element("pre", {}, run.model.join("\n")));
  left.append(...list("Stages", (s.stages || []).map(stage => stage.name + ": " + stage.type + (stage.scheme ? ", " + stage.scheme + ", step " + short(stage.step) : ""))));
  right.append(...list("Materials", Object.entries(s.materials || {}).map(([name, law]) => name + ": " + law)), ...list("Supports", s.supports), ...list("Loads", s.loads),
               ...list("Boundaries", Object.entries(s.boundaries || {}).map(([name, size]) => name + ": " + short(size))));
  const seconds = s["wall seconds"];
  if (seconds) right.append(element("h3", {style: "margin-top:12px"}, "Wall time"), table(Object.entries(seconds).filter(([name]) => name !== "total").sort((a, b) => b[1] - a[1]).concat([["total", seconds.total]]).map(([name, t]) => {
    const bar = element("span", {className: "meter"});
    bar.style.width = (name === "total" ? 0 : 120 * t / Math.max(seconds.total, 1e-9)) + "px";
    return [name, short(t) + " s", bar];
  })));
  section((several ? run.label + ": " : "") + "Model", element("div", {className: "columns"}, left, right));
  section((several ? run.label + ": " : "") + "Warnings", run.warnings.length ? element("ul", {}, ...run.warnings.map(text => element("li", {}, text))) : element("p", {className: "pale"}, "None."));
}

function writeTables(run) {
  for (const [name, t] of Object.entries(run.tables)) {
    const shown = Math.min(t.headers.length, 12);
    section((several ? run.label + ": " : "") + name, table(t.rows.map(row => row.slice(0, shown)), t.headers.slice(0, shown)));
  }
}

function writeDeck(run) {
  if (!run.deck) return;
  const text = element("pre", {}, run.deck + (run["deck cut"] ? "\n# ... the rest is in deck-as-run.prm" : ""));
  section((several ? run.label + ": " : "") + "Deck", element("details", {open: run.deck.length < 6000}, element("summary", {}, "deck-as-run.prm, with --set applied"), text));
}

writeHead();
writeView();
writePlots();
for (const run of data.runs) { writeCertificate(run); writeTables(run); writeFacts(run); writeDeck(run); }
const redrawAll = () => { plots.forEach(plot => plot.draw()); redraws.forEach(draw => draw()); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
for (const event of ["beforeprint", "afterprint"]) window.addEventListener(event, () => setTimeout(redrawAll, 0));
document.documentElement.dataset.ready = "yes";
