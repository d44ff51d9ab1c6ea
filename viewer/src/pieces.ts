// The pieces of a path on the storey that is shown.
//
// Idea: a path changes its storey where it passes a portal between cells of two; it is cut there, and each piece belongs to the cell
// under its middle.

import type { Found, Point } from "./answers";
import type { Ground } from "./ground";
import type { Show } from "./show";

export type Piece = [Point, Point];

/** A path meets a portal over or under its own height by at most so much [m]. */
const SAME_HEIGHT = 1;

export function piecesOn(path: Found, show: Show, ground: Ground, storey: number | null): Piece[] {
  const points = path.points.map((point) => show.local(point));
  const all = points.slice(1).map((to, k): Piece => [points[k], to]);
  if (storey === null) return all;
  const doors = doorsBetweenStoreys(path.cell_ids, show, ground);
  return all
    .flatMap((piece) => cut(piece, doors))
    .filter((piece) => {
      const under = ground.under(at(piece, 0.5), null);
      return under && ground.isShown(under.cell, storey);
    });
}

/** The portals in which a path changes its storey. */
function doorsBetweenStoreys(cells: number[], show: Show, { storeyOf }: Ground): Piece[] {
  const [beside, ends] = [show.numbers("portals.cells"), show.floats("portals.positions")];
  if (!storeyOf || !beside || !ends) return [];
  const name = (one: number, two: number) => `${Math.min(one, two)} ${Math.max(one, two)}`;
  const wanted = new Set(cells.slice(1).flatMap((cell, k) => (storeyOf[cell] === storeyOf[cells[k]] ? [] : [name(cells[k], cell)])));
  const doors: Piece[] = [];
  for (let k = 0; wanted.size > 0 && k < beside.length / 2; k++) {
    if (storeyOf[beside[2 * k]] === storeyOf[beside[2 * k + 1]] || !wanted.has(name(beside[2 * k], beside[2 * k + 1]))) continue;
    doors.push([0, 3].map((end) => [...ends.subarray(6 * k + end, 6 * k + end + 3)]) as Piece);
  }
  return doors;
}

/** A piece in parts that end where it crosses doors, seen from above. */
function cut(piece: Piece, doors: Piece[]): Piece[] {
  const shares = [0, 1];
  const [[ax, ay], [bx, by]] = piece;
  for (const door of doors) {
    const [[px, py], [qx, qy]] = door;
    const turn = (bx - ax) * (qy - py) - (by - ay) * (qx - px);
    if (turn === 0) continue;
    const share = ((px - ax) * (qy - py) - (py - ay) * (qx - px)) / turn;
    const along = ((px - ax) * (by - ay) - (py - ay) * (bx - ax)) / turn;
    if (!(share > 0 && share < 1 && along >= 0 && along <= 1)) continue;
    if (Math.abs(at(piece, share)[2] - at(door, along)[2]) < SAME_HEIGHT) shares.push(share);
  }
  shares.sort((one, two) => one - two);
  return shares.slice(1).map((to, k): Piece => [at(piece, shares[k]), at(piece, to)]);
}

function at([from, to]: Piece, share: number): Point {
  return from.map((x, axis) => x + (to[axis] - x) * share) as Point;
}
