// The path as a thick line, faint where ground hides it; what the body sweeps as a ribbon on the ground; and the body itself
// where the time line or the pointer is.

import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NotEqualStencilFunc,
  ReplaceStencilOp,
} from "three";
import { INKS } from "../colours";
import { piecesOn, type Piece } from "../pieces";
import { trackOf } from "../track";
import { metres } from "../words";
import type { LayerKind } from "./layer";
import { LIFT, Lines } from "./lines";

/** Sides of the discs that round the ribbon's bends. */
const SIDES = 24;
/** A body without a radius is drawn this thin [m]. */
const THIN = 0.05;

export const path: LayerKind = {
  name: "path",
  title: "Path",
  words: "The shortest way that keeps its radius from every obstacle, and the width that the body sweeps.",
  legend: ({ theme, answer }) =>
    answer?.found
      ? [
          { colour: INKS[theme].path, mark: "line", words: "path; faint where ground hides it" },
          ...(answer.radius > 0
            ? [{ colour: INKS[theme].body, mark: "area" as const, words: `swept by the body, ${metres(2 * answer.radius)} wide` }]
            : []),
        ]
      : [],
  build({ show, ground }) {
    if (!ground) return undefined;
    const object = new Group();
    const ribbonMaterial = new MeshBasicMaterial({
      transparent: true,
      opacity: 0.32,
      depthWrite: false,
      side: DoubleSide,
      forceSinglePass: true,
      // Each pixel is painted once, however often pieces of the ribbon overlap.
      stencilWrite: true,
      stencilRef: 1,
      stencilFunc: NotEqualStencilFunc,
      stencilZPass: ReplaceStencilOp,
    });
    const ribbon = new Mesh(sweep([], 0), ribbonMaterial);
    ribbon.position.z = LIFT;
    ribbon.renderOrder = 7;
    ribbon.frustumCulled = false;

    const upright = new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const bodyMaterial = new MeshLambertMaterial({ transparent: true, opacity: 0.75 });
    const body = new Mesh(upright, bodyMaterial);
    body.renderOrder = 10;
    const height = typeof show.about.settings?.height === "number" ? show.about.settings.height : 1.8;
    object.add(ribbon, body);

    // Both lines share their positions and are made again when a path has more pieces than fit.
    let segments = new Float32Array(0);
    let lines: Lines[] = [];
    function reserve(count: number): void {
      if (count * 6 <= segments.length && lines.length > 0) return;
      segments = new Float32Array(6 * Math.max(2 * count, 256));
      for (const line of lines) {
        line.object.removeFromParent();
        line.dispose();
      }
      const seen = new Lines(segments, { width: 5, opacity: 1 });
      const hidden = new Lines(segments, { width: 3, opacity: 0.35 });
      hidden.material.depthTest = false;
      seen.object.position.z = 2 * LIFT;
      hidden.object.renderOrder = 8;
      seen.object.renderOrder = 9;
      lines = [seen, hidden];
      object.add(seen.object, hidden.object);
    }
    reserve(1);

    function draw(pieces: Piece[], radius: number): void {
      reserve(pieces.length);
      pieces.forEach((piece, k) => segments.set(piece.flat(), 6 * k));
      for (const line of lines) line.moved(pieces.length);
      ribbon.geometry.dispose();
      ribbon.geometry = sweep(pieces, radius);
    }

    return {
      object,
      update({ theme, answer, along, radius, storey }, changed) {
        if (changed.has("theme") || changed.has("answer")) {
          const inks = INKS[theme];
          for (const line of lines) line.material.color.set(inks.path);
          ribbonMaterial.color.set(inks.body);
          bodyMaterial.color.set(inks.path);
        }
        const isFound = answer !== null && answer.found;
        if (changed.has("answer") || changed.has("storey")) {
          if (isFound) {
            draw(piecesOn(answer, show, ground, storey), answer.radius);
            for (const line of lines) line.material.color.set(INKS[theme].path);
          }
          for (const line of lines) line.object.visible = isFound && answer.points.length > 1;
          ribbon.visible = isFound && answer.radius > 0;
        }
        body.visible = isFound && along !== null;
        if (isFound && along !== null) {
          body.position.set(...show.local(trackOf(answer).at(along)));
          const wide = Math.max(answer.radius ?? radius, THIN);
          body.scale.set(wide, wide, height);
        }
      },
      dispose() {
        for (const line of lines) line.dispose();
        ribbon.geometry.dispose();
        ribbonMaterial.dispose();
        upright.dispose();
        bodyMaterial.dispose();
      },
    };
  },
};

/** What a disc sweeps along pieces: a rectangle for each and a disc for each end. */
function sweep(pieces: Piece[], radius: number): BufferGeometry {
  const ends = pieces.flatMap(([from, to], k) => (k > 0 && pieces[k - 1][1] === from ? [to] : [from, to]));
  const positions = new Float32Array(3 * (4 * pieces.length + SIDES * ends.length));
  const index = new Uint32Array(3 * (2 * pieces.length + (SIDES - 2) * ends.length));
  let vertex = 0;
  let at = 0;
  const put = (x: number, y: number, z: number) => {
    positions.set([x, y, z], 3 * vertex);
    return vertex++;
  };
  for (const [[ax, ay, az], [bx, by, bz]] of pieces) {
    const long = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [(-(by - ay) / long) * radius, ((bx - ax) / long) * radius];
    const first = put(ax + nx, ay + ny, az);
    put(ax - nx, ay - ny, az);
    put(bx + nx, by + ny, bz);
    put(bx - nx, by - ny, bz);
    index.set([first, first + 1, first + 2, first + 2, first + 1, first + 3], at);
    at += 6;
  }
  for (const [x, y, z] of ends) {
    const first = vertex;
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      put(x + radius * Math.cos(angle), y + radius * Math.sin(angle), z);
    }
    for (let side = 2; side < SIDES; side++, at += 3) index.set([first, first + side - 1, first + side], at);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}
