// A mission while it runs: events from the server that the page came from (Server-Sent Events).

/** The slider keeps this many maps; then every other one goes. */
const MOST_FRAMES = 96;

class LiveView {
  constructor(explorer) {
    this.explorer = explorer;
    this.find = explorer.find;
    this.over = false;
    this.find("live").hidden = false;
    explorer.marks.soundings = true;
    explorer.root.querySelector('input[name="soundings"]').checked = true;
    if (explorer.map.control) this.buildControl();
    this.begin();
    this.listen();
    setInterval(() => this.age(), 1000);
  }

  /** Forgets everything: another mission, or the same one from its beginning. */
  begin() {
    const { explorer } = this;
    explorer.setSurveys([{
      name: "live", live: true, grid: null, truth: null, half_width_95: 1.959963984540054,
      soundings: [], soundings_total: 0, flagged: [], track: [], frames: [],
    }]);
    this.lines = [];
    this.find("live-lines").replaceChildren();
    explorer.show();
  }

  listen() {
    const source = new EventSource(`events${location.search}`);
    const on = (name, act) => source.addEventListener(name, (event) => {
      this.heard = Date.now();
      act(JSON.parse(event.data));
    });
    source.onopen = () => {
      this.heard = Date.now();
      this.connected = true;
      this.age();
    };
    source.onerror = () => {
      this.connected = false;
      this.age();
      // A browser tries again by itself unless it was refused; a server that comes back may have refused for a moment.
      if (source.readyState === EventSource.CLOSED && !this.over) setTimeout(() => this.listen(), 2000);
      if (this.over) source.close();
    };
    on("hello", () => {
      this.over = false;
      this.begin();
    });
    const append = (list, { from, points }) => list.splice(from, list.length - from, ...points);
    on("track", (news) => {
      append(this.explorer.survey.track, news);
      this.explorer.chart.draw();
    });
    on("soundings", (news) => {
      const { survey } = this.explorer;
      append(survey.soundings, news);
      survey.soundings_total = survey.soundings.length;
      this.explorer.show();
    });
    on("map", (frame) => this.map(frame));
    on("status", (status) => this.status(status));
    on("messages", (news) => this.messages(news));
    on("ended", ({ ending }) => {
      this.over = true;
      this.find("live-doing").textContent = `It is over: ${ending}.`;
      source.close();
      this.age();
    });
  }

  /** Takes a new map; who looks at the newest goes on to it, who looks at an older one is left there. */
  map(frame) {
    const { explorer } = this;
    const { survey } = explorer;
    const newest = explorer.step >= survey.steps - 1;
    survey.packed.push(frame);
    if (survey.packed.length > MOST_FRAMES) {
      survey.packed = survey.packed.filter((_, i) => i % 2 === 1);
      survey.frames.clear();
      explorer.step = Math.floor(explorer.step / 2);
    }
    if (newest) explorer.step = survey.packed.length - 1;
    explorer.makeScales();
    for (const field of survey.frames.values()) field.pictures.clear();
    explorer.show();
  }

  status(status) {
    const { survey } = this.explorer;
    const { budget, link } = status;
    survey.boat = status.x === null ? null : { x: status.x, y: status.y, heading_rad: status.heading_rad };
    const goal = this.over ? undefined : status.path.at(-1);
    survey.goal = goal ? { x: goal[0], y: goal[1] } : null;
    survey.path = goal && survey.boat ? [[survey.boat.x, survey.boat.y], ...status.path] : null;
    if (!this.over) this.find("live-doing").textContent = capital(status.doing);
    this.paused = status.paused;
    this.find("live-pause").textContent = this.paused ? "Continue" : "Pause";
    const { map, decimals } = this.explorer;
    const rows = [
      ["Time", this.spent(clockText(status.time_s), budget.time_s && clockText(budget.time_s), status.time_s / budget.time_s)],
      ["Way", this.spent(lengthText(status.distance_m), budget.distance_m && lengthText(budget.distance_m),
        status.distance_m / budget.distance_m)],
      ["Soundings", this.spent(status.soundings, budget.soundings, status.soundings / budget.soundings)],
      ["Last reading", status.value === null ? null : `${shown(status.value, Math.max(2, decimals))} ${map.unit}`],
      ["Error of the map", status.rmse === null ? null : `${shown(status.rmse, Math.max(2, decimals))} ${map.unit}`],
      ["Link", link ? (link.age_s === null ? "never heard" : `heard ${shown(link.age_s, 1)} s ago`) : null],
      ["Sonar", link ? (link.sonar_age_s === null ? "never heard" : `heard ${shown(link.sonar_age_s, 1)} s ago`) : null],
      ["Battery", link && link.battery_percent !== null ? `${link.battery_percent} %` : null],
      ["Trouble", link?.trouble ?? null],
    ];
    this.find("live-numbers").replaceChildren(...rows.filter(([, text]) => text !== null).map(([name, text]) => {
      const row = document.createElement("div");
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      value.dataset.live = name;
      value.append(...(text instanceof Array ? text : [text]));
      row.append(term, value);
      return row;
    }));
    this.explorer.chart.draw();
  }

  /** What was spent, with a bar where there is a limit. */
  spent(amount, limit, share) {
    if (!limit) return String(amount);
    const bar = document.createElement("progress");
    bar.value = Math.min(1, share);
    bar.setAttribute("aria-label", "share of the budget");
    return [`${amount} of ${limit} `, bar];
  }

  messages({ lines }) {
    const list = this.find("live-lines");
    for (const [time, text] of lines) {
      const item = document.createElement("li");
      item.textContent = `${clockText(time)} ${text}`;
      list.prepend(item);
    }
    while (list.children.length > 100) list.lastChild.remove();
  }

  /** Says whether what is shown is fresh. */
  age() {
    const state = this.find("live-state");
    const words = this.over ? "ended" : this.connected ? "live" : "no connection; trying again";
    if (state.textContent !== words) state.textContent = words;
    state.dataset.state = this.over ? "over" : this.connected ? "live" : "away";
  }

  buildControl() {
    const box = this.find("live-control");
    box.hidden = false;
    const words = this.find("live-control-words");
    const token = new URLSearchParams(location.search).get("token") ?? "";
    const post = async (body) => {
      const reply = await fetch("command", {
        method: "POST", headers: { "content-type": "application/json", "x-transect-token": token }, body: JSON.stringify(body),
      });
      if (!reply.ok) return { refused: await reply.text() };
      return reply.json();
    };
    const questions = {
      pause: "Let the boat wait where it is? Its time goes on.", continue: "Let the boat go on with the survey?",
      home: "Call the boat home? The survey ends.", stop: "Stop the boat where it is and disarm it?",
    };
    for (const button of ["pause", "home", "stop"]) {
      this.find(`live-${button}`).addEventListener("click", async () => {
        const command = button === "pause" && this.paused ? "continue" : button;
        if (!window.confirm(questions[command])) return;
        try {
          const first = await post({ command });
          const reply = first.confirm ? await post({ command, confirm: first.confirm }) : first;
          words.textContent = reply.done ?? `Not done: ${reply.refused}`;
        } catch (error) {
          words.textContent = `Not done: no connection (${error.message}).`;
        }
      });
    }
  }
}
