// The real command behind the page.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command under test, as `cargo xtask test` names it. */
export const WAYFARE = process.env.WAYFARE;

/** A folder with what `wayfare demo` writes. */
export function demoFolder() {
  const folder = mkdtempSync(join(tmpdir(), "wayfare-viewer-"));
  const made = spawnSync(WAYFARE, ["demo", "-o", folder, "--quiet"], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts `wayfare view` and waits until it says where it listens. */
export async function startViewer(...options) {
  const child = spawn(WAYFARE, ["view", ...options, "--no-open", "--json"], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (part) => (said += part));
  const line = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
  const { url } = JSON.parse(line);
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", resolve);
      child.kill("SIGINT");
    });
  return { url, stop };
}

/** Runs the command and fails if it does. */
export function run(...options) {
  const done = spawnSync(WAYFARE, options, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}
