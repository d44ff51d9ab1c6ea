// A real browser for tests: Debian's Chromium without a window, with software drawing.
import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
/** Where screenshots are kept. */
export const OUT = process.env.WAYFARE_SHOTS ?? new URL("out/", import.meta.url).pathname;

export async function openBrowser(more = []) {
  mkdirSync(OUT, { recursive: true });
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...ARGUMENTS, ...more] });
}

/** A page that keeps what it complains of in `complaints`. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    // The driver's own remarks about software drawing are none of ours.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  return { page, complaints, context };
}

/** The state of the page, as it tells it; nothing before it begins. */
export const state = (page) =>
  page.evaluate(() => window.wayfare && { ...window.wayfare.state, shares: undefined, hidden: [...window.wayfare.state.hidden] });

/** Waits until the page's state satisfies a condition. */
export async function until(page, condition, timeout = 20_000) {
  for (const end = Date.now() + timeout; ; ) {
    const now = await state(page);
    if (now && condition(now)) return now;
    if (Date.now() > end) throw new Error(`waited in vain for ${condition}; the page is at ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Waits until the picture shows everything as it is. */
export const drawn = (page, timeout = 60_000) => until(page, (state) => state.isDrawn, timeout);

/** Waits until the camera has come to rest: on a busy machine it glides on for longer than any fixed time. */
export async function still(page) {
  for (let before; ; ) {
    const { pose } = await drawn(page);
    if (before?.every((x, k) => x === pose[k])) return;
    before = pose;
    await page.waitForTimeout(150);
  }
}

/** Waits until everything is built. */
export const ready = (page, timeout = 30_000) => until(page, (state) => state.isReady, timeout);

/** The middle of a pin. */
export async function pinAt(page, end) {
  const box = await page.locator(`.pin.${end}`).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + 16, tip: { x: box.x + 16, y: box.y + 41 } };
}

/** Drags a pin so that its tip comes to a place of the world. */
export async function dragPin(page, end, place, steps = 6) {
  await still(page);
  const { x, y, tip } = await pinAt(page, end);
  const target = await page.evaluate((point) => window.wayfare.page.project(point), place);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const [toX, toY] = [x + target.x - tip.x, y + target.y - tip.y];
  await page.mouse.move(toX, toY, { steps });
  // On a busy machine the browser has put the last of these together with those before it: a hand that stops says where.
  await drawn(page);
  await page.mouse.move(toX + 1, toY);
  await page.mouse.move(toX, toY);
  await page.mouse.up();
}

/** The page as one file, as the export writes it. */
export function exported(show) {
  const read = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8");
  return read("index.html")
    .replace('<link rel="stylesheet" href="page.css">', () => `<style>${read("page.css")}</style>`)
    .replace(
      '<script src="page.js"></script>',
      () =>
        `<script type="application/octet-stream;base64" id="show">${show.toString("base64")}</script>\n<script>${read("page.js").replaceAll("</script", "<\\/script")}</script>`,
    );
}
