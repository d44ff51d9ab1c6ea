// `cargo xtask bench viewer`: how fast the viewer is, with the real command behind it; prints Markdown.
import { existsSync } from "node:fs";
import { openBrowser, openPage, state, until } from "./browser.mjs";
import { startViewer } from "./live.mjs";

const DATA = new URL("../../../shared/data/scenes/", import.meta.url).pathname;
const WORLDS = [
  { name: "building-3, generated", options: ["generated:building-3", "--reach-from=-2,8,0"] },
  {
    name: "openarena_czest2ctf",
    file: `${DATA}openarena_czest2ctf.obj.gz`,
    options: ["--up=z", "--scale=0.0254", "--height=1.4224", "--step=0.4572"],
  },
  { name: "space_ship_hallway", file: `${DATA}space_ship_hallway.glb.gz`, options: [] },
  { name: "terrain of a million triangles, generated", options: ["generated:terrain-708", "--resolution=1"] },
];

/** The middle one. */
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

async function measure({ name, file, options }) {
  const viewer = await startViewer(...(file ? [file] : []), ...options);
  const browser = await openBrowser();
  try {
    const begin = performance.now();
    const { page, complaints } = await openPage(browser, viewer.url);
    await until(page, (now) => now.isReady, 120_000);
    const first = performance.now() - begin;
    await until(page, (now) => now.answer, 60_000);
    // The browser draws its first pictures on the thread that would hand over the answers.
    await page.waitForTimeout(1000);
    // Questions of a drag over the whole map, one after the other, as the page asks them.
    const { from, to } = await state(page);
    const drags = await page.evaluate(
      async ({ from, to }) => {
        const { show, ground } = window.wayfare.page;
        const component = show.numbers("cell.component");
        const sizes = new Map();
        for (const piece of component) sizes.set(piece, (sizes.get(piece) ?? 0) + 1);
        const largest = [...sizes].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
        const cells = [...component.keys()].filter((cell) => component[cell] === largest);
        const goal = (k) => {
          const middle = ground.middle(cells[Math.floor((k * cells.length) / 100)]);
          return cells.length < 100 ? [to[0] + k * 0.01, to[1], to[2]] : show.world(ground.under(middle, null)?.point ?? middle);
        };
        const socket = new WebSocket(`ws://${location.host}/socket`);
        await new Promise((resolve) => (socket.onopen = resolve));
        const times = [];
        for (let k = 0; k < 100; k++) {
          const begin = performance.now();
          const answered = new Promise((resolve) => (socket.onmessage = resolve));
          socket.send(JSON.stringify({ id: k, ask: "path", from, to: goal(k), radius: 0.3, snap: 0.5 }));
          await answered;
          times.push(performance.now() - begin);
        }
        socket.close();
        return times;
      },
      { from, to },
    );
    await page.mouse.move(700, 400);
    await page.mouse.down();
    await page.mouse.move(800, 450, { steps: 10 });
    await page.mouse.up();
    await page.waitForTimeout(1000);
    const { triangles, cells, frames, worst } = await page.evaluate(() => {
      const { frames, steps } = window.wayfare;
      const { show } = window.wayfare.page;
      return {
        triangles: (show.arrays.get("scene.triangles")?.length ?? 0) / 3,
        cells: show.arrays.get("cell.storey").length,
        frames: frames.worst,
        worst: Object.entries(steps ?? {}).reduce((most, step) => (step[1] > most[1] ? step : most), ["", 0]),
      };
    });
    if (complaints.length > 0) throw new Error(complaints.join("; "));
    const milliseconds = (time) => time.toFixed(time < 10 ? 1 : 0);
    return `| ${name} | ${triangles} | ${cells} | ${(first / 1000).toFixed(2)} | ${milliseconds(median(drags))} | ${milliseconds(Math.max(...drags))} | ${drags.filter((time) => time > 20).length} | ${milliseconds(frames)} | ${milliseconds(worst[1])} (${worst[0]}) |`;
  } finally {
    await browser.close();
    await viewer.stop();
  }
}

const rows = [];
for (const world of WORLDS) {
  if (world.file && !existsSync(world.file)) rows.push(`| ${world.name} | not there | | | | | | | |`);
  else rows.push(await measure(world));
}
console.log(`# The viewer

In headless Chromium that draws in software, so that frames of the browser itself say little; our own script is measured. *first
picture*: from opening the address, after the bake, to the first picture with everything in it. *drag*: from a question for a path of a
body of 0.3 m on the page to its answer there, to a hundred goals all over the largest piece of ground. *frame*, *step*: the longest
that our script kept the browser busy in one frame, and in one step of loading.

| scene | triangles | cells | first picture [s] | drag, median [ms] | drag, longest [ms] | of 100 over 20 ms | longest frame [ms] | longest step [ms] |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}`);
