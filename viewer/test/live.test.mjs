// The page in a real browser, with the real command behind it: what a user does in the first five minutes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { dragPin, openBrowser, openPage, OUT, ready, state, still, until } from "./browser.mjs";
import { demoFolder, run, startViewer, WAYFARE } from "./live.mjs";

const skip = WAYFARE ? false : "the command is not named in WAYFARE; `cargo xtask test` does";
let browser;
let demo;
before(async () => {
  if (skip) return;
  browser = await openBrowser();
  demo = demoFolder();
});
after(async () => {
  await browser?.close();
  demo?.remove();
});

/** Opens what `wayfare view` shows, and looks at the end that nothing was complained of and that Ctrl-C ends it. */
async function onViewer(options, work) {
  const viewer = await startViewer(...options);
  const { page, complaints, context } = await openPage(browser, viewer.url);
  try {
    await ready(page);
    await work(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    assert.equal(await viewer.stop(), 0);
  }
}

const shot = (page, name) => page.screenshot({ path: `${OUT}/live-${name}.png` });

test("a building of three storeys: its scene, its mesh, a path that follows the goal", { skip }, () =>
  onViewer(["generated:building-3", "--reach-from=-2,8,0", "--from=-2,8,0", "--to=20,4,6.48", "--radius=0.3"], async (page) => {
    const { answer } = await until(page, (now) => now.answer?.found);
    assert.ok(answer.length > 40 && answer.cell_ids.length > 10);
    await shot(page, "building");
    // Orbit.
    const { pose } = await state(page);
    await page.mouse.move(700, 700);
    await page.mouse.down();
    await page.mouse.move(560, 620, { steps: 5 });
    await page.mouse.up();
    await until(page, (now) => now.pose[0] !== undefined);
    const turned = await state(page);
    assert.ok(turned.pose.some((x, k) => Math.abs(x - pose[k]) > 0.1));
    // The goal on the ground floor.
    await page.selectOption("#storey", "0");
    await page.click("#top");
    await still(page);
    await page.fill("#field-to", "20, 4, 0");
    await page.press("#field-to", "Enter");
    const low = await until(page, ({ to, answer }) => to[2] === 0 && answer?.found && answer.length < 40);
    await dragPin(page, "to", [14, 8, 0]);
    const moved = await until(page, ({ to, answer }) => Math.hypot(to[0] - 14, to[1] - 8) < 0.5 && answer?.found);
    assert.notEqual(moved.answer.length, low.answer.length);
    await dragPin(page, "from", [-2, 6, 0]);
    await until(page, ({ from, answer }) => Math.hypot(from[0] + 2, from[1] - 6) < 0.5 && answer?.found);
    await shot(page, "ground-floor");
  }));

test("a wider body finds the door closed, and the page says where and why", { skip }, () =>
  onViewer([join(demo.folder, "office.way"), "--from=1,1", "--to=30,12", "--radius=0.3"], async (page) => {
    await until(page, (now) => now.answer?.found);
    await page.fill("#radius-number", "0.5");
    await page.press("#radius-number", "Enter");
    const { answer } = await until(page, (now) => now.answer && !now.answer.found);
    assert.equal(answer.reason, "too-narrow");
    assert.deepEqual(answer.at.slice(0, 2).map((x) => Math.round(x * 100) / 100), [14.25, 7]);
    assert.match(await page.locator("#said").textContent(), /too narrow/);
    await still(page);
    await shot(page, "too-narrow");
    await page.fill("#radius-number", "0.45");
    await page.press("#radius-number", "Enter");
    await until(page, (now) => now.answer?.found && now.radius === 0.45);
  }));

test("a bake with other settings renews the page; a long one can be cancelled", { skip }, () =>
  onViewer(["generated:building-3", "--reach-from=-2,8,0"], async (page) => {
    await page.click("#section-bake summary");
    await page.fill("#setting-convex-distance", "0.2");
    await page.getByRole("button", { name: "Bake", exact: true }).click();
    await page.waitForSelector("#bake table", { timeout: 60_000 });
    const words = await page.locator("#bake .copyable code").first().textContent();
    assert.match(words, /^wayfare bake generated:building-3 -o .* --convex-distance 0\.2/);
    assert.match(words, /--reach-from -2/);
    await page.locator("#bake .outcome").scrollIntoViewIfNeeded();
    await shot(page, "baked");
    await page.fill("#setting-resolution", "0.001");
    await page.getByRole("button", { name: "Bake", exact: true }).click();
    await page.waitForSelector("#bake progress");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForSelector("#bake .outcome.bad", { timeout: 60_000 });
    assert.equal(await page.locator("#bake .outcome").textContent(), "The bake was cancelled");
    // What was there before is still there.
    await until(page, (now) => now.connection === "open");
  }));

test("the stages of a bake: shown after a bake, by both pipelines, and where they were saved", { skip }, async () => {
  const seen = async (page, names) => {
    await page.waitForSelector("#section-layers");
    for (const name of ["floors", "plan", "voxels"]) assert.equal(await page.locator(`#layer-${name}`).count(), Number(names.includes(name)), name);
    for (const name of ["scene", "cells", "portals", "boundary"]) if (await page.locator(`#layer-${name}`).count()) await page.uncheck(`#layer-${name}`);
    for (const name of names) await page.check(`#layer-${name}`);
    await still(page);
  };
  await onViewer(["generated:bridge"], async (page) => {
    await seen(page, ["floors", "plan"]);
    await shot(page, "stages");
    await page.click("#section-bake summary");
    await page.selectOption("#setting-pipeline", "thesis");
    await page.getByRole("button", { name: "Bake", exact: true }).click();
    await page.waitForSelector("#bake table", { timeout: 60_000 });
    await seen(page, ["floors", "plan", "voxels"]);
    await shot(page, "stages-thesis");
  });
  const [mesh, stages] = [join(demo.folder, "bridge.way"), join(demo.folder, "stages")];
  run("bake", "generated:bridge", "-o", mesh, "--save-stages", stages);
  await onViewer([mesh, "--stages", stages], async (page) => {
    await seen(page, ["floors", "plan"]);
    assert.match(await page.locator(".legend").textContent(), /seam: two layers go on in each other/);
    await shot(page, "stages-saved");
  });
});

test("an exported page works from disk with the network off", { skip }, async () => {
  const file = join(demo.folder, "exported.html");
  run("view", join(demo.folder, "office.way"), "--export", file, "--from=1,1", "--to=30,12", "--radius=0.3");
  for (const name of [file, join(demo.folder, "building.html")]) {
    const { page, complaints, context } = await openPage(browser, pathToFileURL(name).href, { offline: true });
    await ready(page);
    const { answer } = await until(page, (now) => now.answer?.found);
    assert.ok(answer.points.length > 1);
    assert.match(await page.locator("#exported").textContent(), /does not plan/);
    await page.selectOption("#speed", "8");
    await page.click("#play");
    await until(page, (now) => now.along > 1);
    await shot(page, `exported-${name === file ? "office" : "building"}`);
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("free space: the flight of the demo in glass, and another one that was asked for", { skip }, async () => {
  const air = [join(demo.folder, "building.wayvol"), "--scene", join(demo.folder, "building.obj"), "--up", "z"];
  await onViewer([...air, "--from=-2,8,1.2", "--to=20,4,7.68", "--radius=0.25"], async (page) => {
    const { answer } = await until(page, (now) => now.answer?.found);
    assert.ok(answer.segments.every(({ kind }) => kind === "fly") && answer.cell_ids.length > 10);
    await page.fill("#field-to", "20, 4, 1.2");
    await page.press("#field-to", "Enter");
    const low = await until(page, ({ to, answer }) => to[2] === 1.2 && answer?.found && answer.points.at(-1)[2] === 1.2);
    assert.ok(low.answer.length < answer.length);
    await page.fill("#radius-number", "0.5");
    await page.press("#radius-number", "Enter");
    const wide = await until(page, (now) => now.answer && !now.answer.found);
    assert.ok(Math.abs(wide.answer.available - 0.45) < 0.01, "doors are 0.9 m wide");
    await shot(page, "air");
  });
  const file = join(demo.folder, "air-alone.html");
  run("view", air[0], "--export", file, "--from=-2,8,1.2", "--to=20,4,7.68", "--radius=0.25");
  const { page, complaints, context } = await openPage(browser, pathToFileURL(file).href, { offline: true });
  await ready(page);
  await until(page, (now) => now.answer?.found);
  assert.deepEqual(complaints, []);
  await context.close();
});
