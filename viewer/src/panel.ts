// The frame of the page: panel on the left, picture, bar below.

import type { Theme } from "./colours";
import { h, icon } from "./dom";
import type { Store } from "./store";
import { fact, spoken } from "./words";

const SUN = "M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m0-11.4L4.9 4.9m14.2 14.2-1.4-1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z";
const FOLD = "M4 4h16v16H4zM9.5 4v16";
const MARK = "M4 17.5 9 7l5 7 6-9.5";

export interface Frame {
  page: HTMLElement;
  title: HTMLElement;
  sections: HTMLElement;
  /** Where the picture goes. */
  stage: HTMLElement;
  /** Above the picture: what went wrong. */
  alert: HTMLElement;
  fold(): void;
}

export function frameOf(page: HTMLElement, store: Store, status: HTMLElement): Frame {
  const sections = h("div", { class: "sections" });
  const title = h("h1", {}, "wayfare");
  const alert = h("div", { role: "alert", class: "alert", hidden: true });
  const stage = h("main", { class: "stage", "aria-label": "Picture of the map" }, alert);
  const foldButton = h("button", { type: "button", id: "fold", class: "quiet", "aria-label": "Fold the panel", "aria-expanded": "true", title: "Fold the panel (P)" }, icon(FOLD));
  const fold = () => {
    const isFolded = page.classList.toggle("folded");
    foldButton.setAttribute("aria-expanded", String(!isFolded));
    sections.toggleAttribute("inert", isFolded);
  };
  foldButton.addEventListener("click", fold);
  const panel = h(
    "aside",
    { class: "panel", "aria-label": "Panel" },
    h("header", {}, h("span", { class: "mark", "aria-hidden": "true" }, icon(MARK)), title, themeButton(store), foldButton),
    sections,
  );
  page.replaceChildren(panel, stage, status);
  return { page, title, sections, stage, alert, fold };
}

export function section(id: string, name: string, content: HTMLElement, isOpen = true): HTMLDetailsElement {
  return h("details", { id: `section-${id}`, class: "section", open: isOpen }, h("summary", {}, h("h2", {}, name)), content);
}

/** What is known of the map. */
export function factsTable(facts: Record<string, unknown>): HTMLElement {
  const rows = Object.entries(facts).filter(([name, value]) => name !== "bounds" && value !== null && typeof value !== "object");
  return h("table", {}, h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, spoken(name)), h("td", {}, fact(value))))));
}

/** The theme that the reader chose, or the system's. */
export function firstTheme(): Theme {
  try {
    const kept = localStorage.getItem("wayfare-theme");
    if (kept === "light" || kept === "dark") return kept;
  } catch {
    // Pages from disk may have no storage.
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function themeButton(store: Store): HTMLElement {
  const button = h("button", { type: "button", id: "theme", class: "quiet" }, icon(SUN));
  button.addEventListener("click", () => {
    const theme = store.look.theme === "dark" ? "light" : "dark";
    store.set({ theme });
    try {
      localStorage.setItem("wayfare-theme", theme);
    } catch {
      // Then it holds for this page only.
    }
  });
  store.on(["theme"], ({ theme }) => {
    document.documentElement.dataset.theme = theme;
    const other = theme === "dark" ? "Light colours" : "Dark colours";
    button.setAttribute("aria-label", other);
    button.title = other;
  });
  return button;
}
