// The settings of a bake: what they mean, their units and their defaults, by the names of the command's options.

export interface SettingKind {
  name: string;
  title: string;
  words: string;
  unit?: string;
  /** What holds if it is left empty. */
  usual: string;
  step?: number;
  choices?: string[];
}

export const SETTINGS: SettingKind[] = [
  { name: "height", title: "Height", words: "Head room that a body needs.", unit: "m", usual: "1.8", step: 0.05 },
  { name: "step", title: "Step", words: "The highest step that it takes.", unit: "m", usual: "0.4", step: 0.05 },
  { name: "slope", title: "Slope", words: "The steepest slope that it walks on.", unit: "°", usual: "45", step: 1 },
  { name: "resolution", title: "Resolution", words: "Side of a pixel: the boundary is true to about one. Finer takes longer.", unit: "m", usual: "0.1", step: 0.01 },
  { name: "simplify", title: "Simplify", words: "How far the boundary may move to save vertices.", unit: "m", usual: "1 × resolution", step: 0.01 },
  { name: "min-area", title: "Least area", words: "Smaller pieces of ground are left out.", unit: "m²", usual: "0.1", step: 0.1 },
  { name: "faces", title: "Faces", words: "Which sides of faces are walked on.", usual: "both", choices: ["both", "front"] },
  { name: "keep", title: "Keep", words: "Which pieces of ground are kept.", usual: "all", choices: ["all", "largest", "reachable"] },
  { name: "keep-inside", title: "Keep inside", words: "Keep floors inside of closed solids.", usual: "no" },
  { name: "pipeline", title: "Pipeline", words: "How floors are found: by fine columns, or by coarse voxels and depth maps as in the thesis.", usual: "columns", choices: ["columns", "thesis"] },
  { name: "layers", title: "Layers", words: "Whether floors may lie over each other.", usual: "many", choices: ["many", "single"] },
  { name: "convex-distance", title: "Convex distance", words: "Notches up to this depth are ignored: fewer cells, the same paths.", unit: "m", usual: "0", step: 0.01 },
  { name: "shape", title: "Shape", words: "How much well-shaped cells are preferred to few, 0 to 1.", usual: "0", step: 0.1 },
];
