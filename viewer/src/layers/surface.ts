// A surface with a number by vertex: colours of amounts, isolines drawn by the shader, or its charts; and paths on it.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, ShaderMaterial, Sphere } from "three";
import { AMOUNTS, categories, css, INKS } from "../colours";
import { choice, option, slider } from "../controls";
import { h } from "../dom";
import type { Show } from "../show";
import { step } from "../steps";
import type { Look } from "../store";
import type { LayerKind, LegendItem } from "./layer";
import { Lines } from "./lines";

const COLOUR = "surface.colour";
const ISOLINES = "surface.isolines";
const USUAL_ISOLINES = 20;
const CHART = "chart";
/** Where a vertex has no number. */
const NONE = -1e30;

const VERTEX = `
attribute float value;
attribute vec3 tint;
varying float amount;
varying vec3 chart;
varying vec3 place;
#include <common>
#include <clipping_planes_pars_vertex>
void main() {
  amount = value;
  chart = tint;
  place = position;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;
const FRAGMENT = `
uniform float low;
uniform float high;
uniform float gap;
uniform bool isChart;
uniform vec3 stops[${AMOUNTS.length}];
uniform vec3 unknown;
varying float amount;
varying vec3 chart;
varying vec3 place;
#include <clipping_planes_pars_fragment>
vec3 paint() {
  if (isChart) return chart;
  if (amount < ${(NONE / 10).toExponential()}) return unknown;
  float at = clamp((amount - low) / max(high - low, 1e-20), 0.0, 1.0) * ${(AMOUNTS.length - 1).toFixed(1)};
  int first = min(int(at), ${AMOUNTS.length - 2});
  vec3 ink = mix(stops[first], stops[first + 1], at - float(first));
  if (gap <= 0.0) return ink;
  float line = amount / gap;
  float pixels = abs(fract(line - 0.5) - 0.5) / max(fwidth(line), 1e-9);
  return mix(ink * 0.35, ink, smoothstep(0.5, 1.3, pixels));
}
void main() {
  #include <clipping_planes_fragment>
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  float light = 0.72 + 0.2 * abs(normal.z) + 0.08 * abs(normal.x);
  gl_FragColor = vec4(paint() * light, 1.0);
}`;

interface Field {
  name: string;
  unit: string;
  values: Float32Array;
  low: number;
  high: number;
}

const known = new WeakMap<Show, Field[]>();

/** The fields of a show, with their ranges. */
function fieldsOf(show: Show): Field[] {
  let fields = known.get(show);
  if (fields) return fields;
  fields = (show.about.surface?.fields ?? []).flatMap(({ name, unit }, k) => {
    const values = show.floats(`surface.field.${k}`);
    if (!values) return [];
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low <= high ? { name, unit, values, low, high } : { name, unit, values, low: 0, high: 0 }];
  });
  known.set(show, fields);
  return fields;
}

/** What it is coloured by: a field, or its charts. */
function chosen(look: Readonly<Look>, show: Show): Field | undefined {
  const fields = fieldsOf(show);
  const name = option(look, COLOUR, "0");
  return name === CHART ? undefined : (fields[Number(name)] ?? fields[0]);
}

/** A round number so that about so many isolines are seen; none if there are to be none. */
function gapOf({ low, high }: Field, look: Readonly<Look>): number {
  const count = option(look, ISOLINES, USUAL_ISOLINES);
  if (count === 0 || high <= low) return 0;
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  // Up to a third more lines than asked for, or fewer.
  return power * ([1, 2, 5].find((digit) => 1.33 * digit * power >= raw) ?? 10);
}

const said = (value: number, unit: string) => `${Number(value.toPrecision(3))}${unit && ` ${unit}`}`;

export const surface: LayerKind = {
  name: "surface",
  title: "Surface",
  words: "The surface in colours of what is known at each of its points, with lines through points of equal value.",
  legend(look, show) {
    const field = chosen(look, show);
    const items: LegendItem[] = [];
    if (field) {
      const { name, unit, low, high } = field;
      const gap = gapOf(field, look);
      items.push({ colour: AMOUNTS, mark: "area", words: `${name}, ${said(low, unit)} to ${said(high, unit)}` });
      if (gap > 0) items.push({ colour: "#3a4656", mark: "thin", words: `isoline, every ${said(gap, unit)}` });
      if (field.values.some((value) => !Number.isFinite(value))) items.push({ colour: INKS[look.theme].unknown, mark: "area", words: "not reached" });
    } else items.push({ colour: categories(look.theme).map(css), mark: "area", words: "charts; colours repeat" });
    if (show.floats("surface.paths")) items.push({ colour: INKS[look.theme].path, mark: "line", words: "path on the surface" });
    return items;
  },
  controls(store, show) {
    const words = Object.fromEntries(fieldsOf(show).map(({ name }, k) => [String(k), name]));
    if (show.numbers("surface.chart")) words[CHART] = "chart";
    const range = { min: 0, max: 60, step: 1, usual: USUAL_ISOLINES, words: (count: number) => (count === 0 ? "none" : `about ${count}`) };
    return h("div", {}, choice(store, COLOUR, "Colour by", words, "0"), slider(store, ISOLINES, "Isolines", range));
  },
  build({ show }) {
    const positions = show.floats("surface.positions");
    const triangles = show.numbers("surface.triangles");
    if (!positions || !triangles) return undefined;
    // Charts beside each other differ in their colours' numbers.
    const colours = show.numbers("surface.colour") ?? show.numbers("surface.chart");
    const count = positions.length / 3;
    const value = new BufferAttribute(new Float32Array(count), 1);
    const tint = new BufferAttribute(new Uint8Array(3 * count), 3, true);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("value", value);
    geometry.setAttribute("tint", tint);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    const uniforms = {
      low: { value: 0 },
      high: { value: 1 },
      gap: { value: 0 },
      isChart: { value: false },
      stops: { value: AMOUNTS.map((hex) => new Color(hex)) },
      unknown: { value: new Color() },
    };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, clipping: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    const object = new Group().add(mesh);
    const segments = show.floats("surface.paths");
    const paths = segments && new Lines(segments, { width: 4 });
    if (paths) {
      paths.object.position.z = 0;
      object.add(paths.object);
    }

    let drawn: Field | undefined;
    function draw(field: Field | undefined): void {
      if (field && field !== drawn) {
        field.values.forEach((number, vertex) => (value.array[vertex] = Number.isFinite(number) ? number : NONE));
        value.needsUpdate = true;
        drawn = field;
      }
    }
    return {
      object,
      update(look, changed) {
        if (changed.has("theme")) {
          uniforms.unknown.value.set(INKS[look.theme].unknown);
          paths?.material.color.set(INKS[look.theme].path);
          const palette = categories(look.theme);
          for (let vertex = 0; vertex < count; vertex++) tint.array.set(palette[(colours?.[vertex] ?? 0) % palette.length], 3 * vertex);
          tint.needsUpdate = true;
        }
        if (!changed.has("options")) return;
        const field = chosen(look, show);
        step("draw a field", () => draw(field));
        uniforms.isChart.value = !field;
        if (!field) return;
        uniforms.low.value = field.low;
        uniforms.high.value = field.high;
        uniforms.gap.value = gapOf(field, look);
      },
      dispose() {
        geometry.dispose();
        material.dispose();
        paths?.dispose();
      },
    };
  },
};
