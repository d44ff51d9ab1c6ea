// A small house as a show, to see the page without the server: two rooms with a door, a ramp to a second storey, an island that
// cannot be reached. As a command it writes one: node test/make-show.mjs [big] FILE
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Corners of each cell, storey and tag; corners lie wherever another cell begins. */
export const CELLS = [
  { storey: 0, tag: 0, corners: [[0, 0, 0], [6, 0, 0], [6, 3.5, 0], [6, 4.5, 0], [6, 8, 0], [0, 8, 0]] },
  { storey: 0, tag: 0, corners: [[6, 3.5, 0], [6.4, 3.5, 0], [6.4, 4.5, 0], [6, 4.5, 0]] },
  { storey: 0, tag: 0, corners: [[6.4, 0, 0], [10, 0, 0], [10, 8, 0], [6.4, 8, 0], [6.4, 4.5, 0], [6.4, 3.5, 0]] },
  { storey: 0, tag: 0, corners: [[10, 0, 0], [14, 0, 0], [14, 6, 0], [14, 7.2, 0], [14, 8, 0], [10, 8, 0]] },
  { storey: 0, tag: 1, corners: [[14, 6, 0], [18, 6, 3], [18, 7.2, 3], [14, 7.2, 0]] },
  { storey: 1, tag: 0, corners: [[18, 2, 3], [20, 2, 3], [20, 7.2, 3], [18, 7.2, 3], [18, 6, 3], [18, 3.2, 3]] },
  { storey: 1, tag: 0, corners: [[14, 2, 3], [18, 2, 3], [18, 3.2, 3], [14, 3.2, 3]] },
  { storey: 1, tag: 0, corners: [[0, 0, 3], [14, 0, 3], [14, 2, 3], [14, 3.2, 3], [14, 5, 3], [0, 5, 3]] },
  { storey: 1, tag: 2, corners: [[-6, 0, 3], [-2, 0, 3], [-2, 4, 3], [-6, 4, 3]] },
];
const TAGS = ["floor", "stairs", "roof"];
const ORIGIN = [7, 4, 1.5];
const WALL = 2.6;

/** Stages of the bake: floors in layers, and some voxels; low corner, size, and the rise along x. */
const FLOORS = [
  { layer: 0, low: [0, 0, 0], size: [6, 8, 0] },
  { layer: 0, low: [6.4, 0, 0], size: [7.6, 8, 0] },
  { layer: 0, low: [14, 6, 0], size: [4, 1.2, 0], rise: 3 },
  { layer: 1, low: [0, 0, 3], size: [14, 5, 0] },
];
const VOXELS = [0, 1, 2, 3].map((kind) => ({ kind, low: [2 * kind, 2, 0], size: [1, 1, 1 + kind / 2] }));

/** Edges of the cells: those of two cells are portals, the others the boundary. */
export function edgesOf(cells = CELLS) {
  const open = new Map();
  const portals = [];
  cells.forEach(({ corners }, cell) => {
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % corners.length];
      const twin = open.get(`${to} ${from}`);
      if (twin) {
        open.delete(`${to} ${from}`);
        portals.push({ from, to, cells: [cell, twin.cell] });
      } else open.set(`${from} ${to}`, { from, to, cell, storey: cells[cell].storey });
    });
  });
  return { portals, boundary: [...open.values()] };
}

export const width = ({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]);

/** The file of a show. */
export function pack(about, arrays) {
  const TYPES = new Map([[Float32Array, "f32"], [Uint32Array, "u32"], [Uint8Array, "u8"]]);
  const places = {};
  const parts = [];
  let at = 0;
  for (const [name, array] of Object.entries(arrays)) {
    places[name] = { type: TYPES.get(array.constructor), at, count: array.length };
    const size = Math.ceil(array.byteLength / 8) * 8;
    parts.push(Buffer.from(array.buffer, array.byteOffset, array.byteLength), Buffer.alloc(size - array.byteLength));
    at += size;
  }
  let json = Buffer.from(JSON.stringify({ ...about, arrays: places }));
  json = Buffer.concat([json, Buffer.alloc((8 - ((12 + json.length) % 8)) % 8, " ")]);
  const head = Buffer.alloc(12);
  head.write("WAYSHOW1", "latin1");
  head.writeUInt32LE(json.length, 8);
  return Buffer.concat([head, json, ...parts]);
}

/** The house. */
export function makeShow(more = {}) {
  const local = (points) => Float32Array.from(points.flatMap((point) => point.map((x, axis) => x - ORIGIN[axis])));
  const { portals, boundary } = edgesOf();
  const positions = [];
  const triangles = [];
  const owners = [];
  CELLS.forEach(({ corners }, cell) => {
    const first = positions.length;
    positions.push(...corners);
    owners.push(...corners.map(() => cell));
    for (let k = 2; k < corners.length; k++) triangles.push(first, first + k - 1, first + k);
  });
  const boxes = (all) => Float32Array.from(all.flatMap(({ low, size, rise = 0 }) => [...low.map((x, axis) => x - ORIGIN[axis]), ...size, rise]));
  const walls = { positions: [], triangles: [] };
  const quad = (a, b, c, d) => {
    const first = walls.positions.length;
    walls.positions.push(a, b, c, d);
    walls.triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  const up = ([x, y, z], by) => [x, y, z + by];
  for (const { from, to, storey } of boundary) if (storey === 0 && from[2] === 0 && to[2] === 0) quad(from, to, up(to, WALL), up(from, WALL));
  quad([6, 3.5, 2.1], [6, 4.5, 2.1], [6, 4.5, WALL], [6, 3.5, WALL]);
  quad([6.4, 3.5, 2.1], [6.4, 4.5, 2.1], [6.4, 4.5, WALL], [6.4, 3.5, WALL]);
  for (const { corners, storey } of CELLS) {
    if (corners.length >= 4 && storey === 1) {
      const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y), z = corners[0][2];
      const [a, b, c, d] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      quad([a, c, z - 0.2], [b, c, z - 0.2], [b, d, z - 0.2], [a, d, z - 0.2]);
    }
  }
  return pack(
    {
      title: "two-rooms.glb",
      command: "wayfare bake two-rooms.glb -o two-rooms.way --resolution 0.05",
      origin: ORIGIN,
      bounds: [[-6, 0, 0], [20, 8, 3.2]],
      live: true,
      settings: { height: 1.8, step: 0.4, slope: 45, resolution: 0.05, simplify: null, "min-area": 0.1, faces: "both", keep: "all", "keep-inside": false, "convex-distance": 0, shape: 0 },
      facts: { kind: "navmesh", cells: 9, portals: 7, vertices: 38, components: 2, storeys: 2, area: 223.2, notches: 4, holes: 0, tags: TAGS },
      tags: TAGS,
      routes: [],
      ...more,
    },
    {
      "scene.positions": local(walls.positions),
      "scene.triangles": Uint32Array.from(walls.triangles),
      "scene.tags": new Uint8Array(walls.triangles.length / 3),
      "cells.positions": local(positions),
      "cells.triangles": Uint32Array.from(triangles),
      "cells.cell": Uint32Array.from(owners),
      "cell.component": Uint32Array.from(CELLS, (_, cell) => Number(cell === 8)),
      "cell.storey": Uint32Array.from(CELLS, ({ storey }) => storey),
      "cell.tag": Uint8Array.from(CELLS, ({ tag }) => tag),
      "cell.colour": Uint8Array.from(CELLS, (_, cell) => cell % 6),
      "cell.clearance": Float32Array.from([3, 0.5, 1.8, 2, 0.6, 1, 0.6, 2.5, 2]),
      "portals.positions": local(portals.flatMap(({ from, to }) => [from, to])),
      "portals.cells": Uint32Array.from(portals.flatMap(({ cells }) => cells)),
      "portals.critical": Float32Array.from(portals, (portal) => width(portal) / 2),
      "boundary.positions": local(boundary.flatMap(({ from, to }) => [from, to])),
      "boundary.kind": Uint8Array.from(boundary, ({ from }) => Number(from[2] > 0)),
      "boundary.drop": Float32Array.from(boundary, ({ from }) => from[2]),
      "boundary.cell": Uint32Array.from(boundary, ({ cell }) => cell),
      "plan.positions": local([...boundary, portals[4]].flatMap(({ from, to }) => [from, to])),
      "plan.kind": Uint8Array.from([...boundary.map(({ from }) => Number(from[2] > 0)), 2]),
      "plan.layer": Uint32Array.from([...boundary.map(({ storey }) => storey), 1]),
      "plan.cell": Uint32Array.from([...boundary.map(({ cell }) => cell), portals[4].cells[0]]),
      "floors.boxes": boxes(FLOORS),
      "floors.layer": Uint32Array.from(FLOORS, ({ layer }) => layer),
      "voxels.boxes": boxes(VOXELS),
      "voxels.kind": Uint8Array.from(VOXELS, ({ kind }) => kind),
    },
  );
}

/** A show without ground: a hill with the distance from its middle, in two charts, one corner not reached; a path over it. */
export function makeSurfaceShow(side = 60) {
  const at = (i, j) => [(i * 20) / side - 10, (j * 20) / side - 10];
  const height = (x, y) => 4 * Math.exp(-(x * x + y * y) / 30);
  const [positions, distances, slopes, charts, triangles] = [[], [], [], [], []];
  // The two halves do not share vertices.
  for (const chart of [0, 1]) {
    const first = positions.length / 3;
    const rows = side / 2;
    for (let j = 0; j <= rows; j++) {
      for (let i = 0; i <= side; i++) {
        const [x, y] = at(i, j + chart * rows);
        positions.push(x, y, height(x, y));
        distances.push(i === side && j === rows && chart === 1 ? Infinity : Math.hypot(x, y));
        slopes.push(height(x, y));
        charts.push(chart);
        const k = first + j * (side + 1) + i;
        if (i < side && j < rows) triangles.push(k, k + 1, k + side + 2, k, k + side + 2, k + side + 1);
      }
    }
  }
  const over = Array.from({ length: 41 }, (_, k) => [k / 2 - 10, k / 4 - 5]).map(([x, y]) => [x, y, height(x, y) + 0.02]);
  return pack(
    { title: "hill.ply", origin: [0, 0, 0], bounds: [[-10, -10, 0], [10, 10, 4]], live: false, facts: { vertices: positions.length / 3 }, surface: { fields: [{ name: "distance from the source", unit: "m" }, { name: "height", unit: "m" }] } },
    {
      "surface.positions": Float32Array.from(positions),
      "surface.triangles": Uint32Array.from(triangles),
      "surface.chart": Uint32Array.from(charts),
      "surface.field.0": Float32Array.from(distances),
      "surface.field.1": Float32Array.from(slopes),
      "surface.paths": Float32Array.from(over.slice(1).flatMap((to, k) => [...over[k], ...to])),
    },
  );
}

/** A show without ground: boxes side by side and over each other, and a portal; perhaps a flight through them. */
export function makeRegionsShow(more = {}) {
  const boxes = [[[0, 0, 0], [4, 4, 2]], [[4, 0, 0], [8, 4, 4]], [[0, 0, 2], [4, 4, 4]], [[0, 4, 0], [8, 6, 4]]];
  const corner = ([low, high], k) => [0, 1, 2].map((axis) => (((k >> axis) & 1) === 1 ? high : low)[axis]);
  const FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const positions = [];
  const [triangles, owners, edges] = [[], [], []];
  boxes.forEach((box, region) => {
    for (const face of FACES) {
      const first = owners.length;
      positions.push(...face.map((k) => corner(box, k)));
      owners.push(region, region, region, region);
      triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
      face.forEach((k, j) => k < face[(j + 1) % 4] && edges.push(corner(box, k), corner(box, face[(j + 1) % 4])));
    }
  });
  const portal = [[4, 0, 0], [4, 4, 0], [4, 4, 2], [4, 0, 2]];
  return pack(
    { title: "station.wayvol", origin: [0, 0, 0], bounds: [[0, 0, 0], [8, 6, 4]], live: false, facts: { regions: 4 }, regions: { kinds: ["air", "a body can stand in it"] }, ...more },
    {
      "regions.positions": Float32Array.from(positions.flat()),
      "regions.triangles": Uint32Array.from(triangles),
      "regions.region": Uint32Array.from(owners),
      "regions.edges": Float32Array.from(edges.flat()),
      "regions.portals": Float32Array.from(portal.flatMap((from, k) => [...from, ...portal[(k + 1) % 4]])),
      "region.colour": Uint8Array.from([0, 1, 2, 3]),
      "region.kind": Uint8Array.from([1, 1, 0, 1]),
    },
  );
}

/** A show without ground: two bodies of different sizes that walk along x, the second from the third frame on; two frames a second. */
export function makeCrowdShow(frames = 21) {
  const [starts, bodies, positions] = [[0], [], []];
  for (let frame = 0; frame < frames; frame++) {
    bodies.push(0);
    positions.push(frame / 2 - 5, -2, 0);
    if (frame >= 2) {
      bodies.push(1);
      positions.push(frame / 2 - 5, 2, 0);
    }
    starts.push(bodies.length);
  }
  return pack(
    { title: "run.sqlite", origin: [0, 0, 0], bounds: [[-6, -4, 0], [6, 4, 2]], live: false, facts: {}, crowd: { frame_rate: 2 } },
    {
      "crowd.starts": Uint32Array.from(starts),
      "crowd.body": Uint32Array.from(bodies),
      "crowd.positions": Float32Array.from(positions),
      "crowd.radii": Float32Array.from([0.5, 0.8]),
    },
  );
}

/** Rolling ground of many square cells, and many triangles over it. */
export function makeBigShow({ cells = 50_000, triangles = 1_000_000, live = false } = {}) {
  const side = Math.ceil(Math.sqrt(cells));
  const count = side * side;
  const height = (x, y) => 2 * Math.sin(x / 9) * Math.cos(y / 11);
  const arrays = {
    "scene.positions": new Float32Array((triangles / 4) * 5 * 3),
    "scene.triangles": new Uint32Array(triangles * 3),
    "cells.positions": new Float32Array(count * 12),
    "cells.triangles": new Uint32Array(count * 6),
    "cells.cell": new Uint32Array(count * 4),
    "cell.component": new Uint32Array(count),
    "cell.storey": new Uint32Array(count),
    "cell.tag": new Uint8Array(count),
    "cell.colour": new Uint8Array(count),
    "cell.clearance": new Float32Array(count),
    "portals.positions": new Float32Array(side * (side - 1) * 2 * 6),
    "portals.cells": new Uint32Array(side * (side - 1) * 2 * 2),
    "portals.critical": new Float32Array(side * (side - 1) * 2),
    "boundary.positions": new Float32Array(side * 4 * 6),
    "boundary.kind": new Uint8Array(side * 4),
    "boundary.drop": new Float32Array(side * 4),
    "boundary.cell": new Uint32Array(side * 4),
  };
  const at = (x, y) => [x - side / 2, y - side / 2, height(x, y)];
  let portal = 0;
  const join = (from, to, one, two) => {
    arrays["portals.positions"].set([...from, ...to], 6 * portal);
    arrays["portals.cells"].set([one, two], 2 * portal);
    arrays["portals.critical"][portal++] = 0.5;
  };
  for (let cell = 0; cell < count; cell++) {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    arrays["cells.positions"].set([...at(x, y), ...at(x + 1, y), ...at(x + 1, y + 1), ...at(x, y + 1)], 12 * cell);
    arrays["cells.triangles"].set([0, 1, 2, 0, 2, 3].map((k) => 4 * cell + k), 6 * cell);
    arrays["cells.cell"].fill(cell, 4 * cell, 4 * cell + 4);
    arrays["cell.storey"][cell] = Number(x > side / 2);
    arrays["cell.colour"][cell] = (x + 2 * y) % 6;
    arrays["cell.clearance"][cell] = Math.min(x, y, side - x, side - y) / 10;
    if (x + 1 < side) join(at(x + 1, y), at(x + 1, y + 1), cell, cell + 1);
    if (y + 1 < side) join(at(x, y + 1), at(x + 1, y + 1), cell, cell + side);
  }
  for (let k = 0; k < side; k++) {
    const edges = [[[k, 0], [k + 1, 0]], [[k, side], [k + 1, side]], [[0, k], [0, k + 1]], [[side, k], [side, k + 1]]];
    edges.forEach(([from, to], j) => arrays["boundary.positions"].set([...at(...from), ...at(...to)], 6 * (4 * k + j)));
  }
  const rectangles = 100_000;
  arrays["floors.boxes"] = new Float32Array(7 * rectangles);
  arrays["floors.layer"] = new Uint32Array(rectangles);
  for (let k = 0; k < rectangles; k++) {
    const [x, y] = [(k % 200) / 200 * side, Math.floor(k / 200) / 500 * side];
    arrays["floors.boxes"].set([...at(x, y), side / 200, side / 500, 0, 0], 7 * k);
  }
  // Pyramids of four triangles and five corners.
  const positions = arrays["scene.positions"];
  for (let k = 0; k + 4 <= triangles; k += 4) {
    const [x, y] = [((k * 7919) % 100_003) / 100_003 * side, ((k * 104_729) % 100_019) / 100_019 * side];
    const first = (5 * k) / 4;
    const [px, py, pz] = at(x, y);
    positions.set([px, py, pz, px + 0.3, py, pz, px + 0.3, py + 0.3, pz, px, py + 0.3, pz, px + 0.15, py + 0.15, pz + 1], 3 * first);
    arrays["scene.triangles"].set([0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4].map((j) => first + j), 3 * k);
  }
  const about = {
    title: "large",
    command: "wayfare bake large.glb -o large.way",
    origin: [0, 0, 0],
    bounds: [[-side / 2, -side / 2, -2], [side / 2, side / 2, 3]],
    live,
    settings: null,
    facts: { kind: "navmesh", cells: count, portals: portal },
    tags: ["ground"],
    routes: [],
  };
  return pack(about, arrays);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isBig = process.argv[2] === "big";
  const file = process.argv[isBig ? 3 : 2] ?? "show.bin";
  writeFileSync(file, isBig ? makeBigShow() : makeShow());
}
