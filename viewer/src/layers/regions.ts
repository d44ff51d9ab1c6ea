// Convex regions of space as solids that a plane cuts open.
//
// Idea: a ray that enters a region through the cut next meets the inside of that region's own faces, as it is convex. These are drawn flat in
// its colour and as near as the cut, so that the cut looks closed although there is nothing in it.

import { BackSide, BufferAttribute, BufferGeometry, FrontSide, Group, Mesh, ShaderMaterial, Sphere, Vector4 } from "three";
import { categories, cellColours, css, INKS } from "../colours";
import { choice, option, slider } from "../controls";
import { Cut } from "../cut";
import { h } from "../dom";
import type { Show } from "../show";
import type { LayerKind, LegendItem } from "./layer";
import { Lines } from "./lines";

const COLOUR = "regions.colour";
const OPACITY = "regions.opacity";

/** With a flight in them regions are glass, so that it is seen. */
const usualOpacity = (show: Show) => (show.about.routes.length > 0 ? 0.25 : 1);

const VERTEX = `
attribute vec3 ink;
varying vec3 paint;
varying vec3 place;
// Depth before its division, here and in the eye; between them both are linear.
varying vec2 here;
varying float eye;
#include <common>
#include <clipping_planes_pars_vertex>
void main() {
  paint = ink;
  place = position;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  here = gl_Position.zw;
  eye = projectionMatrix[3][2];
  #include <clipping_planes_vertex>
}`;
const OUTSIDE = `
uniform float opacity;
varying vec3 paint;
varying vec3 place;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec3 normal = abs(normalize(cross(dFdx(place), dFdy(place))));
  float light = 0.95 * normal.z + 0.84 * normal.x + 0.72 * normal.y;
  gl_FragColor = vec4(paint * min(light, 1.0), opacity);
}`;
const INSIDE = `
uniform vec4 plane;
uniform float opacity;
varying vec3 paint;
varying vec3 place;
varying vec2 here;
varying float eye;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(paint, opacity);
  gl_FragDepth = gl_FragCoord.z;
  float camera = dot(plane.xyz, cameraPosition) + plane.w;
  float fragment = dot(plane.xyz, place) + plane.w;
  if (camera < 0.0 && fragment > camera) {
    float share = -camera / (fragment - camera);
    vec2 cut = vec2(eye * (1.0 - share) + here.x * share, here.y * share);
    gl_FragDepth = clamp(0.5 + 0.5 * cut.x / cut.y, 0.0, 1.0);
  }
}`;

export const regions: LayerKind = {
  name: "regions",
  title: "Regions",
  words: "Convex pieces of free space; the cut opens them.",
  legend(look, show) {
    const items: LegendItem[] =
      option(look, COLOUR, "id") === "kind"
        ? (show.about.regions?.kinds ?? []).map((words, kind) => ({ colour: css(categories(look.theme)[kind % 8]), mark: "area", words }))
        : [{ colour: cellColours(look.theme).map(css), mark: "area", words: "regions; colours only tell neighbours apart" }];
    if (show.floats("regions.portals")) items.push({ colour: INKS[look.theme].usable, mark: "line", words: "portal between two regions" });
    return items;
  },
  controls(store, show) {
    const hasKinds = show.bytes("region.kind") !== undefined;
    return h(
      "div",
      {},
      hasKinds && choice(store, COLOUR, "Colour by", { id: "region", kind: "kind" }, "id"),
      slider(store, OPACITY, "Opacity", {
        min: 0.05,
        max: 1,
        step: 0.05,
        usual: usualOpacity(show),
        words: (share) => (share < 1 ? `${Math.round(100 * share)} %: what lies behind shines through` : "solid"),
      }),
      Cut.controls(store, "regions", show),
    );
  },
  build({ show }) {
    const positions = show.floats("regions.positions");
    const triangles = show.numbers("regions.triangles");
    const owners = show.numbers("regions.region");
    const own = show.bytes("region.colour");
    if (!positions || !triangles || !owners || !own) return undefined;
    const kinds = show.bytes("region.kind");
    const cut = new Cut("regions", show);
    const ink = new BufferAttribute(new Uint8Array(positions.length), 3, true);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("ink", ink);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    const plane = new Vector4();
    const opacity = { value: 1 };
    const common = { vertexShader: VERTEX, clipping: true, clippingPlanes: cut.planes };
    const materials = [
      new ShaderMaterial({ ...common, fragmentShader: OUTSIDE, side: FrontSide, uniforms: { opacity }, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
      new ShaderMaterial({ ...common, fragmentShader: INSIDE, side: BackSide, uniforms: { plane: { value: plane }, opacity } }),
    ];
    const object = new Group();
    for (const material of materials) {
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      object.add(mesh);
    }
    const lines = (name: string, width: number, opacity?: number) => {
      const segments = show.floats(name);
      if (!segments) return undefined;
      const made = new Lines(segments, { width, opacity });
      made.object.position.z = 0;
      made.material.clippingPlanes = cut.planes;
      object.add(made.object);
      return made;
    };
    const edges = lines("regions.edges", 1.2, 0.55);
    const portals = lines("regions.portals", 3);

    let painted = "";
    return {
      object,
      update(look, changed) {
        if (changed.has("options")) {
          const [{ normal, constant }] = cut.update(look);
          plane.set(...normal.toArray(), constant);
          opacity.value = option(look, OPACITY, usualOpacity(show));
          for (const material of materials) {
            const isGlass = opacity.value < 1;
            if (material.transparent === isGlass) continue;
            material.transparent = isGlass;
            material.depthWrite = !isGlass;
            material.needsUpdate = true;
          }
        }
        const colour = option(look, COLOUR, "id");
        if (!changed.has("theme") && colour === painted) return;
        painted = colour;
        const [palette, numbers] = colour === "kind" && kinds ? [categories(look.theme), kinds] : [cellColours(look.theme), own];
        owners.forEach((region, vertex) => ink.array.set(palette[numbers[region] % palette.length], 3 * vertex));
        ink.needsUpdate = true;
        edges?.material.color.set(INKS[look.theme].wall);
        portals?.material.color.set(INKS[look.theme].usable);
      },
      dispose() {
        geometry.dispose();
        for (const material of materials) material.dispose();
        edges?.dispose();
        portals?.dispose();
      },
    };
  },
};
