// The page's map: layers, readings under the cross, profile, time.

const LAYERS = {
  mean: { name: "Map" }, std: { name: "Uncertainty" }, error: { name: "Error" }, truth: { name: "Truth" },
};
const MARKS = {
  soundings: "Soundings", flagged: "Flagged soundings", track: "Path", fence: "Fence", contours: "Contours",
};
/** A sounding is told when the cross is this near, px. */
const NEAR = 9;

/** A survey as the page draws it. */
class SurveyView {
  constructor(data) {
    Object.assign(this, data);
    this.field = data.grid ? new Field(data.grid) : null;
    this.known = data.truth && this.field ? { field: this.field, values: unpack(data.truth) } : null;
    this.packed = data.frames ?? [];
    this.frames = new Map();
  }

  /** Steps of the time slider: the frames, and the end. */
  get steps() {
    return this.packed.length + (this.field ? 1 : 0);
  }

  /** What is shown at a step: the map then, and how many soundings there were. */
  at(step) {
    const frame = this.packed[step];
    if (frame && !this.frames.has(step)) this.frames.set(step, new Field(frame));
    const field = frame ? this.frames.get(step) : this.field;
    // While a mission runs, its newest map goes with everything that came after it.
    const last = !frame || (this.live && step === this.packed.length - 1);
    if (last) return { field, soundings: this.soundings_total, time_s: Infinity, last };
    return { field, soundings: frame.soundings, time_s: frame.time_s, last };
  }
}

class Explorer {
  constructor(root, map) {
    this.root = root;
    this.map = map;
    this.layer = "mean";
    this.marks = { soundings: false, flagged: true, track: true, fence: true, contours: false };
    this.profile = null;
    this.find = (name) => root.querySelector(`[data-part="${name}"]`);
    this.setSurveys(map.surveys);
    this.chart = new Chart(this.find("chart"), map.bounds, () => this.scene(),
      (place, by) => this.read(place, by), (place) => this.pick(place));
    this.build();
    this.show();
  }

  /** Takes surveys to show, first or anew. */
  setSurveys(surveys) {
    this.surveys = surveys.map((survey) => new SurveyView(survey));
    this.current = 0;
    this.step = Math.max(0, this.survey.steps - 1);
    this.makeScales();
  }

  get survey() {
    return this.surveys[this.current];
  }

  get now() {
    return this.survey.at(this.step);
  }

  makeScales() {
    const { colors, downward } = this.map;
    const fields = this.surveys.map((s) => s.field ?? (s.packed.length ? s.at(s.packed.length - 1).field : null))
      .filter(Boolean);
    const truths = this.surveys.filter((s) => s.known).map((s) => s.known.values);
    const height = rangeOf([...fields.map((f) => f.mean), ...truths]);
    const errors = this.surveys.filter((s) => s.known)
      .map((s) => s.field.mean.map((mean, i) => Math.abs(mean - s.known.values[i])));
    const fromZero = (range) => (range ? { low: 0, high: range.high } : null);
    this.scales = {
      mean: new Scale(colors.height, height, downward),
      truth: new Scale(colors.height, height, downward),
      std: new Scale(colors.std, fromZero(rangeOf(fields.map((f) => f.std))), false),
      error: new Scale(colors.error, fromZero(rangeOf(errors)), false),
    };
    this.decimals = decimalsFor(height);
    this.contourStep = this.map.contour_step
      ?? (height && height.high > height.low ? niceBelow((height.high - height.low) / 8) : null);
  }

  /** Makes the controls for what there is to choose from. */
  build() {
    const radio = (group, value, text, checked, changed) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "radio", name: group, value, checked });
      input.addEventListener("change", changed);
      label.append(input, ` ${text}`);
      return label;
    };
    const has = {
      mean: true, std: true, error: this.surveys.some((s) => s.known), truth: this.surveys.some((s) => s.known),
    };
    this.find("layers").append(...Object.keys(LAYERS).filter((key) => has[key]).map((key) =>
      radio("layer", key, LAYERS[key].name, key === this.layer, () => {
        this.layer = key;
        this.show();
      })));
    const surveys = this.find("surveys");
    surveys.closest("fieldset").hidden = this.surveys.length < 2;
    surveys.append(...this.surveys.map((survey, i) => radio("survey", i, capital(survey.name), i === 0, () => {
      this.stop();
      const share = this.survey.steps > 1 ? this.step / (this.survey.steps - 1) : 1;
      this.current = i;
      this.step = Math.round(share * (this.survey.steps - 1));
      this.show();
    })));
    const there = {
      soundings: true, track: this.surveys.some((s) => s.track.length > 0), contours: this.contourStep !== null, fence: this.map.fence.length > 0,
      flagged: this.surveys.some((s) => s.flagged.length > 0),
    };
    for (const key of Object.keys(MARKS).filter((key) => there[key] || (this.map.live && key !== "flagged"))) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "checkbox", name: key, checked: this.marks[key] });
      input.addEventListener("change", () => {
        this.marks[key] = input.checked;
        this.chart.draw();
      });
      const words = document.createElement("span");
      words.dataset.part = `mark-${key}`;
      words.textContent = MARKS[key];
      label.append(input, " ", words);
      this.find("marks").append(label);
    }
    for (const [part, act] of Object.entries({
      in: () => this.chart.zoom(STEP), out: () => this.chart.zoom(1 / STEP), fit: () => this.chart.fit(),
      play: () => (this.playing ? this.stop() : this.play()), profile: () => this.toggleProfile(),
    })) this.find(part).addEventListener("click", act);
    this.find("chart").addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() === "p" && !event.ctrlKey && !event.metaKey) this.toggleProfile();
      if (event.key === "Escape" && this.profile) this.toggleProfile();
    });
    this.find("time").addEventListener("input", () => {
      this.stop();
      this.step = Number(this.find("time").value);
      this.show();
    });
    new ResizeObserver(() => this.profile && this.showProfile()).observe(this.find("profile-box"));
  }

  /** What the chart draws. */
  scene() {
    const { survey, marks, layer } = this;
    const { field, soundings, time_s, last } = this.now;
    const values = this.valuesOf(field);
    const thinned = survey.soundings_total > 0 ? survey.soundings.length / survey.soundings_total : 1;
    const count = last ? survey.soundings.length : Math.round(soundings * thinned);
    return {
      field,
      picture: field && values ? field.picture(layer, values, this.scales[layer]) : null,
      contours: marks.contours && field && this.contourStep ? field.contours(this.contourStep) : null,
      fence: marks.fence ? this.map.fence : null,
      track: marks.track ? survey.track.filter((point) => point[2] <= time_s) : null,
      soundings: marks.soundings ? survey.soundings.slice(0, count) : null,
      flagged: marks.flagged ? survey.flagged : null,
      profile: this.profile,
      boat: last ? survey.boat : null,
      goal: last ? survey.goal : null,
      path: last && marks.track ? survey.path : null,
    };
  }

  valuesOf(field) {
    if (!field) return null;
    const truth = field.truthFrom(this.survey.known);
    const error = () => {
      field.error ??= truth && field.mean.map((mean, i) => Math.abs(mean - truth[i]));
      return field.error;
    };
    return { mean: () => field.mean, std: () => field.std, truth: () => truth, error }[this.layer]();
  }

  /** Brings everything around the chart up to date. */
  show() {
    const { survey, layer, map } = this;
    const scale = this.scales[layer];
    const digits = Math.max(0, decimalsFor(scale.range) - 2);
    this.find("legend-name").textContent = {
      mean: map.quantity, truth: `${map.quantity}, as it is`,
      std: "Standard deviation of the surface", error: "Absolute error of the map",
    }[layer] + (map.unit ? ` (${map.unit})` : "");
    this.find("legend-bar").style.background = scale.gradient();
    const { low, high } = scale.range;
    this.find("legend-low").textContent = shown(low, digits);
    this.find("legend-middle").textContent = shown((low + high) / 2, digits);
    this.find("legend-high").textContent = shown(high, digits);
    const contours = this.find("mark-contours");
    if (contours && this.contourStep) {
      contours.textContent = `Contours every ${+this.contourStep.toPrecision(3)} ${map.unit}`.trim();
    }
    this.find("clock").hidden = survey.steps < 2;
    const slider = this.find("time");
    slider.max = Math.max(0, survey.steps - 1);
    slider.value = this.step;
    const { soundings, time_s, last } = this.now;
    const words = last ? `${survey.live ? "Now" : "The end"}: all ${survey.soundings_total} soundings`
      : `${soundings} soundings, ${clockText(time_s)} under way`;
    this.find("moment").textContent = words;
    slider.setAttribute("aria-valuetext", words);
    if (this.profile) this.showProfile();
    this.read(this.chart.cross, "time");
    this.chart.draw();
  }

  /** Tells what is known at the cross. */
  read(place, by) {
    const rows = place ? this.known(place) : [];
    this.find("hint").hidden = place !== null;
    this.find("reading").replaceChildren(...rows.map(([name, text]) => {
      const row = document.createElement("div");
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, value.textContent] = [name, text];
      value.dataset.value = name;
      row.append(term, value);
      return row;
    }));
    // Someone who listens wants it when a key was pressed, not with every twitch of a mouse.
    if (by === "keyboard" && place) {
      this.find("spoken").textContent = rows.map(([name, text]) => `${name} ${text}`).join("; ");
    }
  }

  known(place) {
    const { map, survey, decimals } = this;
    const { field } = this.now;
    const unit = map.unit ? ` ${map.unit}` : "";
    const rows = [];
    const cell = field ? field.cellAt(place.x, place.y) : -1;
    const mean = cell < 0 ? NaN : field.mean[cell];
    if (Number.isFinite(mean)) {
      const [std, half] = [field.std[cell], survey.half_width_95];
      rows.push([map.quantity, shown(mean, decimals) + unit]);
      rows.push(["95 % interval", `${shown(mean - half * std, decimals)} to ${shown(mean + half * std, decimals)}${unit}`]);
      rows.push(["Standard deviation", shown(std, decimals) + unit]);
      const truth = field.truthFrom(survey.known)?.[cell];
      if (Number.isFinite(truth)) {
        rows.push(["Truth", shown(truth, decimals) + unit]);
        rows.push(["Error", shown(mean - truth, decimals) + unit]);
      }
    } else {
      rows.push([map.quantity, field ? "not on the map" : "no map yet"]);
    }
    const span = Math.max(map.bounds[2] - map.bounds[0], map.bounds[3] - map.bounds[1]);
    const places = decimalsFor({ low: 0, high: span });
    rows.push(["East, north", `${shown(place.x, places)}, ${shown(place.y, places)} m`]);
    const degrees = degreesAt(map, place.x, place.y);
    if (degrees) rows.push(["Latitude, longitude", degreesText(degrees)]);
    const near = this.nearest(place);
    const when = near && survey.track.length ? `, ${clockText(near[3])} under way` : "";
    if (near) rows.push(["Sounding here", `${shown(near[2], decimals)}${unit}${when}`]);
    return rows;
  }

  nearest(place) {
    let [best, least] = [null, NEAR * this.chart.metresPerPixel];
    for (const sounding of this.survey.soundings) {
      const distance = Math.hypot(sounding[0] - place.x, sounding[1] - place.y);
      if (distance < least) [best, least] = [sounding, distance];
    }
    return best;
  }

  toggleProfile() {
    this.profile = this.profile ? null : [];
    this.find("profile").setAttribute("aria-pressed", String(this.profile !== null));
    this.showProfile();
    this.chart.draw();
  }

  /** A place was clicked, tapped, or chosen with Enter. */
  pick(place) {
    if (!this.profile) return;
    this.profile = this.profile.length < 2 ? [...this.profile, place] : [place];
    this.showProfile();
    this.chart.draw();
  }

  showProfile() {
    const [box, words] = [this.find("profile-box"), this.find("profile-words")];
    box.hidden = words.hidden = this.profile === null;
    if (!this.profile) return;
    const { field } = this.now;
    if (this.profile.length < 2 || !field) {
      box.replaceChildren();
      words.textContent = !field ? "There is no map yet." : this.profile.length === 0
        ? "Choose where the profile begins (A): click, tap, or press Enter at the cross." : "Now choose where it ends (B).";
      return;
    }
    const truth = field.truthFrom(this.survey.known);
    const points = profileOf(field, truth, this.survey.half_width_95, this.profile);
    words.textContent = drawProfile(box, points, this.map);
  }

  play() {
    if (this.step >= this.survey.steps - 1) this.step = 0;
    this.playing = setInterval(() => {
      this.step += 1;
      this.show();
      if (this.step >= this.survey.steps - 1) this.stop();
    }, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 220);
    this.find("play").textContent = "Pause";
    this.show();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.find("play").textContent = "Play";
  }
}

function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
