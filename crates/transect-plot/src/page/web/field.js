// Values on a grid, row 0 in the south, and what can be made of them: pictures, profiles, contours.

class Field {
  constructor({ columns, rows, extent, mean, std }) {
    Object.assign(this, { columns, rows, extent });
    this.mean = unpack(mean);
    this.std = unpack(std);
    this.pictures = new Map();
    this.paths = new Map();
  }

  /** The cell that holds a place; -1 outside. */
  cellAt(x, y) {
    const [west, south, east, north] = this.extent;
    const column = Math.floor(((x - west) / (east - west)) * this.columns);
    const row = Math.floor(((y - south) / (north - south)) * this.rows);
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside ? row * this.columns + column : -1;
  }

  /** The middle of a cell. */
  centreOf(cell) {
    const [west, south, east, north] = this.extent;
    return {
      x: west + (((cell % this.columns) + 0.5) / this.columns) * (east - west),
      y: south + ((Math.floor(cell / this.columns) + 0.5) / this.rows) * (north - south),
    };
  }

  /** The truth at the middles of this grid's cells, from the grid it is known on. */
  truthFrom(known) {
    if (!known || known.field === this) return known?.values ?? null;
    if (this.truth === undefined) {
      this.truth = new Float32Array(this.mean.length);
      for (let cell = 0; cell < this.truth.length; cell++) {
        const { x, y } = this.centreOf(cell);
        const there = known.field.cellAt(x, y);
        this.truth[cell] = there < 0 ? NaN : known.values[there];
      }
    }
    return this.truth;
  }

  /** A picture with one pixel per cell, north up. Missing cells are clear. Kept for the next time. */
  picture(key, values, scale) {
    if (!this.pictures.has(key)) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [this.columns, this.rows];
      const context = canvas.getContext("2d");
      const image = context.createImageData(this.columns, this.rows);
      for (let row = 0; row < this.rows; row++) {
        for (let column = 0; column < this.columns; column++) {
          const color = scale.color(values[row * this.columns + column]);
          if (!color) continue;
          const at = 4 * ((this.rows - 1 - row) * this.columns + column);
          [image.data[at], image.data[at + 1], image.data[at + 2], image.data[at + 3]] = [...color, 255];
        }
      }
      context.putImageData(image, 0, 0);
      this.pictures.set(key, canvas);
    }
    return this.pictures.get(key);
  }

  /** Contours of the mean at multiples of a step, between the middles of cells (marching squares). */
  contours(step) {
    if (!this.paths.has(step)) {
      const path = new Path2D();
      const { columns, mean } = this;
      for (let row = 0; row + 1 < this.rows; row++) {
        for (let column = 0; column + 1 < columns; column++) {
          const cells = [row * columns + column, row * columns + column + 1,
            (row + 1) * columns + column + 1, (row + 1) * columns + column];
          const corners = cells.map((cell) => ({ ...this.centreOf(cell), value: mean[cell] }));
          if (corners.some((corner) => !Number.isFinite(corner.value))) continue;
          const values = corners.map((corner) => corner.value);
          const top = Math.max(...values);
          for (let level = Math.ceil(Math.min(...values) / step) * step; level <= top; level += step) {
            const ends = [];
            for (let side = 0; side < 4; side++) {
              const [a, b] = [corners[side], corners[(side + 1) % 4]];
              if (a.value < level === b.value < level) continue;
              const share = (level - a.value) / (b.value - a.value);
              ends.push({ x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) });
            }
            for (let i = 0; i + 1 < ends.length; i += 2) {
              path.moveTo(ends[i].x, ends[i].y);
              path.lineTo(ends[i + 1].x, ends[i + 1].y);
            }
          }
        }
      }
      this.paths.set(step, path);
    }
    return this.paths.get(step);
  }
}

/** Colours for numbers. */
class Scale {
  constructor(table, range, reversed) {
    this.range = range ?? { low: 0, high: 1 };
    this.table = Array.from({ length: 256 }, (_, i) => {
      const at = 6 * (reversed ? 255 - i : i);
      return [0, 2, 4].map((j) => parseInt(table.slice(at + j, at + j + 2), 16));
    });
  }

  /** Red, green and blue; none for missing values. */
  color(value) {
    if (!Number.isFinite(value)) return null;
    const { low, high } = this.range;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return this.table[Math.min(255, Math.max(0, Math.round(255 * share)))];
  }

  /** The scale from its lowest to its highest value, for a background. */
  gradient() {
    const stops = Array.from({ length: 17 }, (_, i) => `rgb(${this.table[Math.min(255, i * 16)].join(",")})`);
    return `linear-gradient(to right, ${stops.join(",")})`;
  }
}
