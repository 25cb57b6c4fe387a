// The body in space: motions, modes and vibrations of a run, drawn with WebGL 2. Positions are X + scale (a u0 + b u1).
const shaders = {
  vertex: `#version 300 es
in vec3 X; in vec3 u0; in vec3 u1; in float c0; in float c1;
uniform vec4 mix4; uniform float size, nudge; uniform mat4 turn;
out vec3 place; out float value;
void main() {
  vec4 p = turn * vec4(X + size * (mix4.x * u0 + mix4.y * u1), 1.0);
  p.z -= nudge;
  place = p.xyz; value = mix4.z * c0 + mix4.w * c1;
  gl_Position = p; gl_PointSize = 8.0;
}`,
  fragment: `#version 300 es
precision highp float;
in vec3 place; in float value;
uniform vec4 plain; uniform bool lit; uniform vec2 aspect;
out vec4 colour;
vec3 ramp(float x) {
  vec3 a = vec3(.16, .25, .62), b = vec3(.35, .65, .85), c = vec3(.95, .93, .74), d = vec3(.94, .55, .28), e = vec3(.66, .1, .13);
  x = clamp(x, 0.0, 1.0) * 4.0;
  return x < 1.0 ? mix(a, b, x) : x < 2.0 ? mix(b, c, x - 1.0) : x < 3.0 ? mix(c, d, x - 2.0) : mix(d, e, x - 3.0);
}
void main() {
  if (plain.a > 0.0) { colour = vec4(plain.rgb, 1.0); return; }
  vec3 n = normalize(cross(dFdx(place * vec3(aspect, -1.0)), dFdy(place * vec3(aspect, -1.0))));
  float light = lit ? 0.42 + 0.58 * abs(dot(n, normalize(vec3(0.25, 0.35, 0.9)))) : 1.0;
  colour = vec4((value < 0.5 / 255.0 ? vec3(.62, .62, .62) : ramp((value * 255.0 - 1.0) / 254.0)) * light, 1.0);  // byte 0: no value
}`
};
const rampCss = "linear-gradient(to top,rgb(41,64,158),rgb(89,166,217),rgb(242,237,189),rgb(240,140,71),rgb(168,26,33))";

function bytesOf(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

/// 3 or 4 significant digits, short.
function short(x) {
  if (x === null || x === undefined || !isFinite(x)) return "-";
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(2).replace("e+", "e") : String(Number(x.toPrecision(4)));
}

function withUnit(name, unit) { return unit && unit !== "1" ? name + " [" + unit + "]" : name; }

/// The geometry of one view, unpacked when it is first shown.
class Body {
  constructor(view, lengthUnit) {
    this.view = view;
    this.X = new Float32Array(bytesOf(view.points));
    this.count = this.X.length / 3;
    for (const name of ["triangles", "edges", "lines", "vertices", "outline"]) this[name] = new Uint32Array(bytesOf(view[name]));
    this.u = view.u.map(text => new Int16Array(bytesOf(text)));
    this.v = view.imaginary ? view.imaginary.map(text => new Int16Array(bytesOf(text))) : null;
    this.unit = view["largest u"] / 32767;
    this.unitOfV = (view["largest imaginary"] || 0) / 32767;
    this.fields = view.fields.map(f => ({...f, frames: f.frames.map(text => new Uint8Array(bytesOf(text)))}));
    const motion = view.kind === "motion";
    this.fields.push(this.ofMotion("|u|", lengthUnit, (a, i) => Math.hypot(a[3 * i], a[3 * i + 1], a[3 * i + 2])));
    if (motion) for (let d = 0; d < 3; ++d) this.fields.push(this.ofMotion("u_" + "xyz"[d], lengthUnit, (a, i) => a[3 * i + d]));
    this.measure();
  }
  /// A field made of displacements; of vibrations the amplitude of both parts.
  ofMotion(name, unit, value) {
    let low = Infinity, high = -Infinity;
    const all = this.u.map((u, k) => {
      const numbers = new Float32Array(this.count);
      for (let i = 0; i < this.count; ++i) {
        let x = value(u, i) * this.unit;
        if (this.v) x = Math.hypot(x, value(this.v[k], i) * this.unitOfV);
        numbers[i] = x; low = Math.min(low, x); high = Math.max(high, x);
      }
      return numbers;
    });
    const frames = all.map(numbers => Uint8Array.from(numbers, x => 1 + (high > low ? Math.round((x - low) / (high - low) * 254) : 0)));
    return {name: name === "|u|" ? "displacement" : name, unit, low, high, frames};
  }
  /// Centre and reach of all that is shown: the body at rest and, of a motion, in all frames.
  measure() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], rest = Float32Array.from(this.X);
    const take = (x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); };
    const half = () => Math.hypot(...low.map((x, d) => high[d] - x)) / 2 || 1;
    rest.forEach(take);
    this.radius = half();
    let depth = high[2] - low[2];
    if (this.view.kind === "motion") for (const u of this.u) for (let i = 0; i < u.length; ++i) take(this.X[i] + u[i] * this.unit, i);
    else for (const u of this.u) for (let i = 2; i < u.length; i += 3) depth = Math.max(depth, Math.abs(u[i]) * this.unit);
    depth = Math.max(depth, high[2] - low[2]);
    this.flat = depth < 1e-9 * this.radius;
    this.centre = low.map((x, d) => (x + high[d]) / 2);
    this.reach = this.view.kind === "motion" ? half() : 1.2 * this.radius;
  }
  get largest() { return Math.max(this.view["largest u"], this.view["largest imaginary"] || 0); }
}

class Viewer {
  constructor(canvas, onChange) {
    this.canvas = canvas; this.onChange = onChange;
    this.gl = canvas.getContext("webgl2", {antialias: true, alpha: true, premultipliedAlpha: false, preserveDrawingBuffer: true});
    if (!this.gl) return;
    this.buffers = new Map();
    this.frame = 0; this.phase = 0; this.playing = false; this.speed = 1; this.scale = 1; this.field = 0;
    this.showEdges = true; this.showOutline = true;
    this.yaw = 0.35; this.pitch = 0.3; this.zoom = 1; this.pan = [0, 0]; this.up = "y";
    this.makeProgram();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }
  makeProgram() {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, shaders.vertex], [gl.FRAGMENT_SHADER, shaders.fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program); gl.useProgram(program);
    this.at = name => gl.getUniformLocation(program, name);
    this.attribute = Object.fromEntries(["X", "u0", "u1", "c0", "c1"].map(name => [name, gl.getAttribLocation(program, name)]));
  }
  buffer(data, target) {
    const gl = this.gl;
    if (!this.buffers.has(data)) {
      const made = gl.createBuffer();
      gl.bindBuffer(target, made); gl.bufferData(target, data, gl.STATIC_DRAW);
      this.buffers.set(data, made);
    }
    gl.bindBuffer(target, this.buffers.get(data));
  }
  bind(name, data, components, kind, normalized) {
    const gl = this.gl, at = this.attribute[name];
    if (at < 0) return;
    this.buffer(data, gl.ARRAY_BUFFER);
    gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, components, kind, normalized, 0, 0);
  }
  show(body) {
    for (const made of this.buffers.values()) this.gl.deleteBuffer(made);
    this.buffers.clear();
    this.body = body; this.field = 0; this.playing = false; this.zoom = 1; this.pan = [0, 0];
    this.frame = body.view.kind === "motion" ? body.u.length - 1 : 0;
    this.phase = Math.PI / 2;
    this.scale = body.view.kind === "motion" || body.largest === 0 ? 1 : Number((0.25 * body.radius / body.largest).toPrecision(2));
    if (body.flat) { this.yaw = 0; this.pitch = 0; } else if (this.yaw === 0 && this.pitch === 0) { this.yaw = 0.35; this.pitch = 0.3; }
    this.draw();
  }
  /// Rows of the rotation: right, up, towards the eye.
  axes() {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const right = [cy, 0, -sy], up = [-sy * sp, cp, -cy * sp], eye = [sy * cp, sp, cy * cp];
    return this.up === "z" ? [right, up, eye].map(([x, y, z]) => [x, -z, y]) : [right, up, eye];
  }
  turn() {
    const {clientWidth: w, clientHeight: h} = this.canvas, size = this.zoom / (1.02 * this.body.reach), rows = this.axes();
    const aspect = [h < w ? h / w : 1, h < w ? 1 : w / h], m = new Float32Array(16), c = this.body.centre;
    const factor = [size * aspect[0], size * aspect[1], -0.05 / this.body.reach];
    for (let r = 0; r < 3; ++r) {
      let shift = 0;
      for (let d = 0; d < 3; ++d) { m[4 * d + r] = factor[r] * rows[r][d]; shift -= rows[r][d] * c[d]; }
      m[12 + r] = factor[r] * shift;
    }
    m[12] += this.pan[0]; m[13] += this.pan[1]; m[15] = 1;
    return {matrix: m, aspect: [1 / factor[0], 1 / factor[1], 1 / factor[2]]};
  }
  /// Weights of both displacements and both colours, and the numbers of their frames.
  state() {
    const kind = this.body.view.kind;
    if (kind === "modes") return {k0: this.frame, k1: this.frame, mix: [Math.sin(this.phase), 0, 1, 0]};
    if (kind === "harmonic") return {k0: this.frame, k1: this.frame, mix: [Math.cos(this.phase), -Math.sin(this.phase), 1, 0]};
    const k0 = Math.min(Math.floor(this.frame), this.body.u.length - 1), k1 = Math.min(k0 + 1, this.body.u.length - 1), w = this.frame - k0;
    return {k0, k1, mix: [1 - w, w, 1 - w, w]};
  }
  draw() {
    if (!this.gl || !this.body) return;
    const gl = this.gl, canvas = this.canvas, body = this.body, dots = window.devicePixelRatio || 1;
    const w = Math.round(canvas.clientWidth * dots), h = Math.round(canvas.clientHeight * dots);
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, w, h); gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.enable(gl.DEPTH_TEST);
    const {k0, k1, mix} = this.state(), {matrix, aspect} = this.turn(), field = body.fields[this.field];
    this.bind("X", body.X, 3, gl.FLOAT, false);
    this.bind("u0", body.u[k0], 3, gl.SHORT, true);
    this.bind("u1", body.v ? body.v[k0] : body.u[k1], 3, gl.SHORT, true);
    this.bind("c0", field.frames[k0], 1, gl.UNSIGNED_BYTE, true);
    this.bind("c1", field.frames[k1], 1, gl.UNSIGNED_BYTE, true);
    gl.uniformMatrix4fv(this.at("turn"), false, matrix);
    gl.uniform2f(this.at("aspect"), aspect[0] / Math.abs(aspect[2]), aspect[1] / Math.abs(aspect[2]));
    const dark = matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;
    const pass = (name, kind, plain, lit, nudge, weights) => {
      const numbers = body[name];
      if (!numbers.length) return;
      gl.uniform4f(this.at("mix4"), weights[0] * body.unit, weights[1] * (body.v ? body.unitOfV : body.unit), weights[2], weights[3]);
      gl.uniform1f(this.at("size"), this.scale * 32767);
      gl.uniform1f(this.at("nudge"), nudge); gl.uniform4f(this.at("plain"), ...plain); gl.uniform1i(this.at("lit"), lit);
      this.buffer(numbers, gl.ELEMENT_ARRAY_BUFFER);
      gl.drawElements(kind, numbers.length, gl.UNSIGNED_INT, 0);
    };
    const none = [0, 0, 0, 0];
    pass("triangles", gl.TRIANGLES, none, 1, 0, mix);
    pass("lines", gl.LINES, none, 0, 1e-4, mix);
    pass("vertices", gl.POINTS, none, 0, 2e-4, mix);
    if (this.showEdges) pass("edges", gl.LINES, [0.12, 0.15, 0.2, 1], 0, 4e-4, mix);
    if (this.showOutline) pass("outline", gl.LINES, dark ? [0.62, 0.67, 0.73, 1] : [0.45, 0.48, 0.52, 1], 0, 0, [0, 0, 0, 0]);
    this.onChange(this);
  }
  /// Frames a second are as many as the screen has; a motion takes 4 s, a period of a vibration 1.5 s.
  play(on) {
    this.playing = on;
    let last = null;
    const step = now => {
      if (!this.playing) return;
      const seconds = last === null ? 0 : (now - last) / 1000 * this.speed, count = this.body.u.length;
      last = now;
      if (this.body.view.kind === "motion") {
        this.frame += seconds * (count - 1) / 4;
        if (this.frame >= count - 1) this.frame = seconds > 0 && count > 1 ? this.frame % (count - 1) : count - 1;
      }
      else this.phase = (this.phase + 2 * Math.PI * seconds / 1.5) % (2 * Math.PI);
      this.draw();
      requestAnimationFrame(step);
    };
    if (on) { if (this.body.view.kind === "motion" && this.frame >= this.body.u.length - 1) this.frame = 0; requestAnimationFrame(step); }
  }
  listen() {
    const canvas = this.canvas, held = new Map();
    canvas.addEventListener("pointerdown", e => { held.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, e => held.delete(e.pointerId));
    canvas.addEventListener("pointermove", e => {
      if (!held.has(e.pointerId)) return;
      const [x, y] = held.get(e.pointerId), dx = e.clientX - x, dy = e.clientY - y;
      if (held.size === 2) {
        const [other] = [...held].filter(([id]) => id !== e.pointerId).map(([, place]) => place);
        this.zoom *= Math.hypot(e.clientX - other[0], e.clientY - other[1]) / Math.max(1, Math.hypot(x - other[0], y - other[1]));
      }
      if (held.size === 2 || e.shiftKey || e.buttons === 2 || e.buttons === 4 || this.body.flat) {
        this.pan[0] += 2 * dx / canvas.clientWidth / held.size; this.pan[1] -= 2 * dy / canvas.clientHeight / held.size;
      }
      else { this.yaw -= 0.01 * dx; this.pitch = Math.max(-1.57, Math.min(1.57, this.pitch + 0.01 * dy)); }
      held.set(e.pointerId, [e.clientX, e.clientY]);
      this.draw();
    });
    canvas.addEventListener("wheel", e => { e.preventDefault(); this.zoom *= Math.exp(-0.0015 * e.deltaY); this.draw(); }, {passive: false});
    canvas.addEventListener("contextmenu", e => e.preventDefault());
    canvas.addEventListener("dblclick", () => { this.zoom = 1; this.pan = [0, 0]; this.draw(); });
  }
}
