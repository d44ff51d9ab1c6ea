// What can be taken along: a picture of the view, a drawing of the plan, the command, a link.

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
  const { command } = about;
  const commands = h(
    "div",
    { class: "stack" },
    h("h3", {}, "This page"),
    copyable(() => command || "wayfare view", "command line of this page"),
    ...(command.startsWith("wayfare view") && about.live
      ? [h("h3", {}, "As one file that needs no server"), copyable(() => `${command} --export ${name()}.html`, "command line that writes one file")]
      : []),
    ...(world ? [h("h3", {}, "This view"), copyable(() => link(store.look, world), "link to this view")] : []),
  );
  return h(
    "div",
    { class: "stack" },
    h("div", { class: "buttons" }, png, plan),
    !socket && h("p", { class: "soft" }, "The plan as SVG needs the server: ", h("code", {}, "wayfare draw"), " writes it, too."),
    said,
    commands,
  );
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
  const write = (numbers: readonly number[]) => numbers.map((x) => Number(x.toFixed(3))).join(",");
  const parts = [
    ...(from ? [`from=${write(from)}`] : []),
    ...(to ? [`to=${write(to)}`] : []),
    `radius=${radius}`,
    `camera=${write(world.pose)}`,
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
