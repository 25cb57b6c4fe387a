// Diagrams of lines on a canvas: drag a box or turn the wheel to zoom, double-click for all, values under the pointer.
const lineColours = {light: ["#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#c77f1a", "#0e7c86", "#7f5539", "#55606d"],
                     dark: ["#7db4f0", "#ff8a80", "#7bd6a0", "#cf9df0", "#f0b45c", "#63d0d8", "#d3a98a", "#aab4c0"]};
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;

/// About so many round numbers between two.
function roundTicks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
  const step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10), ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

/// Logarithms of powers of ten, or of 1, 2 and 5 times these where there are few.
function logTicks(low, high, count) {
  const powers = [], factors = high - low < 2 ? [1, 2, 5] : [1], stride = Math.max(1, Math.ceil((high - low) / count));
  for (let k = Math.floor(low); k <= high; ++k) if (k % stride === 0) for (const factor of factors) powers.push(k + Math.log10(factor));
  return powers.filter(t => t >= low && t <= high);
}

function tickText(x, step) {
  if (Math.abs(x) < 1e-9 * step) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-4 ? x.toExponential(1).replace("e+", "e").replace(".0e", "e") : String(Number(x.toPrecision(6)));
}

class Plot {
  /// `lines`: {name, run, x, y, colour, dash, on}; the legend switches them.
  constructor(place, title, xLabel, yLabel, lines, logarithmic = false) {
    Object.assign(this, {title, xLabel, yLabel, lines, logarithmic, box: null});
    this.card = document.createElement("div");
    this.card.className = "card";
    this.card.innerHTML = `<div class="title"><h3></h3><label><input type="checkbox"> log</label><button type="button">All</button></div>
<div class="plot"><canvas></canvas><div class="tip"></div></div><div class="legend"></div>`;
    place.append(this.card);
    this.canvas = this.card.querySelector("canvas"); this.tip = this.card.querySelector(".tip");
    const log = this.card.querySelector("input");
    log.checked = logarithmic;
    log.onchange = () => { this.logarithmic = log.checked; this.box = null; this.draw(); };
    this.card.querySelector(".title button").onclick = () => { this.box = null; this.draw(); };
    this.setLines(title, lines);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  setLines(title, lines) {
    this.lines = lines; this.box = null;
    this.card.querySelector("h3").textContent = title;
    const legend = this.card.querySelector(".legend");
    legend.replaceChildren(...lines.map(line => {
      const button = document.createElement("button");
      button.type = "button"; button.innerHTML = "<i></i><span></span>";
      button.querySelector("span").textContent = line.run ? line.name + ", " + line.run : line.name;
      button.classList.toggle("off", !line.on);
      button.onclick = () => { line.on = !line.on; button.classList.toggle("off", !line.on); this.draw(); };
      line.mark = button.querySelector("i");
      return button;
    }));
    this.draw();
  }
  colour(line) { const all = lineColours[isDark() ? "dark" : "light"]; return all[line.colour % all.length]; }
  yOf(value) { return this.logarithmic ? (Math.abs(value) > 0 ? Math.log10(Math.abs(value)) : NaN) : value; }
  extent() {
    if (this.box) return this.box;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const line of this.lines) if (line.on) for (let i = 0; i < line.x.length; ++i) {
      const y = this.yOf(line.y[i]);
      if (!isFinite(line.x[i]) || !isFinite(y)) continue;
      x0 = Math.min(x0, line.x[i]); x1 = Math.max(x1, line.x[i]); y0 = Math.min(y0, y); y1 = Math.max(y1, y);
    }
    if (!(x1 >= x0)) return [0, 1, 0, 1];
    if (this.logarithmic) y0 = Math.max(y0, y1 - 12);
    const dx = x1 - x0 || Math.abs(x0) || 1, dy = y1 - y0 || Math.abs(y0) * 0.1 || 1;
    return [x0 - (x1 > x0 ? 0 : dx / 2), x1 + (x1 > x0 ? 0 : dx / 2), y0 - 0.05 * dy, y1 + 0.05 * dy];
  }
  draw() {
    const canvas = this.canvas, dots = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    canvas.width = Math.round(w * dots); canvas.height = Math.round(h * dots);
    const g = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), [x0, x1, y0, y1] = this.extent();
    g.scale(dots, dots); g.clearRect(0, 0, w, h);
    this.area = {left: 62, top: 20, width: w - 72, height: h - 58};
    const a = this.area;
    this.X = x => a.left + (x - x0) / (x1 - x0) * a.width;
    this.Y = y => a.top + a.height - (y - y0) / (y1 - y0) * a.height;
    g.font = "12px system-ui,sans-serif"; g.fillStyle = style.getPropertyValue("--pale"); g.strokeStyle = style.getPropertyValue("--line"); g.lineWidth = 1;
    const grid = (ticks, vertical) => ticks.forEach(t => {
      const p = Math.round(vertical ? this.X(t) : this.Y(t)) + 0.5;
      g.beginPath();
      if (vertical) { g.moveTo(p, a.top); g.lineTo(p, a.top + a.height); } else { g.moveTo(a.left, p); g.lineTo(a.left + a.width, p); }
      g.stroke();
      const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)), text = this.logarithmic && !vertical ? tickText(Number((10 ** t).toPrecision(2)), 0) : tickText(t, step);
      g.textAlign = vertical ? "center" : "right"; g.textBaseline = vertical ? "top" : "middle";
      g.fillText(text, vertical ? p : a.left - 6, vertical ? a.top + a.height + 5 : p);
    });
    grid(roundTicks(x0, x1, Math.max(2, a.width / 90)), true);
    grid((this.logarithmic ? logTicks : roundTicks)(y0, y1, Math.max(2, a.height / 45)), false);
    g.textAlign = "center"; g.textBaseline = "bottom"; g.fillText(this.xLabel, a.left + a.width / 2, h - 2);
    g.textAlign = "left"; g.textBaseline = "top"; g.fillText((this.logarithmic ? "|.| " : "") + this.yLabel, 4, 2);
    g.save(); g.beginPath(); g.rect(a.left, a.top, a.width, a.height); g.clip(); g.lineWidth = 1.6; g.lineJoin = "round";
    for (const line of this.lines) {
      line.mark.style.borderTopColor = this.colour(line);
      line.mark.style.borderTopStyle = line.dash ? "dashed" : "solid";
      if (!line.on) continue;
      g.strokeStyle = this.colour(line); g.setLineDash(dashes[line.dash % dashes.length]); g.beginPath();
      let pen = false;
      for (let i = 0; i < line.x.length; ++i) {
        const y = this.yOf(line.y[i]);
        if (!isFinite(y)) { pen = false; continue; }
        pen ? g.lineTo(this.X(line.x[i]), this.Y(y)) : g.moveTo(this.X(line.x[i]), this.Y(y));
        pen = true;
      }
      g.stroke();
    }
    g.setLineDash([]);
    if (this.drag) { g.fillStyle = "rgba(90,140,220,.2)"; g.fillRect(this.drag[0], this.drag[1], this.drag[2] - this.drag[0], this.drag[3] - this.drag[1]); }
    if (this.cursor !== undefined) { g.strokeStyle = style.getPropertyValue("--pale"); g.beginPath(); g.moveTo(this.X(this.cursor), a.top); g.lineTo(this.X(this.cursor), a.top + a.height); g.stroke(); }
    g.restore();
  }
  /// Values of all lines at the row that is nearest to the pointer.
  showValues(px, py) {
    const [x0, x1] = this.extent(), x = x0 + (px - this.area.left) / this.area.width * (x1 - x0), rows = [];
    let at;
    for (const line of this.lines) {
      if (!line.on || !line.x.length) continue;
      let best = 0;
      for (let i = 1; i < line.x.length; ++i) if (Math.abs(line.x[i] - x) < Math.abs(line.x[best] - x)) best = i;
      at = line.x[best];
      rows.push([line, line.y[best]]);
    }
    this.cursor = at;
    this.tip.replaceChildren();
    const head = document.createElement("div");
    head.textContent = this.xLabel + " = " + short(at);
    this.tip.append(head, ...rows.slice(0, 14).map(([line, y]) => {
      const row = document.createElement("div");
      row.style.color = this.colour(line);
      row.textContent = (line.run ? line.name + ", " + line.run : line.name) + " = " + short(y);
      return row;
    }));
    this.tip.style.display = rows.length ? "block" : "none";
    const left = px + 14 + this.tip.offsetWidth > this.canvas.clientWidth ? Math.max(0, px - 14 - this.tip.offsetWidth) : px + 14;
    this.tip.style.left = left + "px"; this.tip.style.top = Math.max(0, py - 20) + "px";
    this.draw();
  }
  listen() {
    const canvas = this.canvas, place = e => { const r = canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    canvas.addEventListener("pointerdown", e => { if (e.pointerType === "mouse") { const [x, y] = place(e); this.drag = [x, y, x, y]; canvas.setPointerCapture(e.pointerId); } });
    canvas.addEventListener("pointermove", e => {
      const [x, y] = place(e);
      if (this.drag) { this.drag[2] = x; this.drag[3] = y; this.tip.style.display = "none"; this.draw(); } else if (this.area) this.showValues(x, y);
    });
    canvas.addEventListener("pointerup", () => {
      const d = this.drag;
      this.drag = undefined;
      if (d && Math.abs(d[2] - d[0]) > 6 && Math.abs(d[3] - d[1]) > 6) this.zoomTo(Math.min(d[0], d[2]), Math.max(d[0], d[2]), Math.min(d[1], d[3]), Math.max(d[1], d[3]));
      else this.draw();
    });
    canvas.addEventListener("pointerleave", () => { this.cursor = undefined; this.tip.style.display = "none"; this.draw(); });
    canvas.addEventListener("dblclick", () => { this.box = null; this.draw(); });
    canvas.addEventListener("wheel", e => {
      if (!e.ctrlKey && !e.shiftKey && !this.box && e.deltaY > 0) return;  // the page scrolls
      e.preventDefault();
      const [x] = place(e), factor = Math.exp(0.0015 * e.deltaY), a = this.area;
      this.zoomTo(x - (x - a.left) * factor, x + (a.left + a.width - x) * factor, a.top, a.top + a.height);
    }, {passive: false});
  }
  zoomTo(left, right, top, bottom) {
    const [x0, x1, y0, y1] = this.extent(), a = this.area, x = p => x0 + (p - a.left) / a.width * (x1 - x0), y = p => y1 - (p - a.top) / a.height * (y1 - y0);
    this.box = [x(left), x(right), y(bottom), y(top)];
    this.draw();
  }
}
