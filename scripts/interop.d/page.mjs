// The pages of missions in a real browser. Usage: node page.mjs CHECK PAGE [MORE]; NODE_PATH has playwright-core and axe-core.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const require = createRequire(`${process.env.TOOLS}/`);
const { chromium } = require("playwright-core");
const [check, target, ...more] = process.argv.slice(2);
const address = /^https?:/.test(target) ? target : `file://${target}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Opens the page. Whatever it complains about, or asks of anybody but its own server, fails the check. */
async function open({ width = 1280, height = 900, dark = false, touch = false, url = address } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", hasTouch: touch, bypassCSP: check === "axe",
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(`the page's script: ${error.message}`));
  page.on("request", (request) => {
    const own = url.startsWith("http") ? new URL(url).origin : url.replace(/#.*/, "");
    assert.ok(request.url().startsWith(own) || request.url().startsWith("data:"), `it asked for ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return page;
}

const number = (text) => Number(text.replace("−", "-").match(/-?[\d.]+/)[0]);
const reading = (page, name) => page.textContent(`[data-value="${name}"]`);
const canvasBox = async (page) => (await page.$('[data-part="chart"]')).boundingBox();
/** Colours of a small square of the map. */
const colorsAt = (page, x, y) => page.evaluate(([x, y]) => {
  const canvas = document.querySelector('[data-part="chart"]');
  const s = canvas.width / canvas.clientWidth;
  return Array.from(canvas.getContext("2d").getImageData(x * s - 5, y * s - 5, 10, 10).data).join();
}, [x, y]);
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const checks = {
  /** What the page says of a place is what GDAL reads there from the map beside it, in metres and in degrees. */
  async hover() {
    const [tif, quantity, geographic] = more;
    const page = await open();
    const box = await canvasBox(page);
    let [found, outside] = [0, 0];
    for (let i = 0; i < 40; i++) {
      await page.mouse.move(box.x + box.width * (0.27 + 0.46 * ((i * 0.618) % 1)), box.y + box.height * (0.1 + 0.8 * ((i * 0.382) % 1)));
      const [east, north] = (await reading(page, "East, north")).replace(/−/g, "-").match(/-?[\d.]+/g).map(Number);
      const shown = await reading(page, quantity);
      const gdal = (band, ...where) => Number(execFileSync("gdallocationinfo",
        ["-valonly", "-b", String(band), ...where.slice(0, 1), tif, ...where.slice(1).map(String)]).toString());
      const [mean, std] = [gdal(1, "-geoloc", east, north), gdal(2, "-geoloc", east, north)];
      if (shown === "not on the map") {
        assert.ok(Number.isNaN(mean), `GDAL has ${mean} at ${east} ${north}, the page nothing`);
        outside += 1;
        continue;
      }
      const decimals = (shown.match(/\.(\d+)/)?.[1] ?? "").length;
      const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 0.51 * 10 ** -decimals + 1e-6 * Math.abs(b), `${what}: page ${a}, GDAL ${b}`);
      // Coordinates are shown to the centimetre: at the edge of a cell GDAL may be asked for the next one.
      const edge = [[-0.02, 0], [0.02, 0], [0, -0.02], [0, 0.02]].some(([x, y]) => gdal(1, "-geoloc", east + x, north + y) !== mean);
      if (edge) continue;
      near(number(shown), mean, "mean");
      near(number(await reading(page, "Standard deviation")), std, "standard deviation");
      const [low, high] = (await reading(page, "95 % interval")).replace(/−/g, "-").match(/-?[\d.]+/g).map(Number);
      assert.ok(low < mean && mean < high && (high - low) / std > 3.5 && (high - low) / std < 5, `${low} to ${high}`);
      if (geographic) {
        const text = await reading(page, "Latitude, longitude");
        const [, lat, ns, lon, ew] = text.match(/([\d.]+)° ([NS]), ([\d.]+)° ([EW])/);
        const [x, y] = execFileSync("gdaltransform", ["-s_srs", "EPSG:4326", "-t_srs", geographic, "-output_xy"],
          { input: `${lon * (ew === "W" ? -1 : 1)} ${lat * (ns === "S" ? -1 : 1)}\n` }).toString().trim().split(" ").map(Number);
        assert.ok(Math.hypot(x - east, y - north) < 0.02, `${text} is ${x} ${y} for GDAL, ${east} ${north} on the page`);
      }
      found += 1;
    }
    assert.ok(found >= 20, `only ${found} places on the map`);
    console.log(`${found} places agree, ${outside} are outside of the map for both`);
  },

  /** Wheel, buttons, pinch, drag. */
  async zoom() {
    const page = await open({ touch: true });
    const box = await canvasBox(page);
    const scale = () => page.evaluate(() => explorer.chart.metresPerPixel);
    const at = () => reading(page, "East, north");
    const [x, y] = [box.x + 0.4 * box.width, box.y + 0.4 * box.height];
    await page.mouse.move(x, y);
    const [before, place] = [await scale(), await at()];
    await page.mouse.wheel(0, -240);
    await settle(page);
    assert.ok(await scale() < before, "the wheel zooms in");
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    const metres = (text) => text.replace(/−/g, "-").match(/-?[\d.]+/g).map(Number);
    const apart = (a, b) => Math.hypot(metres(a)[0] - metres(b)[0], metres(a)[1] - metres(b)[1]);
    assert.ok(apart(await at(), place) < before, "the place under the pointer stays there");
    await page.click('[data-part="fit"]');
    assert.equal(await scale(), before, "everything is shown again");
    await page.click('[data-part="in"]');
    assert.ok(await scale() < before, "the button zooms in");
    await page.click('[data-part="fit"]');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 30, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(x + 60, y + 30);
    await page.mouse.move(x + 60.4, y + 30);
    await page.mouse.move(x + 60, y + 30);
    assert.ok(apart(await at(), place) < 2 * before, `a drag takes the map along: ${place} is now ${await at()}`);
    await page.click('[data-part="fit"]');
    const session = await page.context().newCDPSession(page);
    const touch = (type, spread) => session.send("Input.dispatchTouchEvent", {
      type, touchPoints: type === "touchEnd" ? [] : [{ x: x - spread, y, id: 1 }, { x: x + spread, y, id: 2 }],
    });
    await touch("touchStart", 20);
    for (const spread of [30, 45, 60]) await touch("touchMove", spread);
    await touch("touchEnd", 60);
    await settle(page);
    const pinched = before / await scale();
    assert.ok(pinched > 2.4 && pinched < 3.6, `fingers three times as far apart zoom three times, not ${pinched}`);
  },

  /** Every layer and mark changes what is drawn, and back. */
  async layers() {
    const page = await open();
    const box = await canvasBox(page);
    const picture = async () => {
      await settle(page);
      return colorsAt(page, box.width * 0.45, box.height * 0.45);
    };
    for (const name of ["track", "fence"]) await page.uncheck(`input[name="${name}"]`);
    const seen = new Map();
    const layers = await page.$$eval('input[name="layer"]', (all) => all.map((one) => one.value));
    for (const layer of layers) {
      await page.check(`input[name="layer"][value="${layer}"]`);
      seen.set(await picture(), layer);
    }
    assert.equal(seen.size, layers.length, "each layer looks different");
    assert.deepEqual(layers, more[0].split(","));
    await page.check('input[name="layer"][value="mean"]');
    const whole = () => page.evaluate(() => document.querySelector('[data-part="chart"]').toDataURL());
    await settle(page);
    const plain = await whole();
    for (const name of more[1].split(",")) {
      await page.check(`input[name="${name}"]`);
      await settle(page);
      assert.notEqual(await whole(), plain, `${name} is drawn`);
      await page.uncheck(`input[name="${name}"]`);
      await settle(page);
      assert.equal(await whole(), plain, `${name} is gone again`);
    }
  },

  /** A profile between two clicks: as long as they are apart, and its words are those of the map. */
  async profile() {
    const page = await open();
    const box = await canvasBox(page);
    await page.click('[data-part="profile"]');
    assert.equal(await page.getAttribute('[data-part="profile"]', "aria-pressed"), "true");
    const ends = [[0.4, 0.3], [0.6, 0.7]];
    const places = [];
    for (const [u, v] of ends) {
      await page.mouse.click(box.x + u * box.width, box.y + v * box.height);
      places.push((await reading(page, "East, north")).replace(/−/g, "-").match(/-?[\d.]+/g).map(Number));
    }
    const words = await page.textContent('[data-part="profile-words"]');
    const [, length, unit] = words.match(/([\d.]+) (m|km|cm) from A to B/);
    const metres = Number(length) * { m: 1, km: 1000, cm: 0.01 }[unit];
    const expected = Math.hypot(places[1][0] - places[0][0], places[1][1] - places[0][1]);
    assert.ok(Math.abs(metres - expected) < 0.01 * expected, `${metres} m said, ${expected} m measured`);
    assert.ok(await page.$(".profile-chart .band") && await page.$(".profile-chart .mean"));
    const [low, high] = words.match(/between (−?[\d.]+) and (−?[\d.]+)/).slice(1).map(number);
    for (let i = 0; i <= 10; i++) {
      const [u, v] = [0, 1].map((j) => ends[0][j] + (i / 10) * (ends[1][j] - ends[0][j]));
      await page.mouse.move(box.x + u * box.width, box.y + v * box.height);
      const text = await page.textContent("[data-part=reading] dd");
      if (text === "not on the map") continue;
      const value = number(text);
      const slack = 0.02 * (high - low);
      assert.ok(value >= low - slack && value <= high + slack, `${value} is on the way, not between ${low} and ${high}`);
    }
    await page.click('[data-part="profile"]');
    assert.ok(await page.isHidden('[data-part="profile-box"]'));
  },

  /** The slider goes back to what was known: fewer soundings, wider uncertainty, and ends at the end. */
  async slider() {
    const page = await open();
    const box = await canvasBox(page);
    const slider = page.locator('[data-part="time"]');
    const steps = Number(await slider.getAttribute("max"));
    assert.ok(steps >= 5 && steps <= 48, `${steps} steps`);
    await page.check('input[name="layer"][value="std"]');
    const meanStd = async () => {
      let [sum, count] = [0, 0];
      for (let i = 0; i < 30; i++) {
        await page.mouse.move(box.x + box.width * (0.3 + 0.4 * ((i * 0.618) % 1)), box.y + box.height * (0.15 + 0.7 * ((i * 0.382) % 1)));
        const std = await page.$('[data-value="Standard deviation"]');
        if (std) [sum, count] = [sum + number(await std.textContent()), count + 1];
      }
      return sum / count;
    };
    const moment = () => page.textContent('[data-part="moment"]');
    const end = [await meanStd(), number((await moment()).replace(/.*all/, ""))];
    await slider.focus();
    await page.keyboard.press("Home");
    const begin = [await meanStd(), number(await moment())];
    assert.ok(begin[0] > end[0], `uncertainty goes from ${begin[0]} to ${end[0]}`);
    assert.ok(begin[1] < end[1], `soundings go from ${begin[1]} to ${end[1]}`);
    await page.keyboard.press("ArrowRight");
    assert.ok(number(await moment()) > begin[1]);
    await page.click('[data-part="play"]');
    await page.waitForFunction(() => document.querySelector('[data-part="moment"]').textContent.startsWith("The end"), { timeout: 30000 });
    assert.equal(await page.textContent('[data-part="play"]'), "Play");
  },

  /** Everything without a mouse, and told to those who listen. */
  async keyboard() {
    const page = await open();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.part), "chart", "the map comes first");
    await page.keyboard.press("ArrowRight");
    const first = await page.textContent('[data-part="spoken"]');
    assert.match(first, /95 % interval .* to /);
    await page.keyboard.press("ArrowUp");
    assert.notEqual(await page.textContent('[data-part="spoken"]'), first);
    const scale = () => page.evaluate(() => explorer.chart.metresPerPixel);
    const before = await scale();
    await page.keyboard.press("+");
    assert.ok(await scale() < before);
    await page.keyboard.press("0");
    assert.equal(await scale(), before);
    await page.keyboard.press("p");
    await page.keyboard.press("Enter");
    for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    assert.match(await page.textContent('[data-part="profile-words"]'), /from A to B/);
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.dataset.part ?? document.activeElement.name ?? document.activeElement.tagName));
    }
    for (const part of ["in", "out", "fit", "time", "layer", "soundings", "profile"]) assert.ok(reached.has(part), `${part} is reached`);
  },

  /** Nothing reaches beyond the screen, and no control lies on another. */
  async layout() {
    for (const [width, height] of [[400, 860], [1280, 800], [2560, 1440]]) {
      for (const dark of [false, true]) {
        const page = await open({ width, height, dark, touch: width === 400 });
        const wrong = await page.evaluate(() => {
          const wrong = [];
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth > width) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
          const scrolls = (one) => { for (let e = one; e; e = e.parentElement) if (["auto", "scroll"].includes(getComputedStyle(e).overflowX)) return true; return false; };
          const seen = [...document.querySelectorAll("body *")].filter((one) => one.getClientRects().length && !one.closest(".spoken") && !one.closest("svg") && !scrolls(one));
          for (const one of seen) {
            const { left, right } = one.getBoundingClientRect();
            if (left < -0.5 || right > width + 0.5) wrong.push(`${one.tagName}.${one.className} reaches from ${left} to ${right}`);
          }
          const controls = [...document.querySelectorAll(".explorer button, .explorer label, .explorer input[type=range], .reading, .legend, .moment, .live, h1, h2:not(.spoken), table")]
            .filter((one) => one.getClientRects().length);
          controls.forEach((a, i) => controls.slice(i + 1).forEach((b) => {
            if (a.contains(b) || b.contains(a)) return;
            const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
            const overlap = Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1;
            if (overlap) wrong.push(`${a.textContent.trim().slice(0, 30)} lies on ${b.textContent.trim().slice(0, 30)}`);
          }));
          return wrong;
        });
        assert.deepEqual(wrong, [], `at ${width} px${dark ? ", dark" : ""}`);
        if (process.env.SHOTS) {
          const name = target.replace(/[^a-z]+/gi, "-").slice(-24);
          await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}${dark ? "-dark" : ""}.png`, fullPage: true });
        }
        await page.context().close();
      }
    }
  },

  /**
   * It answers a pointer within 100 ms on a machine six times as slow as this one. Counted is the processor's time, so that
   * whatever else runs here does not matter.
   */
  async speed() {
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
    await page.evaluate(() => {
      for (const input of document.querySelectorAll('[data-part="marks"] input')) if (!input.checked) input.click();
    });
    await settle(page);
    const before = await spent();
    await page.evaluate(async () => {
      const canvas = document.querySelector('[data-part="chart"]');
      const box = canvas.getBoundingClientRect();
      for (let i = 0; i < 30; i++) {
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width * (0.3 + 0.01 * i), clientY: box.top + box.height / 2 }));
        await new Promise((done) => requestAnimationFrame(done));
      }
    });
    const each = 1000 * (await spent() - before) / 30;
    console.log(`an answer takes ${each.toFixed(1)} ms here, ${(6 * each).toFixed(0)} ms on a machine six times as slow`);
    assert.ok(each > 0.05 && 6 * each < 100);
  },

  async axe() {
    for (const dark of [false, true]) {
      for (const width of [400, 1280]) {
        const page = await open({ width, dark });
        await page.click('[data-part="profile"]');
        await page.evaluate(require("node:fs").readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
        const { violations } = await page.evaluate(() => axe.run());
        for (const v of violations) console.log(v.impact, v.id, v.help, v.nodes.slice(0, 3).map((n) => n.target.join(" ")));
        assert.deepEqual(violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id), []);
      }
    }
  },

  /** Paper shows the map, without what cannot be pressed there. */
  async print() {
    const page = await open();
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.isVisible('[data-part="chart"]') && await page.isVisible(".legend"));
    for (const part of ["in", "play", "layers"]) assert.ok(await page.isHidden(`[data-part="${part}"]`), part);
    const pdf = await page.pdf();
    assert.ok(pdf.length > 20000);
  },

  /** A page with nothing, or hardly anything, on it works all the same. */
  async empty() {
    const page = await open();
    const box = await canvasBox(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await page.textContent('[data-part="reading"]'), /no map yet/);
    for (const name of ["soundings", "track"]) await page.check(`input[name="${name}"]`);
    await page.click('[data-part="in"]');
    await page.click('[data-part="profile"]');
    await settle(page);
    assert.match(await page.textContent("header"), new RegExp(more[0]));
  },

  /** The picture of README and book: `node page.mjs picture demo/report.html docs/book/src/page.png`. */
  async picture() {
    const page = await open({ width: 1240, height: 800 });
    const box = await canvasBox(page);
    await page.check('input[name="soundings"]');
    await page.click('[data-part="profile"]');
    for (const [u, v] of [[0.3, 0.75], [0.72, 0.3]]) await page.mouse.click(box.x + u * box.width, box.y + v * box.height);
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await settle(page);
    await page.screenshot({ path: more[0], fullPage: true, clip: { x: 0, y: 0, width: 1240, height: 1040 } });
  },

  // --- While a mission runs --------------------------------------------------------------------------------------

  /** Soundings and maps arrive, the boat moves, and what is shown is not older than 2 s. */
  async live() {
    const page = await open();
    const count = () => page.evaluate(() => explorer.survey.soundings.length);
    await page.waitForFunction(() => explorer.survey.soundings.length > 5 && explorer.survey.boat, { timeout: 20000 });
    const before = await count();
    await page.waitForTimeout(2000);
    assert.ok(await count() > before, "more within 2 s");
    assert.equal(await page.textContent('[data-part="live-state"]'), "live");
    assert.match(await page.textContent('[data-part="live"]'), /Soundings/);
    // A boat under way at the pace of the clock has no model for the first minutes.
    if (more[0] === "without-map") return;
    await page.waitForFunction(() => explorer.survey.packed.length > 0, { timeout: 90000 });
    const box = await canvasBox(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await page.textContent('[data-part="reading"]'), /95 % interval/);
  },

  /** Lets the boat wait and go on, and calls it home: refused without the token, asked for twice with it. */
  async control() {
    const page = await open();
    const post = (headers, body) => page.evaluate(async ([headers, body]) => {
      const reply = await fetch("command", { method: "POST", headers, body: JSON.stringify(body) });
      return [reply.status, await reply.text()];
    }, [headers, body]);
    const json = { "content-type": "application/json" };
    const token = new URL(target).searchParams.get("token");
    assert.match(token, /^[0-9a-f]{32}$/, "commands need a token on this machine, too");
    assert.equal((await post(json, { command: "home" }))[0], 403);
    assert.equal((await post({ ...json, "x-transect-token": "0".repeat(32) }, { command: "home" }))[0], 403);
    const mine = { ...json, "x-transect-token": token };
    assert.match((await post(mine, { command: "home", confirm: "0" }))[1], /refused/);
    assert.match((await post(mine, { command: "sink" }))[1], /refused/);
    // Elsewhere, a page may send nothing of the kind.
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto("data:text/html,stranger");
    const outcome = await stranger.evaluate(async ([url, headers]) => {
      try { return (await fetch(url, { method: "POST", headers, body: '{"command":"home"}' })).status; } catch { return "blocked"; }
    }, [new URL("/command", target).href, mine]);
    assert.equal(outcome, "blocked");
    const questions = [];
    let yes = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return yes ? dialog.accept() : dialog.dismiss();
    });
    const says = (part, words) => page.waitForFunction(([part, words]) =>
      document.querySelector(`[data-part="${part}"]`).textContent.includes(words), [part, words]);
    const count = () => page.evaluate(() => explorer.survey.soundings.length);
    await page.click('[data-part="live-home"]');
    assert.equal(await page.textContent('[data-part="live-control-words"]'), "", "whoever says no is heard");
    yes = true;
    await page.click('[data-part="live-pause"]');
    await says("live-control-words", "wait where it is");
    await says("live-pause", "Continue");
    await says("live-doing", "Paused");
    await page.waitForTimeout(1500);
    const before = await count();
    await page.waitForTimeout(2000);
    assert.equal(await count(), before, "a boat that waits takes no soundings");
    await page.click('[data-part="live-pause"]');
    await says("live-control-words", "go on");
    await page.waitForFunction((before) => explorer.survey.soundings.length > before + 5, before);
    await page.click('[data-part="live-home"]');
    await says("live-control-words", "called home");
    assert.equal(new Set(questions).size, 3, `each command has its own question: ${questions}`);
  },

  /** After its server was away, the page goes on by itself. `more`: a command that starts the server, run twice. */
  async reconnect() {
    const { spawn } = await import("node:child_process");
    const start = () => new Promise((done) => {
      const server = spawn(more[0], more.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
      server.stdout.once("data", () => done(server));
    });
    let server = await start();
    const page = await open();
    await page.waitForFunction(() => explorer.survey.soundings.length > 5);
    server.kill("SIGKILL");
    await page.waitForFunction(() => document.querySelector('[data-part="live-state"]').textContent.startsWith("no connection"), { timeout: 15000 });
    server = await start();
    await page.waitForFunction(() => document.querySelector('[data-part="live-state"]').textContent !== "no connection; trying again", { timeout: 15000 });
    await page.waitForFunction(() => explorer.survey.soundings.length > 5);
    server.kill("SIGKILL");
  },
};

try {
  await checks[check]();
} finally {
  await browser.close();
}
