// Colours of both themes. Categories follow Okabe and Ito's palette and amounts viridis: both can be told apart by people
// with any kind of colour vision.

export type Theme = "light" | "dark";
export type Rgb = [number, number, number];

/** What is drawn in 3D, apart from cells. */
export interface Inks {
  background: string;
  grid: string;
  scene: string;
  wall: string;
  drop: string;
  seam: string;
  gap: string;
  /** Cells that are no ground but stepped over. */
  stride: string;
  tagBorder: string;
  portal: string;
  usable: string;
  path: string;
  body: string;
  corridor: string;
  wayPoint: string;
  trouble: string;
  fits: string;
  unknown: string;
}

export const INKS: Record<Theme, Inks> = {
  light: {
    background: "#eef1f5",
    grid: "#cfd6e0",
    scene: "#8792a3",
    wall: "#1c2430",
    drop: "#0067b1",
    seam: "#7b3fbf",
    gap: "#c25700",
    stride: "#3fae5a",
    tagBorder: "#00795a",
    portal: "#8a97a8",
    usable: "#00795a",
    path: "#1546c8",
    body: "#3f6ff0",
    corridor: "#3f6ff0",
    wayPoint: "#a3127f",
    trouble: "#c02617",
    fits: "#00795a",
    unknown: "#b9c0ca",
  },
  dark: {
    background: "#10141a",
    grid: "#242c37",
    scene: "#9fb0c6",
    wall: "#e9eef5",
    drop: "#5cb8ff",
    seam: "#c59bff",
    gap: "#ffab5c",
    stride: "#3c9a54",
    tagBorder: "#4fd6a8",
    portal: "#7c8aa0",
    usable: "#4fd6a8",
    path: "#ffd34d",
    body: "#ffc533",
    corridor: "#ffd34d",
    wayPoint: "#ff9be8",
    trouble: "#ff8a7a",
    fits: "#4fd6a8",
    unknown: "#4a5361",
  },
};

/** Six colours of cells of which neighbours have different ones. */
const CELLS: Record<Theme, string[]> = {
  light: ["#a8cde6", "#f0d9a6", "#b5dcc2", "#e4c2d6", "#ccd0e6", "#e3e0ac"],
  dark: ["#2b5069", "#66522e", "#2d5b43", "#5f3d55", "#434a6b", "#59592f"],
};

const CATEGORIES = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#8c9aa8"];
const VIRIDIS = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];

/** How much of the theme's background is mixed into categories, so that paths stand out from the ground. */
const CALM: Record<Theme, number> = { light: 0.35, dark: 0.4 };

export function rgb(hex: string): Rgb {
  const bits = Number.parseInt(hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

function mix(one: Rgb, two: Rgb, share: number): Rgb {
  return [0, 1, 2].map((k) => Math.round(one[k] + (two[k] - one[k]) * share)) as Rgb;
}

export function cellColours(theme: Theme): Rgb[] {
  return CELLS[theme].map(rgb);
}

/** The colours of categories 0, 1, 2 …, which repeat after eight. */
export function categories(theme: Theme): Rgb[] {
  return CATEGORIES.map((hex) => mix(rgb(hex), rgb(INKS[theme].background), CALM[theme]));
}

/** The colour of an amount from 0 to 1. */
export function amount(share: number): Rgb {
  const at = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const first = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return mix(rgb(VIRIDIS[first]), rgb(VIRIDIS[first + 1]), at - first);
}

/** The stops of `amount`, for a gradient. */
export const AMOUNTS: readonly string[] = VIRIDIS;
