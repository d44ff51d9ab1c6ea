// Puts the page together: loads the show, builds the picture and the panel, and connects them.

import { Box3, BufferAttribute, Vector3 } from "three";
import type { Baked } from "./answers";
import { bakePanel } from "./bake";
import { h } from "./dom";
import { Ground } from "./ground";
import { keysDialog, listenToKeys } from "./keys";
import { layerPanel } from "./layer_panel";
import { LAYERS } from "./layers";
import type { Layer, Stage } from "./layers/layer";
import { legend } from "./legend";
import { factsTable, firstTheme, frameOf, section, type Frame } from "./panel";
import { Pins } from "./pins";
import { Planner } from "./planner";
import { routePanel } from "./route_panel";
import { readLink, sharePanel } from "./share";
import { fetchShow, loadShow, type Show } from "./show";
import { Socket } from "./socket";
import { statusBar, type Status } from "./status";
import { frames, pause, step, steps } from "./steps";
import { Store, type Look } from "./store";
import { toolbar } from "./toolbar";
import { World } from "./world";

/** What is seen under and over the ground of the one storey that is shown, so that one looks over its walls [m]. */
const UNDER = 0.3;
const OVER = 1.2;

const store = new Store({
  theme: firstTheme(),
  colouring: "id",
  storey: null,
  sceneOpacity: 0.2,
  radius: 0,
  from: null,
  to: null,
  picked: null,
  answer: null,
  trouble: null,
  shares: null,
  along: null,
  options: {},
  hidden: new Set(LAYERS.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ name }) => name)),
});

class Page {
  private show!: Show;
  private ground: Ground | undefined;
  private world: World | undefined;
  private pins: Pins | undefined;
  private planner!: Planner;
  private socket: Socket | undefined;
  private bake: HTMLElement | undefined;
  private readonly layers = new Map<string, Layer>();
  private readonly over = h("div", { class: "over" });
  private readonly keys = keysDialog();
  private life = new AbortController();

  constructor(
    private readonly frame: Frame,
    private readonly status: Status,
  ) {}

  async start(): Promise<void> {
    this.say("Loading …");
    this.show = await loadShow();
    this.say(null);
    document.title = `${this.show.about.title} · wayfare`;
    await this.openWorld();
    this.ground = await Ground.build(this.show);
    if (this.show.about.live) this.socket = new Socket((state) => this.connected(state === "open"));
    this.planner = new Planner(store, () => this.show, () => this.ground, this.socket);
    if (this.world) {
      this.pins = new Pins(this.over, this.world, store, () => this.show, () => this.ground, this.show.about.live);
      this.status.watch(this.world, () => this.show, () => this.ground, this.planner);
      this.world.canvas.addEventListener("dblclick", (event) => this.pins?.moveTo(event.shiftKey ? "from" : "to", event.clientX, event.clientY));
    }
    if (this.socket && this.show.about.settings) this.bake = bakePanel(this.show.about, this.socket, (baked) => this.renew(baked));
    document.body.append(this.keys);
    listenToKeys(store, this.keys, this.actions(), this.world, this.pins);
    store.onAny((look, changed) => this.draw(look, changed));
    await this.buildLayers();
    this.fillPanel();
    const { look, camera } = readLink();
    this.world?.look();
    if (camera && this.world) this.world.pose = camera;
    if (!this.socket) this.planner.begin();
    this.first = look;
    this.isReady = true;
    if (this.socket?.state === "open") this.begin();
  }

  /** What a link asked for, until the server can be asked. */
  private first: Partial<Look> | undefined;
  isReady = false;

  /** For tests and the console. */
  get state(): object {
    return {
      ...store.look,
      isReady: this.isReady,
      isDrawn: this.world?.isIdle ?? true,
      pose: this.world?.pose,
      answered: this.planner?.answered,
      connection: this.socket?.state,
    };
  }

  project(point: [number, number, number]): { x: number; y: number } | undefined {
    const seen = this.world?.project(this.show.local(point));
    const area = this.frame.stage.getBoundingClientRect();
    return seen && { x: seen.x + area.left, y: seen.y + area.top };
  }

  private begin(): void {
    if (!this.first) return;
    const look = this.first;
    this.first = undefined;
    this.planner.begin();
    store.set(look);
  }

  private connected(isOpen: boolean): void {
    this.say(isOpen ? null : "The connection to the server is lost; trying again …");
    if (!isOpen || !this.isReady) return;
    if (this.first) this.begin();
    else this.planner.askAgain();
  }

  private async openWorld(): Promise<void> {
    try {
      this.world = await World.open(this.frame.stage);
    } catch {
      this.frame.stage.append(
        h(
          "div",
          { class: "no-picture", role: "alert" },
          h("h2", {}, "No picture: this browser has no WebGL"),
          h("p", {}, "The map is drawn with WebGL 2. Switch on hardware acceleration, or try another browser; everything else of this page works."),
        ),
      );
      return;
    }
    const { canvas } = this.world;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "Map in 3D: drag to turn, arrow keys move the view or the picked marker, question mark shows all keys");
    canvas.addEventListener("webglcontextlost", () => this.say("The graphics driver lost the picture; waiting for it to come back …"));
    canvas.addEventListener("webglcontextrestored", () => this.say(null));
    this.frame.stage.append(this.over);
    this.setBounds();
    this.world.setTheme(store.look.theme);
  }

  private setBounds(): void {
    const [low, high] = this.show.about.bounds;
    this.world?.setBounds(this.show.local(low), this.show.local(high));
  }

  private async buildLayers(): Promise<void> {
    const all = new Set(Object.keys(store.look) as (keyof Look)[]);
    const stage: Stage = {
      show: this.show,
      ground: this.ground,
      positions: (array) => this.world?.positions(array) ?? new BufferAttribute(array, 3),
    };
    for (const kind of LAYERS) {
      const layer = step(`build ${kind.name}`, () => kind.build(stage));
      await pause();
      if (!layer) continue;
      step(`draw ${kind.name}`, () => layer.update(store.look, all));
      layer.object.visible = !store.look.hidden.has(kind.name);
      this.layers.set(kind.name, layer);
    }
    await this.world?.add([...this.layers.values()]);
  }

  private draw(look: Readonly<Look>, changed: ReadonlySet<keyof Look>): void {
    if (changed.has("theme")) this.world?.setTheme(look.theme);
    if (changed.has("storey")) this.cut(look.storey);
    for (const [name, layer] of this.layers) {
      layer.update(look, changed);
      if (changed.has("hidden")) layer.object.visible = !look.hidden.has(name);
    }
    this.world?.invalidate();
  }

  /** Cuts off what lies over and under a storey. */
  private cut(storey: number | null): void {
    const range = storey === null ? undefined : this.ground?.storeys[storey];
    if (range) this.world?.cut(range[0] - UNDER, range[1] + OVER);
    else this.world?.cut();
  }

  /** What is seen: everything, or one storey. */
  private box(): Box3 {
    const [low, high] = this.show.about.bounds.map((corner) => new Vector3(...this.show.local(corner)));
    const range = store.look.storey === null ? undefined : this.ground?.storeys[store.look.storey];
    if (range) [low.z, high.z] = range;
    return new Box3(low, high);
  }

  private actions() {
    return {
      fit: () => this.world?.fit(this.box()),
      top: () => this.world?.top(this.box()),
      fold: () => this.frame.fold(),
      play: () => document.getElementById("play")?.click(),
      pointer: () => this.status.pointer(),
      help: () => this.keys.showModal(),
    };
  }

  private fillPanel(): void {
    this.life.abort();
    this.life = new AbortController();
    const part = store.during(this.life.signal);
    const isThere = (name: string) => this.layers.has(name);
    const { about } = this.show;
    this.frame.title.textContent = about.title;
    this.frame.sections.replaceChildren(
      ...[
        (this.ground || (about.regions && (about.live || about.routes.length > 0))) && section("route", "Path", routePanel(part, this.planner, this.show)),
        section("layers", "Layers", layerPanel(part, this.show, isThere)),
        this.bake && (this.bake.closest("details") ?? section("bake", "Bake", this.bake, false)),
        section("share", "Share", sharePanel(part, this.show, this.world, this.pins, this.socket), false),
        section("facts", "Facts", factsTable(about.facts), false),
      ].filter((part) => part instanceof HTMLElement),
    );
    for (const old of this.frame.stage.querySelectorAll(".toolbar, .legend")) old.remove();
    if (!this.world) return;
    const words = legend(part, this.show, isThere);
    this.frame.stage.append(toolbar(part, this.show, this.ground, this.actions()), words);
    this.makeRoom(words);
    const watch = new ResizeObserver(() => this.makeRoom(words));
    for (const element of [words, this.frame.stage]) watch.observe(element);
    this.life.signal.addEventListener("abort", () => watch.disconnect());
  }

  /** Keeps what is looked at beside the legend while that is open. */
  private makeRoom(words: HTMLDetailsElement): void {
    const left = this.frame.stage.getBoundingClientRect().right - words.getBoundingClientRect().left;
    this.world?.cover(words.open ? left : 0);
  }

  /** Shows what was baked in the place of what is shown. */
  private async renew(baked: Baked): Promise<void> {
    const show = await fetchShow(baked.show);
    for (const layer of this.layers.values()) {
      this.world?.remove(layer.object);
      layer.dispose();
    }
    this.layers.clear();
    this.world?.forget();
    this.show = show;
    this.ground = await Ground.build(show);
    store.set({ answer: null, shares: null, along: null, storey: null });
    this.setBounds();
    await this.buildLayers();
    this.fillPanel();
    this.planner.askAgain();
  }

  private say(words: string | null): void {
    this.frame.alert.hidden = words === null;
    this.frame.alert.textContent = words;
  }
}

const host = document.getElementById("page");
if (host) {
  const status = statusBar(store);
  const frame = frameOf(host, store, status.bar);
  const page = new Page(frame, status);
  Object.assign(window, {
    wayfare: {
      frames,
      steps,
      store,
      page,
      get state() {
        return page.state;
      },
    },
  });
  page.start().catch((error: unknown) => {
    frame.alert.hidden = false;
    frame.alert.textContent = `The map cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  });
}
