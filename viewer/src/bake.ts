// Bakes again with other settings: a form, a bar for each stage, what changed, and the command that does the same.

import type { Baked, Progress } from "./answers";
import { copyable, h } from "./dom";
import { SETTINGS, type SettingKind } from "./settings";
import type { Setting, Show } from "./show";
import type { Socket } from "./socket";
import { fact, spoken } from "./words";

type Settings = Record<string, Setting>;
interface Field {
  name: string;
  usual: string;
  row: HTMLElement;
  read(): Setting;
}

export function bakePanel(about: Show["about"], socket: Socket, onBaked: (baked: Baked) => Promise<void>): HTMLElement {
  const given = about.settings ?? {};
  const fields = fieldsOf(given);
  const command = h("div", {});
  const bars = h("div", { class: "stages" });
  const outcome = h("div", { class: "outcome", role: "status" });
  const start = h("button", { type: "submit", class: "main" }, "Bake");
  const cancel = h("button", { type: "button", hidden: true }, "Cancel");
  const form = h(
    "form",
    { class: "stack", id: "bake", "aria-label": "Settings of the bake" },
    ...fields.map(({ row }) => row),
    h("div", { class: "buttons" }, start, cancel),
    bars,
    outcome,
    h("h3", {}, "The same on the command line"),
    command,
  );
  const settings = (): Settings => {
    const said = { ...given, ...Object.fromEntries(fields.map(({ name, read }) => [name, read()])) };
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  };
  const tell = (text: string) => command.replaceChildren(copyable(() => text, "command line of the bake"));
  const write = () => tell(commandLine(about.command, fields));
  form.addEventListener("input", write);
  write();

  let running: number | undefined;
  cancel.addEventListener("click", () => {
    if (running !== undefined) void socket.ask("cancel", { bake: running }).catch(() => undefined);
    cancel.disabled = true;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void bake();
  });

  async function bake(): Promise<void> {
    start.disabled = true;
    cancel.hidden = cancel.disabled = false;
    bars.replaceChildren();
    outcome.textContent = "Baking …";
    outcome.classList.remove("bad");
    const advance = stageBars(bars);
    try {
      const baked = await socket.ask<Baked>("bake", { settings: settings() }, advance, (id) => (running = id));
      if (baked.command) tell(baked.command);
      await onBaked(baked);
      outcome.replaceChildren(...summary(baked, about.facts));
    } catch (error) {
      outcome.textContent = capital((error as Error).message);
      outcome.classList.add("bad");
    }
    running = undefined;
    start.disabled = false;
    cancel.hidden = true;
  }
  return form;
}

/** A bar for each stage, in the order in which they begin. */
function stageBars(host: HTMLElement): (progress: Progress) => void {
  const bars = new Map<string, HTMLProgressElement>();
  return ({ stage, share }) => {
    for (const [name, bar] of bars) if (name !== stage) bar.value = 1;
    let bar = bars.get(stage);
    if (!bar) {
      bar = h("progress", { max: 1, "aria-label": spoken(stage) });
      bars.set(stage, bar);
      host.append(h("div", { class: "row" }, h("span", { "aria-hidden": "true" }, spoken(stage)), bar));
    }
    if (typeof share === "number") bar.value = share;
    else bar.removeAttribute("value");
  };
}

function fieldsOf(given: Settings): Field[] {
  // What follows the resolution goes on to follow it, unless it is given a value of its own.
  const now = given.simplify === given.resolution ? { ...given, simplify: null } : given;
  const hasPlaces = Array.isArray(given["reach-from"]) && given["reach-from"].length > 0;
  return SETTINGS.filter(({ name }) => name in now).map((kind) => {
    const choices = kind.choices?.filter((choice) => choice !== "reachable" || hasPlaces);
    const usual = kind.name === "keep" && hasPlaces ? "reachable" : kind.usual;
    return fieldOf({ ...kind, choices, usual }, now[kind.name]);
  });
}

function fieldOf(kind: SettingKind, value: Setting): Field {
  const id = `setting-${kind.name}`;
  const common = { id, name: kind.name, "aria-describedby": `${id}-words` };
  let input: HTMLInputElement | HTMLSelectElement;
  let read: () => Setting;
  if (kind.choices) {
    const names = [...new Set([...kind.choices, ...(typeof value === "string" ? [value] : [])])];
    const select = h("select", common, ...names.map((name) => h("option", { value: name, selected: name === (value ?? kind.usual) }, name)));
    const isGiven = value !== null;
    read = () => (isGiven || select.value !== kind.usual ? select.value : null);
    input = select;
  } else if (kind.usual === "no") {
    const box = h("input", { ...common, type: "checkbox", role: "switch", checked: value === true });
    read = () => (box.checked ? true : value === null ? null : false);
    input = box;
  } else {
    const number = h("input", { ...common, type: "number", min: 0, step: "any", placeholder: kind.usual, value: value === null ? "" : String(value) });
    read = () => (Number.isFinite(number.valueAsNumber) ? number.valueAsNumber : null);
    input = number;
  }
  const row = h(
    "div",
    { class: "field" },
    h("label", { class: "row", for: id }, h("span", {}, kind.title), h("span", { class: "unit" }, input, kind.unit)),
    h("p", { class: "soft", id: `${id}-words` }, `${kind.words} Usually ${kind.usual}${unitAfter(kind)}.`),
  );
  return { name: kind.name, usual: kind.usual, row, read };
}

function unitAfter({ unit, usual }: SettingKind): string {
  if (!unit || !Number.isFinite(Number(usual))) return "";
  return unit === "°" ? unit : ` ${unit}`;
}

/** The command that made this show, with the settings of the form. */
function commandLine(command: string, fields: Field[]): string {
  const names = new Set(fields.map(({ name }) => `--${name}`));
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const kept: string[] = [];
  for (let k = 0; k < words.length; k++) {
    const [option] = words[k].split("=");
    if (!names.has(option)) kept.push(words[k]);
    else if (!words[k].includes("=") && words[k + 1] && !words[k + 1].startsWith("--")) k += 1;
  }
  for (const { name, usual, read } of fields) {
    const value = read();
    if (value === true) kept.push(`--${name}`);
    else if (value !== null && value !== false && String(value) !== usual) kept.push(`--${name}`, String(value));
  }
  return kept.join(" ");
}

function summary({ facts, before, seconds, notes }: Baked, old: Record<string, unknown>): HTMLElement[] {
  const first = before ?? old;
  const total = typeof seconds === "number" ? seconds : seconds?.total;
  const rows = Object.keys(facts).filter((name) => typeof facts[name] === "number" || typeof first[name] === "number");
  return [
    h("p", {}, total === undefined ? "Baked." : `Baked in ${total.toFixed(2)} s.`),
    h(
      "table",
      {},
      h("caption", {}, "Before and after"),
      h("thead", {}, h("tr", {}, ...["", "before", "after"].map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        ...rows.map((name) => {
          const [one, two] = [fact(first[name]), fact(facts[name])];
          return h("tr", { class: one === two ? "" : "changed" }, h("th", { scope: "row" }, spoken(name)), h("td", {}, one), h("td", {}, two));
        }),
      ),
    ),
    ...(notes ?? []).map((note) => h("p", { class: "soft" }, note)),
  ];
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
