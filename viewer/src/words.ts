// Numbers and reasons as people read them.

import type { Missing, Point } from "./answers";

/** Metres with as many digits as matter. */
export function metres(value: number, digits = 2): string {
  return `${fixed(value, digits)} m`;
}

/** A number with so many digits, and no sign before nothing. */
function fixed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
}

export function place(point: Point, digits = 2): string {
  return point.map((x) => fixed(x, digits)).join(", ");
}

/** Three numbers, or two with the height of `near`; nothing if it is neither. */
export function readPlace(text: string, near: Point | null): Point | undefined {
  const numbers = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (numbers.some((x) => !Number.isFinite(x))) return undefined;
  const [x, y, z] = numbers;
  if (numbers.length === 2) return [x, y, near?.[2] ?? 0];
  return numbers.length === 3 ? [x, y, z] : undefined;
}

export function time(micros: number): string {
  return micros < 1000 ? `${micros.toFixed(micros < 10 ? 1 : 0)} µs` : `${(micros / 1000).toFixed(1)} ms`;
}

/** The name of a fact or an option as words. */
export function spoken(name: string): string {
  return name.replaceAll(/[_-]/g, " ");
}

export function fact(value: unknown): string {
  if (typeof value === "number") {
    return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumFractionDigits: 3 });
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(fact).join(", ");
  return value === null || value === undefined ? "not known" : String(value);
}

/** What lies in the way, in a few words. */
export function obstacle({ reason, needed, available }: Missing): string {
  switch (reason) {
    case "too-narrow":
      return needed !== null && available !== null
        ? `${metres(2 * available)} wide, the body needs ${metres(2 * needed)}`
        : "too narrow";
    case "start-too-tight":
    case "goal-too-tight":
      return needed !== null && available !== null
        ? `${metres(available)} from an obstacle, the body needs ${metres(needed)}`
        : "too tight";
    case "off-mesh":
      return "no ground here";
    case "disconnected":
      return "not joined";
    case "blocked":
      return "closed";
    case "tag-forbidden":
      return "ground that is not allowed";
    default:
      return reason.replaceAll("-", " ");
  }
}

const REASONS: Record<string, string> = {
  "too-narrow": "the way is too narrow",
  "start-too-tight": "the start is too tight",
  "goal-too-tight": "the goal is too tight",
  "off-mesh": "there is no ground there",
  disconnected: "start and goal lie on ground that is not joined",
  blocked: "the way is closed",
  "tag-forbidden": "the way leads over ground that is not allowed",
};

/** Why there is no path, and what would help: one sentence. */
export function why(missing: Missing): string {
  const reason = REASONS[missing.reason] ?? missing.reason.replaceAll("-", " ");
  const detail = ["too-narrow", "start-too-tight", "goal-too-tight"].includes(missing.reason) ? ` (${obstacle(missing)})` : "";
  return `No path: ${reason}${detail}; ${help(missing)}`;
}

/** The hint without what only the command line can do. */
export function help({ hint }: Missing): string {
  return hint
    .replace(/; `wayfare explain`.*$/, "")
    .replace(/, or let --snap-clear do it/, "")
    .replace(/, or allow more with --snap/, "");
}
