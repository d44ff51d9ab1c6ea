// Builds the page into `dist`: one script, one style sheet, one HTML file, none of which names an address elsewhere.
import { copyFile, mkdir, rm } from "node:fs/promises";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const dist = new URL("dist/", here);
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  absWorkingDir: here.pathname,
  entryPoints: { page: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  format: "iife",
  minify: true,
  sourcemap: false,
  target: "es2022",
  legalComments: "eof",
  logLevel: "warning",
});
await build({
  absWorkingDir: here.pathname,
  entryPoints: { page: "src/style.css" },
  outdir: "dist",
  minify: true,
  target: "es2022",
  logLevel: "warning",
});
await copyFile(new URL("src/index.html", here), new URL("index.html", dist));
