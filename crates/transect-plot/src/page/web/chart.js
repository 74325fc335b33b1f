// The map on a canvas: where one looks, what is drawn, and how hands move it.

/** Zooming by one step. */
const STEP = 1.35;

class Chart {
  /** `scene()` says what to draw; `moved(place, by)` hears where the cross is; `picked(place)` of clicks. */
  constructor(canvas, bounds, scene, moved, picked) {
    Object.assign(this, { canvas, bounds, scene, moved, picked });
    this.cross = null;
    const [west, south, east, north] = bounds;
    canvas.style.setProperty("--aspect", String((north - south) / (east - west) || 1));
    this.fingers = new Map();
    this.fit();
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.listen();
  }

  /** Shows everything. */
  fit() {
    const [west, south, east, north] = this.bounds;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.centre = { x: (west + east) / 2, y: (south + north) / 2 };
    const span = Math.max((east - west) / Math.max(1, width - 48), (north - south) / Math.max(1, height - 48));
    this.metresPerPixel = span > 0 && Number.isFinite(span) ? span : 1;
    this.fitted = true;
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const sharpness = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * sharpness);
    this.canvas.height = Math.round(height * sharpness);
    this.fitted ? this.fit() : this.draw();
  }

  toScreen(place) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return {
      x: width / 2 + (place.x - this.centre.x) / this.metresPerPixel,
      y: height / 2 - (place.y - this.centre.y) / this.metresPerPixel,
    };
  }

  toPlace(screen) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return {
      x: this.centre.x + (screen.x - width / 2) * this.metresPerPixel,
      y: this.centre.y - (screen.y - height / 2) * this.metresPerPixel,
    };
  }

  /** Makes everything larger, leaving one point of the screen where it is. */
  zoom(factor, screen = { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 }) {
    const before = this.toPlace(screen);
    const [west, south, east, north] = this.bounds;
    const whole = Math.max(east - west, north - south, 1e-6);
    const limit = (value) => Math.min(Math.max(value, whole / 1e6), whole / 50);
    this.metresPerPixel = limit(this.metresPerPixel / factor);
    const after = this.toPlace(screen);
    this.centre = { x: this.centre.x + before.x - after.x, y: this.centre.y + before.y - after.y };
    this.fitted = false;
    this.draw();
  }

  pan(dx, dy) {
    this.centre = { x: this.centre.x - dx * this.metresPerPixel, y: this.centre.y + dy * this.metresPerPixel };
    this.fitted = false;
    this.draw();
  }

  setCross(place, by) {
    this.cross = place;
    this.moved(place, by);
    this.draw();
  }

  listen() {
    const { canvas } = this;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(STEP ** (-Math.sign(event.deltaY) * Math.min(1, Math.abs(event.deltaY) / 60)), at(event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, at(event));
      this.dragged = this.fingers.size > 1;
    });
    canvas.addEventListener("pointermove", (event) => {
      const now = at(event);
      const before = this.fingers.get(event.pointerId);
      if (!before) return this.setCross(this.toPlace(now), "pointer");
      if (this.fingers.size === 2) {
        const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        const span = (a, b) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
        this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        this.zoom(span(now, other) / span(before, other), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      } else if (this.dragged || Math.hypot(now.x - before.x, now.y - before.y) > 4) {
        this.dragged = true;
        this.pan(now.x - before.x, now.y - before.y);
      } else {
        return;
      }
      this.fingers.set(event.pointerId, now);
    });
    const lift = (event) => {
      const held = this.fingers.delete(event.pointerId);
      if (held && event.type === "pointerup" && !this.dragged) {
        const place = this.toPlace(at(event));
        this.setCross(place, "pointer");
        this.picked(place);
      }
    };
    for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, lift);
    canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.setCross(null, "pointer");
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) {
      this.pan(-40 * arrow[0], 40 * arrow[1]);
    } else if (arrow) {
      const from = this.cross ?? this.centre;
      const step = 10 * this.metresPerPixel;
      const [west, south, east, north] = this.bounds;
      const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
      this.setCross({
        x: clamp(from.x + step * arrow[0], west, east), y: clamp(from.y + step * arrow[1], south, north),
      }, "keyboard");
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(STEP, this.cross ? this.toScreen(this.cross) : undefined);
    } else if (event.key === "-" || event.key === "_") {
      this.zoom(1 / STEP, this.cross ? this.toScreen(this.cross) : undefined);
    } else if (event.key === "0") {
      this.fit();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.cross) this.picked(this.cross);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Draws once, however often it is asked before the next picture. */
  draw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.paint();
    });
  }

  paint() {
    const { canvas } = this;
    const context = canvas.getContext("2d");
    if (!context || canvas.width === 0) return;
    const style = getComputedStyle(canvas);
    const [ink, paper] = [style.color, style.getPropertyValue("--card")];
    const sharpness = window.devicePixelRatio || 1;
    context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    const scene = this.scene();
    this.paintGrid(context, scene);
    this.paintLines(context, scene, ink, paper);
    this.paintDots(context, scene);
    this.paintBoat(context, scene);
    this.paintProfile(context, scene);
    this.paintCross(context);
    this.paintScale(context, ink, paper);
  }

  paintGrid(context, { field, picture }) {
    if (!field || !picture) return;
    const [west, south, east, north] = field.extent;
    const [corner, other] = [this.toScreen({ x: west, y: north }), this.toScreen({ x: east, y: south })];
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, corner.x, corner.y, other.x - corner.x, other.y - corner.y);
  }

  trace(context, line, closed) {
    context.beginPath();
    line.forEach((point, i) => {
      const { x, y } = this.toScreen({ x: point[0], y: point[1] });
      i === 0 ? context.moveTo(x, y) : context.lineTo(x, y);
    });
    if (closed) context.closePath();
  }

  paintLines(context, { contours, fence, track, path }, ink, paper) {
    if (contours) {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      const scale = 1 / this.metresPerPixel;
      context.save();
      context.translate(width / 2, height / 2);
      context.scale(scale, -scale);
      context.translate(-this.centre.x, -this.centre.y);
      context.lineWidth = this.metresPerPixel;
      context.strokeStyle = "rgba(20, 20, 30, 0.65)";
      context.stroke(contours);
      context.restore();
    }
    const line = (points, width, color, dash, closed) => {
      if (points.length === 0) return;
      context.setLineDash(dash);
      context.lineJoin = "round";
      this.trace(context, points, closed);
      context.lineWidth = width + 2;
      context.strokeStyle = "rgba(255, 255, 255, 0.7)";
      context.stroke();
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
      context.setLineDash([]);
    };
    for (const ring of fence ?? []) line(ring, 2, "#8b1a1a", [7, 5], true);
    if (track) line(track, 1.6, "#16202c", [], false);
    if (path) line(path, 2, "#c2410c", [3, 4], false);
  }

  paintDots(context, { soundings, flagged }) {
    if (soundings) {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      // Squares are drawn much faster than circles.
      const many = soundings.length > 3000;
      context.lineWidth = 1;
      for (const sounding of soundings) {
        const { x, y } = this.toScreen({ x: sounding[0], y: sounding[1] });
        if (x < -5 || y < -5 || x > width + 5 || y > height + 5) continue;
        if (many) {
          context.fillStyle = "#16202c";
          context.fillRect(x - 1.5, y - 1.5, 3, 3);
          context.fillStyle = "#ffffff";
          context.fillRect(x - 0.75, y - 0.75, 1.5, 1.5);
          continue;
        }
        context.beginPath();
        context.arc(x, y, 2.2, 0, 7);
        context.fillStyle = "#ffffff";
        context.fill();
        context.strokeStyle = "#16202c";
        context.stroke();
      }
    }
    for (const [px, py] of flagged ?? []) {
      const { x, y } = this.toScreen({ x: px, y: py });
      for (const [width, color] of [[4.5, "#ffffff"], [2.2, "#c81e1e"]]) {
        context.lineWidth = width;
        context.strokeStyle = color;
        context.beginPath();
        context.moveTo(x - 5, y - 5);
        context.lineTo(x + 5, y + 5);
        context.moveTo(x - 5, y + 5);
        context.lineTo(x + 5, y - 5);
        context.stroke();
      }
    }
  }

  paintBoat(context, { boat, goal }) {
    if (goal) {
      const { x, y } = this.toScreen(goal);
      for (const [width, color] of [[5, "#ffffff"], [2.5, "#c2410c"]]) {
        context.lineWidth = width;
        context.strokeStyle = color;
        context.beginPath();
        context.arc(x, y, 8, 0, 7);
        context.stroke();
      }
    }
    if (!boat) return;
    const { x, y } = this.toScreen(boat);
    context.save();
    context.translate(x, y);
    context.rotate(-(boat.heading_rad ?? Math.PI / 2));
    context.beginPath();
    context.moveTo(13, 0);
    context.lineTo(-8, 7.5);
    context.lineTo(-4, 0);
    context.lineTo(-8, -7.5);
    context.closePath();
    context.fillStyle = "#f97316";
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = "#16202c";
    context.stroke();
    context.restore();
  }

  paintProfile(context, { profile }) {
    if (!profile?.length) return;
    const points = profile.map((place) => this.toScreen(place));
    for (const [width, color] of [[5, "#ffffff"], [2.5, "#6d28d9"]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.beginPath();
      points.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.stroke();
    }
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    points.forEach(({ x, y }, i) => {
      context.beginPath();
      context.arc(x, y, 10, 0, 7);
      context.fillStyle = "#6d28d9";
      context.fill();
      context.fillStyle = "#ffffff";
      context.fillText("AB"[i], x, y + 0.5);
    });
  }

  paintCross(context) {
    if (!this.cross) return;
    const { x, y } = this.toScreen(this.cross);
    for (const [width, color] of [[4, "rgba(255,255,255,0.85)"], [1.5, "#000000"]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + 4 * dx, y + 4 * dy);
        context.lineTo(x + 13 * dx, y + 13 * dy);
      }
      context.stroke();
    }
  }

  /** Scale bar and north, on plates of their own so that they are legible over any colour. */
  paintScale(context, ink, paper) {
    const height = this.canvas.clientHeight;
    const length = niceBelow(Math.min(160, this.canvas.clientWidth / 3) * this.metresPerPixel);
    const width = length / this.metresPerPixel;
    context.font = "12px system-ui, sans-serif";
    const text = lengthText(length);
    const plate = Math.max(width, context.measureText(text).width) + 16;
    context.fillStyle = paper;
    context.globalAlpha = 0.88;
    context.fillRect(10, height - 44, plate, 34);
    context.fillRect(this.canvas.clientWidth - 38, height - 52, 28, 42);
    context.globalAlpha = 1;
    context.fillStyle = ink;
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(18, height - 24);
    context.lineTo(18, height - 18);
    context.lineTo(18 + width, height - 18);
    context.lineTo(18 + width, height - 24);
    context.stroke();
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillText(text, 18, height - 28);
    const x = this.canvas.clientWidth - 24;
    context.textAlign = "center";
    context.font = "600 13px system-ui, sans-serif";
    context.fillText("N", x, height - 15);
    context.beginPath();
    context.moveTo(x, height - 48);
    context.lineTo(x + 6, height - 30);
    context.lineTo(x, height - 34);
    context.lineTo(x - 6, height - 30);
    context.closePath();
    context.fill();
  }
}
