// A profile: the surface between two places, with its 95 % interval.

const SVG = "http://www.w3.org/2000/svg";
/** Places along a profile. */
const SAMPLES = 240;

/** The surface along a line, cell by cell. */
function profileOf(field, truth, halfWidth, [a, b]) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const share = i / SAMPLES;
    const cell = field.cellAt(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y));
    const [mean, std] = cell < 0 ? [NaN, NaN] : [field.mean[cell], field.std[cell]];
    return {
      at: share * length, mean, low: mean - halfWidth * std, high: mean + halfWidth * std,
      truth: truth && cell >= 0 ? truth[cell] : NaN,
    };
  });
}

/** Round numbers within a range. */
function ticks(low, high, count) {
  const step = niceBelow((high - low) / count || 1);
  const all = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) all.push(i * step);
  return all;
}

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Draws a profile into `box` and says in words what it shows. */
function drawProfile(box, points, { unit, quantity, downward }) {
  const range = rangeOf([points.map((p) => p.low), points.map((p) => p.high), points.map((p) => p.truth)]);
  box.replaceChildren();
  if (!range) return "No part of this profile is on the map.";
  const [width, height, left, bottom, top, right] = [Math.max(280, box.clientWidth), 220, 62, 36, 12, 14];
  const length = points[points.length - 1].at;
  const pad = 0.05 * (range.high - range.low) || 1;
  const [low, high] = [range.low - pad, range.high + pad];
  const x = (at) => left + (at / (length || 1)) * (width - left - right);
  const y = (value) => {
    const share = (value - low) / (high - low);
    return top + (downward ? share : 1 - share) * (height - top - bottom);
  };
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "profile-chart" });
  const decimals = decimalsFor({ low: 0, high: 100 * niceBelow((high - low) / 4) });
  for (const value of ticks(low, high, 4)) {
    svg.append(element("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "rule" }));
    svg.append(element("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, shown(value, Math.max(0, decimals - 2))));
  }
  for (const at of ticks(0, length, width > 500 ? 6 : 3)) {
    svg.append(element("text", { x: x(at), y: height - bottom + 16, "text-anchor": "middle" }, lengthText(at)));
  }
  svg.append(element("text", { x: left, y: height - 4, class: "end" }, "A"));
  svg.append(element("text", { x: width - right, y: height - 4, "text-anchor": "end", class: "end" }, "B"));
  // Pieces, because a profile may cross places that are not on the map.
  const pieces = [];
  points.forEach((point, i) => {
    if (!Number.isFinite(point.mean)) return;
    if (i === 0 || !Number.isFinite(points[i - 1].mean)) pieces.push([]);
    pieces[pieces.length - 1].push(point);
  });
  const line = (piece, key) => piece.map((p) => `${x(p.at).toFixed(1)},${y(p[key]).toFixed(1)}`);
  for (const piece of pieces) {
    const band = [...line(piece, "low"), ...line(piece, "high").reverse()].join(" ");
    svg.append(element("polygon", { points: band, class: "band" }));
  }
  for (const piece of pieces) {
    svg.append(element("polyline", { points: line(piece, "mean").join(" "), class: "mean" }));
    const known = piece.filter((p) => Number.isFinite(p.truth));
    if (known.length) svg.append(element("polyline", { points: line(known, "truth").join(" "), class: "truth" }));
  }
  const means = rangeOf([points.map((p) => p.mean)]);
  const digits = decimalsFor(means);
  const widest = rangeOf([points.map((p) => p.high - p.low)]);
  const words = `${lengthText(length)} from A to B: ${quantity.toLowerCase()} between ${shown(means.low, digits)} and `
    + `${shown(means.high, digits)} ${unit}; the 95 % interval is at most ${shown(widest.high, digits)} ${unit} wide.`
    + (points.some((p) => Number.isFinite(p.truth)) ? " The dashed line is the truth." : "");
  svg.append(element("title", {}, words));
  box.append(svg);
  return words;
}
