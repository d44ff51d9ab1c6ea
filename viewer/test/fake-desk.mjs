// Answers questions about the house of `make-show.mjs` as the server does: the same keys, simple ways. Paths go through the
// middles of portals, so they are not the shortest; the page does not mind.
import { CELLS, edgesOf, width } from "./make-show.mjs";

const { portals, boundary } = edgesOf();

const isInside = ([x, y], { corners }) =>
  corners.every(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-9;
  });

const heightIn = ([x], { corners }) => (corners[0][2] === corners[2][2] ? corners[0][2] : ((x - 14) / 4) * 3);

function cellAt(point) {
  const found = CELLS.map((cell, id) => ({ id, off: isInside(point, cell) ? Math.abs(point[2] - heightIn(point, cell)) : Infinity }));
  const best = found.reduce((one, two) => (two.off < one.off ? two : one));
  return best.off < 2 ? best.id : -1;
}

function clearance([x, y, z]) {
  let least = Infinity;
  for (const { from, to } of boundary) {
    if (Math.min(Math.abs(from[2] - z), Math.abs(to[2] - z)) > 1.6) continue;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const share = Math.min(Math.max(((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy), 0), 1);
    least = Math.min(least, Math.hypot(x - from[0] - share * dx, y - from[1] - share * dy));
  }
  return least;
}

const middle = ({ from, to }) => from.map((x, axis) => (x + to[axis]) / 2);
const distance = (a, b) => Math.hypot(...a.map((x, axis) => x - b[axis]));
const no = (reason, at, more) => ({ found: false, length: null, reason, at, needed: null, available: null, nearest: null, closest: null, hint: "", ...more });

function path({ from, to, radius, snap }) {
  const [start, goal] = [cellAt(from), cellAt(to)];
  for (const [cell, at, which] of [[start, from, "start"], [goal, to, "goal"]]) {
    if (cell < 0) return no("off-mesh", at, { needed: 1, available: snap, nearest: [7, 2, 0], hint: `the ${which} is 1.000 m from the nearest ground; move it, or allow more with --snap` });
    const room = clearance(at);
    if (room < radius) return no(`${which}-too-tight`, at, { needed: radius, available: room, hint: "this body fits nowhere on this piece of ground" });
  }
  const ways = new Map([[start, []]]);
  for (const [cell, way] of ways) {
    for (const portal of portals) {
      const other = portal.cells[0] === cell ? portal.cells[1] : portal.cells[1] === cell ? portal.cells[0] : -1;
      if (other >= 0 && !ways.has(other)) ways.set(other, [...way, { portal, other }]);
    }
  }
  const way = ways.get(goal);
  if (!way) {
    const closest = { from: [0, 2, 3], to: [-2, 2, 3], horizontal: 2, vertical: 0 };
    return no("disconnected", to, { closest, hint: "the nearest places of the two are 2.000 m apart, from (0.000, 2.000, 3.000) to (-2.000, 2.000, 3.000); `wayfare explain` shows it with -o X.svg" });
  }
  const narrow = way.map(({ portal }) => portal).filter((portal) => width(portal) / 2 < radius).sort((a, b) => width(a) - width(b))[0];
  if (narrow) {
    const available = width(narrow) / 2;
    return no("too-narrow", middle(narrow), { needed: radius, available, hint: `${(2 * (radius - available)).toFixed(3)} m more width there, or a body of radius ${available.toFixed(3)} m, would do; \`wayfare explain\` shows it with -o X.svg` });
  }
  const put = (point, cell) => [point[0], point[1], heightIn(point, CELLS[cell])];
  const points = [put(from, start), ...way.map(({ portal }) => middle(portal)), put(to, goal)];
  const profile = [];
  let gone = 0;
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    for (let j = k === 1 ? 0 : 1; j <= 16; j++) {
      const at = a.map((x, axis) => x + ((b[axis] - x) * j) / 16);
      profile.push([gone + (long * j) / 16, clearance(at)]);
    }
    gone += long;
  }
  return {
    found: true,
    length: points.slice(1).reduce((sum, point, k) => sum + distance(point, points[k]), 0),
    plan_length: gone,
    points,
    segments: points.slice(1).map((point, k) => ({ kind: "line", from: points[k], to: point })),
    cell_ids: [start, ...way.map(({ other }) => other)],
    radius,
    clearance: Math.min(...profile.map(([, room]) => room)),
    profile,
    way_point: points[1],
    expanded: ways.size,
    micros: 12.3,
    snapped: { start: 0, goal: 0 },
  };
}

function locate({ at }) {
  const cell = cellAt(at);
  if (cell < 0) return { found: false };
  return { found: true, cell, component: Number(cell === 8), storey: CELLS[cell].storey, point: at, distance: 0, clearance: clearance(at) };
}

const shares = ({ radius }) => ({
  shares: portals.flatMap((portal) => {
    const share = radius / width(portal);
    return share <= 0.5 ? [share, 1 - share] : [-1, -1];
  }),
});

const STAGES = ["read", "columns", "selection", "layers", "contours", "ground", "decompose", "clearance"];

/** A desk: `answer(question, send)` sends one or more messages. */
export function fakeDesk() {
  /** How long a third of a stage takes [ms]; a test that cancels makes it long, so that it is never too late. */
  const pace = { stageMs: 25 };
  const cancelled = new Set();
  const asked = [];
  async function bake({ id, settings }, send) {
    for (const stage of STAGES) {
      for (const share of [0, 0.5, 1]) {
        send({ id, progress: { stage, share } });
        await new Promise((resolve) => setTimeout(resolve, pace.stageMs));
        if (cancelled.has(id)) return send({ id, error: "the bake was cancelled" });
      }
    }
    const before = { cells: 9, portals: 7, area: 223.2, notches: 4 };
    const answer = { facts: { ...before, cells: 12, portals: 10 }, before, seconds: { total: 0.42 }, notes: ["ground inside closed solids left out: 1.0 m²"], command: `wayfare bake two-rooms.glb -o two-rooms.way --resolution ${settings.resolution}`, show: "show.bin" };
    send({ id, answer });
  }
  async function answer(question, send) {
    asked.push(question);
    const { id, ask } = question;
    switch (ask) {
      case "path":
        return send({ id, answer: path(question) });
      case "locate":
        return send({ id, answer: locate(question) });
      case "portals":
        return send({ id, answer: shares(question) });
      case "picture":
        return send({ id, answer: { svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>' } });
      case "bake":
        return bake(question, send);
      case "cancel":
        cancelled.add(question.bake);
        return send({ id, answer: {} });
      default:
        return send({ id, error: `nobody knows how to ${ask}` });
    }
  }
  return { answer, asked, path, pace };
}
