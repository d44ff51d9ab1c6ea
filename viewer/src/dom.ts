// Elements in one line each. Styles live in the style sheet, so that a strict content policy may hold.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** A drawing of 24 × 24 by strokes, for buttons that also have a label. */
export function icon(path: string): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** A text and a button that copies it; the event `renew` asks for the text again. */
export function copyable(text: () => string, label: string): HTMLElement {
  const code = h("code", { tabindex: 0, "aria-label": label }, text());
  const button = h("button", { type: "button", class: "small", "aria-label": `Copy: ${label}` }, "Copy");
  const box = h("div", { class: "copyable" }, code, button);
  const renew = () => (code.textContent = text());
  box.addEventListener("pointerenter", renew);
  box.addEventListener("renew", renew);
  button.addEventListener("click", () => {
    renew();
    void copy(code).then((done) => {
      button.textContent = done ? "Copied" : "Press Ctrl+C";
      setTimeout(() => (button.textContent = "Copy"), 1600);
    });
  });
  return box;
}

async function copy(code: HTMLElement): Promise<boolean> {
  getSelection()?.selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    return false;
  }
}

/** Saves bytes as a file of the reader. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
