// The scene itself, as if of glass: of what lies one behind the other only the nearest face is seen, so walls stay clear however many there are.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  Sphere,
} from "three";
import { INKS } from "../colours";
import { h } from "../dom";
import type { LayerKind } from "./layer";

/** Triangles that are uploaded in one frame. */
const PART = 200_000;
/** The ground of cells is true to some centimetres; the scene is drawn that much lower, so that they do not flicker [m]. */
const SINK = 0.06;

export const scene: LayerKind = {
  name: "scene",
  title: "Scene",
  words: "The triangles that were read, walls, floors and furniture, as if of glass.",
  legend: (look) => [{ colour: INKS[look.theme].scene, mark: "area", words: "triangles of the scene" }],
  controls(store) {
    const slider = h("input", {
      type: "range",
      min: 0.05,
      max: 1,
      step: 0.05,
      value: store.look.sceneOpacity,
      "aria-label": "Opacity of the scene",
      oninput: () => store.set({ sceneOpacity: slider.valueAsNumber }),
    });
    return h("label", { class: "row" }, h("span", {}, "Opacity"), slider);
  },
  build({ show, positions: upload }) {
    const positions = show.floats("scene.positions");
    const triangles = show.numbers("scene.triangles");
    if (!positions || !triangles) return undefined;
    // Meshes take buffers that were made already, though their types do not say so.
    const place = upload(positions) as BufferAttribute;
    const glass = new MeshLambertMaterial({
      side: DoubleSide,
      forceSinglePass: true,
      flatShading: true,
      transparent: true,
      depthWrite: false,
    });
    // The same program as the glass, so that the depths are exactly the same.
    const depth = glass.clone();
    depth.depthWrite = true;
    depth.colorWrite = false;
    const object = new Group();
    object.position.z = -SINK;
    const parts: Group[] = [];
    const geometries: BufferGeometry[] = [];
    for (let from = 0; from < triangles.length; from += 3 * PART) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", place);
      geometry.setIndex(new BufferAttribute(triangles.subarray(from, from + 3 * PART), 1));
      geometry.boundingSphere = new Sphere(undefined, Infinity);
      geometries.push(geometry);
      const part = new Group();
      for (const [material, order] of [[depth, 20], [glass, 21]] as const) {
        const mesh = new Mesh(geometry, material);
        mesh.renderOrder = order;
        mesh.frustumCulled = false;
        part.add(mesh);
      }
      parts.push(part);
      object.add(part);
    }
    return {
      object,
      parts,
      update(look, changed) {
        if (changed.has("theme")) glass.color.set(INKS[look.theme].scene);
        if (changed.has("sceneOpacity")) glass.opacity = look.sceneOpacity;
      },
      dispose() {
        for (const geometry of geometries) geometry.dispose();
        glass.dispose();
        depth.dispose();
      },
    };
  },
};
