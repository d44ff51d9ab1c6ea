// The corridor: the cells that the path goes through.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial, Sphere } from "three";
import { INKS } from "../colours";
import type { LayerKind } from "./layer";
import { LIFT } from "./lines";

export const corridor: LayerKind = {
  name: "corridor",
  title: "Corridor",
  words: "The cells that the path goes through.",
  legend: ({ theme, answer }) => (!answer?.found ? [] : [{ colour: INKS[theme].corridor, mark: "area", words: "cells of the path" }]),
  build({ ground }) {
    if (!ground) return undefined;
    const place = new BufferAttribute(ground.positions, 3);
    const material = new MeshBasicMaterial({
      transparent: true,
      opacity: 0.2,
      depthWrite: false,
      side: DoubleSide,
      forceSinglePass: true,
    });
    const object = new Mesh(geometry([]), material);
    object.position.z = LIFT / 2;
    object.renderOrder = 6;
    object.frustumCulled = false;

    function geometry(cells: number[], storey: number | null = null): BufferGeometry {
      const triangles = cells.filter((cell) => cell < ground!.cells && ground!.isShown(cell, storey)).flatMap((cell) => [...ground!.trianglesOf(cell)]);
      const index = new Uint32Array(3 * triangles.length);
      triangles.forEach((k, at) => index.set(ground!.triangles.subarray(3 * k, 3 * k + 3), 3 * at));
      const made = new BufferGeometry();
      made.setAttribute("position", place);
      made.setIndex(new BufferAttribute(index, 1));
      made.boundingSphere = new Sphere(undefined, Infinity);
      return made;
    }

    return {
      object,
      update({ theme, answer, storey }, changed) {
        if (changed.has("theme")) material.color.set(INKS[theme].corridor);
        if (!changed.has("answer") && !changed.has("storey")) return;
        // Positions are shared: their upload must outlive the old index.
        const old = object.geometry;
        object.geometry = geometry(answer?.found ? answer.cell_ids : [], storey);
        old.deleteAttribute("position");
        old.dispose();
        object.visible = Boolean(answer?.found);
      },
      dispose() {
        object.geometry.dispose();
        material.dispose();
      },
    };
  },
};
