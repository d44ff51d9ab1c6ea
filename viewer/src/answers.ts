// What the server answers: the same JSON as the command prints.

export type Point = [number, number, number];

export interface Found {
  found: true;
  length: number;
  plan_length: number;
  points: Point[];
  segments?: { kind: string }[];
  cell_ids: number[];
  radius: number;
  clearance: number | null;
  /** Distance from the start in plan, clearance there. */
  profile?: [number, number][];
  /** Where a body at the start heads for first. */
  way_point?: Point | null;
  micros?: number;
  snapped?: { start: number; goal: number };
}

export interface Missing {
  found: false;
  reason: string;
  at: Point;
  needed: number | null;
  available: number | null;
  nearest?: Point | null;
  closest?: { from: Point; to: Point; horizontal: number; vertical: number } | null;
  hint: string;
}

export type PathAnswer = Found | Missing;

export interface Located {
  found: boolean;
  cell?: number;
  component?: number;
  storey?: number;
  point?: Point;
  distance?: number;
  clearance?: number | null;
}

export interface Baked {
  facts: Record<string, unknown>;
  before?: Record<string, unknown> | null;
  seconds?: Record<string, number> | number;
  notes?: string[];
  command?: string;
  show: string;
}

export interface Progress {
  stage: string;
  /** From 0 to 1; null where nobody knows how much there is to do. */
  share: number | null;
}
