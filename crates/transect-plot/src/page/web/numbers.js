// Numbers: unpacking them, rounding them for people, places on the earth.

/** The bytes of base64 text. */
function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Values packed by the program: 32-bit floats, or 16-bit levels between two numbers (65535 is missing). */
function unpack(packed) {
  const bytes = bytesOf(packed.data);
  const view = new DataView(bytes.buffer);
  if (packed.type === "f32") {
    const values = new Float32Array(bytes.length >> 2);
    for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
    return values;
  }
  const values = new Float32Array(bytes.length >> 1);
  const step = (packed.high - packed.low) / 65534;
  for (let i = 0; i < values.length; i++) {
    const level = view.getUint16(2 * i, true);
    values[i] = level === 65535 ? NaN : packed.low + level * step;
  }
  return values;
}

/** Least and greatest of the finite numbers in several lists; null if there are none. */
function rangeOf(lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists) {
    for (const value of list) {
      if (value < low) low = value;
      if (value > high && value !== Infinity) high = value;
    }
  }
  return high >= low ? { low, high } : null;
}

/** Decimals that show a ten-thousandth of a range. */
function decimalsFor(range) {
  const span = range ? Math.max(range.high - range.low, 1e-9) : 1;
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(span / 10000))));
}

/** A number for people, with a real minus sign. */
function shown(value, decimals) {
  if (!Number.isFinite(value)) return "–";
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** The largest of 1, 2, 5, 10, 20, ... that is not above a length. */
function niceBelow(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const factor = length / power;
  return (factor >= 5 ? 5 : factor >= 2 ? 2 : 1) * power;
}

/** A length in the unit that suits it. */
function lengthText(metres) {
  if (metres >= 1000) return `${+(metres / 1000).toPrecision(3)} km`;
  return metres >= 1 || metres === 0 ? `${+metres.toPrecision(3)} m` : `${+(metres * 100).toPrecision(3)} cm`;
}

/** Seconds as minutes and seconds, or with hours where there are some. */
function clockText(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Longitude and latitude of a place in metres, between nodes that the program worked out; null if it could not. */
function degreesAt(map, x, y) {
  const nodes = map.degrees;
  if (!nodes) return null;
  const [west, south, east, north] = nodes.extent;
  const weights = (t) => {
    const n = nodes.count;
    return Array.from({ length: n }, (_, i) => {
      let weight = 1;
      for (let j = 0; j < n; j++) if (j !== i) weight *= (t * (n - 1) - j) / (i - j);
      return weight;
    });
  };
  const [wx, wy] = [weights((x - west) / (east - west)), weights((y - south) / (north - south))];
  let [lon, lat] = [0, 0];
  for (let r = 0; r < nodes.count; r++) {
    for (let c = 0; c < nodes.count; c++) {
      const weight = wx[c] * wy[r];
      lon += weight * nodes.lon[r * nodes.count + c];
      lat += weight * nodes.lat[r * nodes.count + c];
    }
  }
  lon = ((((lon + 180) % 360) + 360) % 360) - 180;
  return { lon, lat };
}

function degreesText(place) {
  const part = (value, letters) => `${Math.abs(value).toFixed(7)}° ${letters[value < 0 ? 1 : 0]}`;
  return `${part(place.lat, "NS")}, ${part(place.lon, "EW")}`;
}
