// Start, goal and obstacle as pins over the picture. They are buttons: the pointer drags them, the arrow keys move them.

import type { Missing, Point } from "./answers";
import { h, svg } from "./dom";
import type { Ground } from "./ground";
import type { Show } from "./show";
import type { End, Store } from "./store";
import { obstacle } from "./words";
import type { World } from "./world";

const SHAPE = "M16 41C16 41 3 25.5 3 15.5A13 13 0 0 1 29 15.5C29 25.5 16 41 16 41Z";
const ENDS: { end: End; name: string; letter: string }[] = [
  { end: "from", name: "Start", letter: "S" },
  { end: "to", name: "Goal", letter: "G" },
];

export class Pins {
  private readonly pins = new Map<End, HTMLButtonElement>();
  private readonly trouble = h("div", { class: "pin trouble", "aria-hidden": "true" }, pinShape("!"), h("span", { class: "bubble" }));

  constructor(
    host: HTMLElement,
    private readonly world: World,
    private readonly store: Store,
    private readonly show: () => Show,
    private readonly ground: () => Ground | undefined,
    private readonly canMove: boolean,
  ) {
    for (const { end, name, letter } of ENDS) {
      const pin = h(
        "button",
        {
          type: "button",
          class: `pin ${end}`,
          "aria-label": canMove ? `${name}: drag it, or move it with the arrow keys` : name,
          title: canMove ? `${name}: drag me` : name,
          hidden: true,
        },
        pinShape(letter),
      );
      if (canMove) this.makeDraggable(pin, end);
      this.pins.set(end, pin);
      host.append(pin);
    }
    host.append(this.trouble);
    world.onFrame(() => this.place());
    store.on(["from", "to", "answer"], () => world.invalidate());
    store.on(["picked"], ({ picked }) => {
      for (const [end, pin] of this.pins) pin.setAttribute("aria-pressed", String(picked === end));
    });
  }

  /** Moves an end to a place of the window: onto the ground there, or beside it at its own height. */
  moveTo(end: End, clientX: number, clientY: number): void {
    if (!this.canMove) return;
    const { origin, direction } = this.world.ray(clientX, clientY);
    const hit = this.ground()?.meet(origin, direction, this.store.look.storey);
    const point = hit?.point ?? this.beside(origin, direction, end);
    if (point) this.store.set({ [end]: this.show().world(point) });
  }

  /** Moves an end along the ground [m]. */
  shift(end: End, dx: number, dy: number): void {
    const place = this.store.look[end];
    if (!place || !this.canMove) return;
    const [x, y, z] = this.show().local(place);
    const moved: Point = [x + dx, y + dy, z];
    const hit = this.ground()?.under(moved, this.store.look.storey);
    // Ground far above or below is another storey's.
    const isNear = hit && Math.abs(hit.point[2] - z) < 2;
    this.store.set({ [end]: this.show().world(isNear ? hit.point : moved) });
  }

  /** Pins that are seen, for a picture of the page. */
  paint(canvas: CanvasRenderingContext2D, scale: number): void {
    for (const pin of [...this.pins.values(), this.trouble]) {
      if (pin.hidden) continue;
      const style = getComputedStyle(pin);
      const [x, y] = [Number(pin.dataset.x), Number(pin.dataset.y)];
      canvas.save();
      canvas.scale(scale, scale);
      canvas.translate(x - 16, y - 41);
      canvas.fillStyle = style.color;
      canvas.strokeStyle = "#ffffff";
      canvas.lineWidth = 2;
      canvas.fill(new Path2D(SHAPE));
      canvas.stroke(new Path2D(SHAPE));
      canvas.fillStyle = "#ffffff";
      canvas.font = "700 15px system-ui, sans-serif";
      canvas.textAlign = "center";
      canvas.fillText(pin.querySelector("text")?.textContent ?? "", 16, 21);
      canvas.restore();
    }
  }

  private beside(origin: Point, direction: Point, end: End): Point | undefined {
    const place = this.store.look[end];
    if (!place || direction[2] >= -1e-3) return undefined;
    const z = this.show().local(place)[2];
    const far = (z - origin[2]) / direction[2];
    return far > 0 ? [origin[0] + far * direction[0], origin[1] + far * direction[1], z] : undefined;
  }

  private makeDraggable(pin: HTMLButtonElement, end: End): void {
    // The pin is held where it was caught, not by its tip.
    let offset: [number, number] | undefined;
    pin.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const area = pin.getBoundingClientRect();
      offset = [area.left + 16 - event.clientX, area.top + 41 - event.clientY];
      pin.setPointerCapture(event.pointerId);
      this.store.set({ picked: end });
    });
    pin.addEventListener("pointermove", (event) => {
      if (offset) this.moveTo(end, event.clientX + offset[0], event.clientY + offset[1]);
    });
    for (const over of ["pointerup", "pointercancel"] as const) pin.addEventListener(over, () => (offset = undefined));
    pin.addEventListener("focus", () => this.store.set({ picked: end }));
    // Turning the wheel over a pin zooms, as beside it.
    pin.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.world.canvas.dispatchEvent(new WheelEvent("wheel", event));
    });
  }

  private place(): void {
    const { look } = this.store;
    for (const [end, pin] of this.pins) this.put(pin, look[end]);
    const { answer } = look;
    this.put(this.trouble, answer && !answer.found ? placeOf(answer) : null);
    if (answer && !answer.found) this.trouble.querySelector("span")!.textContent = obstacle(answer);
  }

  private put(pin: HTMLElement, place: Point | null): void {
    const seen = place && this.world.project(this.show().local(place));
    pin.hidden = !seen;
    if (!seen) return;
    pin.style.transform = `translate(${seen.x.toFixed(1)}px, ${seen.y.toFixed(1)}px)`;
    pin.dataset.x = String(seen.x);
    pin.dataset.y = String(seen.y);
  }
}

/** Where it fails: between two pieces of ground, or at the place that is told. */
function placeOf({ at, closest }: Missing): Point {
  return closest ? (closest.from.map((x, axis) => (x + closest.to[axis]) / 2) as Point) : at;
}

function pinShape(letter: string): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 32 44", width: 32, height: 44, "aria-hidden": "true" },
    svg("path", { d: SHAPE, class: "shape" }),
    svg("text", { x: 16, y: 21, "text-anchor": "middle", class: "letter" }, letter),
  );
}
