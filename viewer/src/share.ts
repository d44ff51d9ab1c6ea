// What can be taken along: a picture of the view, a drawing of the plan, the command, a link.

import type { Point } from "./answers";
import { copyable, download, h } from "./dom";
import type { Pins } from "./pins";
import type { Show } from "./show";
import type { Socket } from "./socket";
import type { Look, Store } from "./store";
import { readPlace } from "./words";
import type { World } from "./world";

export function sharePanel(store: Store, { about }: Show, world: World | undefined, pins: Pins | undefined, socket: Socket | undefined): HTMLElement {
  const said = h("p", { class: "soft", role: "status" });
  const name = () => about.title.replaceAll(/[^\w.-]+/g, "-") || "wayfare";
  const png = h("button", { type: "button", id: "png", disabled: !world }, "PNG of the view");
  png.addEventListener("click", () => {
    if (!world) return;
    picture(world, pins).toBlob((blob) => blob && download(`${name()}.png`, blob), "image/png");
    said.textContent = "The view was saved as a PNG.";
  });
  const plan = h("button", { type: "button", id: "svg", disabled: !socket }, "SVG of the plan");
  plan.addEventListener("click", () => {
    const { from, to, radius } = store.look;
    const question = from && to ? { from, to, radius } : {};
    void socket?.ask<{ svg: string }>("picture", question).then(
      ({ svg }) => {
        download(`${name()}.svg`, new Blob([svg], { type: "image/svg+xml" }));
        said.textContent = "The plan was saved as an SVG.";
      },
      (error: Error) => (said.textContent = `No picture: ${error.message}`),
    );
  });
  const { view, mesh } = commandsOf(about);
  const commands = h(
    "div",
    { class: "stack" },
    h("h3", {}, "This page"),
    copyable(() => view, "command line of this page"),
    ...(about.live
      ? [h("h3", {}, "As one file that needs no server"), copyable(() => `${view} --export ${name()}.html`, "command line that writes one file")]
      : []),
    ...(mesh ? [h("h3", {}, "This path"), copyable(() => pathCommand(mesh, store.look), "command line of this path")] : []),
    ...(world ? [h("h3", {}, "This view"), copyable(() => link(store.look, world), "link to this view")] : []),
  );
  store.on(["from", "to", "radius"], () => {
    for (const box of commands.querySelectorAll(".copyable")) box.dispatchEvent(new Event("renew"));
  });
  return h(
    "div",
    { class: "stack" },
    h("div", { class: "buttons" }, png, plan),
    !socket && h("p", { class: "soft" }, "The plan as SVG needs the server: ", h("code", {}, "wayfare draw"), " writes it, too."),
    said,
    commands,
  );
}

/** The command that shows this page, and the file of its mesh, by the command that bakes it. */
function commandsOf({ command, title }: Show["about"]): { view: string; mesh?: string } {
  const [, input, mesh, rest] = /^wayfare bake ('[^']*'|"[^"]*"|\S+) -o ('[^']*'|"[^"]*"|\S+)(.*)$/.exec(command) ?? [];
  if (input) return { view: `wayfare view ${input}${rest}`, mesh };
  return { view: command || `wayfare view ${title}`, mesh: /\.way(vol)?$/.test(title) ? title : undefined };
}

function pathCommand(mesh: string, { from, to, radius }: Readonly<Look>): string {
  const end = (name: string, place: Point | null) => (place ? ` --${name}=${numbers(place)}` : "");
  return `wayfare path ${mesh}${end("from", from)}${end("to", to)} --radius ${radius}`;
}

/** Numbers to the millimetre. */
function numbers(values: readonly number[]): string {
  return values.map((x) => Number(x.toFixed(3)) + 0).join(",");
}

/** The view with its pins. */
function picture(world: World, pins: Pins | undefined): HTMLCanvasElement {
  const view = world.snapshot();
  const canvas = h("canvas", { width: view.width, height: view.height });
  const context = canvas.getContext("2d");
  if (!context) return view;
  context.drawImage(view, 0, 0);
  pins?.paint(context, view.width / view.clientWidth);
  return canvas;
}

/** The address of the page with places, radius and camera in its hash. */
function link({ from, to, radius }: Readonly<Look>, world: World): string {
  const parts = [
    ...(from ? [`from=${numbers(from)}`] : []),
    ...(to ? [`to=${numbers(to)}`] : []),
    `radius=${radius}`,
    `camera=${numbers(world.pose)}`,
  ];
  return `${location.href.split("#")[0]}#${parts.join("&")}`;
}

/** What a link asked for. */
export function readLink(): { look: Partial<Look>; camera?: number[] } {
  const parts = new URLSearchParams(location.hash.slice(1));
  const look: Partial<Look> = {};
  for (const end of ["from", "to"] as const) {
    const place = readPlace(parts.get(end) ?? "", null);
    if (place) look[end] = place;
  }
  const radius = Number(parts.get("radius") ?? Number.NaN);
  if (radius >= 0) look.radius = radius;
  const camera = (parts.get("camera") ?? "").split(",").map(Number);
  return camera.length === 6 && camera.every(Number.isFinite) ? { look, camera } : { look };
}
