// Finds the cell that an edge belongs to: the one that has both of its ends among its vertices.
//
// Steps: 1. chain the vertices by a hash of their place, to the millimetre  2. for each edge, try the cells at its one end
// Cost: linear, in pieces so that the page stays awake.

import type { Ground } from "./ground";
import { pause, step } from "./steps";

const PIECE = 50_000;
/** Ends and vertices may be rounded differently [m]. */
const NEAR = 2e-3;

export async function cellsOfEdges(edges: Float32Array, ground: Ground): Promise<Int32Array> {
  const { positions, cellOf } = ground;
  const mask = 2 ** Math.ceil(Math.log2(2 * cellOf.length)) - 1;
  const heads = new Int32Array(mask + 1).fill(-1);
  const next = new Int32Array(cellOf.length);
  const slot = (x: number, y: number) =>
    (Math.imul(Math.round(x * 1000), 73_856_093) ^ Math.imul(Math.round(y * 1000), 19_349_663)) & mask;

  await inPieces("chain vertices", cellOf.length, (vertex) => {
    const at = slot(positions[3 * vertex], positions[3 * vertex + 1]);
    next[vertex] = heads[at];
    heads[at] = vertex;
  });

  const isAt = (vertex: number, end: number) =>
    Math.abs(positions[3 * vertex] - edges[end]) < NEAR &&
    Math.abs(positions[3 * vertex + 1] - edges[end + 1]) < NEAR &&
    Math.abs(positions[3 * vertex + 2] - edges[end + 2]) < NEAR;
  const found = new Int32Array(edges.length / 6).fill(-1);
  await inPieces("find the edges' cells", found.length, (edge) => {
    const [from, to] = [6 * edge, 6 * edge + 3];
    for (let one = heads[slot(edges[from], edges[from + 1])]; one >= 0 && found[edge] < 0; one = next[one]) {
      if (!isAt(one, from)) continue;
      for (let two = heads[slot(edges[to], edges[to + 1])]; two >= 0; two = next[two]) {
        if (cellOf[two] === cellOf[one] && isAt(two, to)) found[edge] = cellOf[one];
      }
    }
  });
  return found;
}

async function inPieces(name: string, count: number, work: (k: number) => void): Promise<void> {
  for (let from = 0; from < count; from += PIECE) {
    step(name, () => {
      for (let k = from; k < Math.min(from + PIECE, count); k++) work(k);
    });
    await pause();
  }
}
