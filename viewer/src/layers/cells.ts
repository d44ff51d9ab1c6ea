// The cells: the ground in colours by what is asked. One draw call; colours and storeys are rewritten in place.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshLambertMaterial, Sphere } from "three";
import { AMOUNTS, amount, categories, cellColours, css, INKS, rgb, type Rgb } from "../colours";
import { h } from "../dom";
import type { Show } from "../show";
import { step } from "../steps";
import { COLOURINGS, type Colouring, type Look } from "../store";
import { metres } from "../words";
import type { LayerKind, LegendItem } from "./layer";

const NAMES: Record<Colouring, string> = {
  id: "cell, neighbours differ",
  component: "piece of connected ground",
  storey: "storey",
  tag: "tag of the ground",
  clearance: "clearance, distance to the nearest obstacle",
};
/** The legend names so many categories; more are counted. */
const NAMED = 8;

export const cells: LayerKind = {
  name: "cells",
  title: "Cells",
  words: "Convex pieces of walkable ground that the map is made of.",
  legend,
  controls(store, show) {
    const select = h(
      "select",
      {
        "aria-label": "Colour of cells",
        onchange: () => store.set({ colouring: select.value as Colouring }),
      },
      ...COLOURINGS.filter((name) => name === "id" || hasNumbers(show, name)).map((name) =>
        h("option", { value: name, selected: name === store.look.colouring }, NAMES[name]),
      ),
    );
    return h("label", { class: "row" }, h("span", {}, "Colour by"), select);
  },
  build({ show, ground }) {
    if (!ground) return undefined;
    const colours = new Uint8Array(ground.positions.length);
    const index = new Uint32Array(ground.triangles);
    const geometry = new BufferGeometry();
    const colour = new BufferAttribute(colours, 3, true);
    const triangles = new BufferAttribute(index, 1);
    geometry.setAttribute("position", new BufferAttribute(ground.positions, 3));
    geometry.setAttribute("color", colour);
    geometry.setIndex(triangles);
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    const material = new MeshLambertMaterial({
      vertexColors: true,
      flatShading: true,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const object = new Mesh(geometry, material);
    object.frustumCulled = false;

    function paint(look: Readonly<Look>): void {
      const of = colourOfCells(show, look);
      const { cellOf } = ground!;
      let last = -1;
      let ink: Rgb = [0, 0, 0];
      for (let vertex = 0; vertex < cellOf.length; vertex++) {
        if (cellOf[vertex] !== last) {
          last = cellOf[vertex];
          ink = of(last);
        }
        colours[3 * vertex] = ink[0];
        colours[3 * vertex + 1] = ink[1];
        colours[3 * vertex + 2] = ink[2];
      }
      colour.needsUpdate = true;
    }

    let chosen: number | null = null;
    function choose(storey: number | null): void {
      if (storey === chosen) return;
      chosen = storey;
      let count = 0;
      const { triangles: all, cellOf, storeyOf } = ground!;
      for (let k = 0; k < all.length; k += 3) {
        if (storey !== null && storeyOf && storeyOf[cellOf[all[k]]] !== storey) continue;
        index[count] = all[k];
        index[count + 1] = all[k + 1];
        index[count + 2] = all[k + 2];
        count += 3;
      }
      triangles.needsUpdate = true;
      geometry.setDrawRange(0, count);
    }

    return {
      object,
      update(look, changed) {
        if (changed.has("theme") || changed.has("colouring")) step("colour cells", () => paint(look));
        if (changed.has("storey")) step("choose a storey", () => choose(look.storey));
      },
      dispose() {
        geometry.dispose();
        material.dispose();
      },
    };
  },
};

function numbersOf(show: Show, colouring: Colouring): ArrayLike<number> | undefined {
  switch (colouring) {
    case "id":
      return show.bytes("cell.colour");
    case "component":
      return show.numbers("cell.component");
    case "storey":
      return show.numbers("cell.storey");
    case "tag":
      return show.bytes("cell.tag");
    case "clearance":
      return show.floats("cell.clearance");
  }
}

function hasNumbers(show: Show, colouring: Colouring): boolean {
  if (colouring === "clearance") return largest(show) > 0;
  if (colouring === "tag") return show.about.tags.length > 0;
  return numbersOf(show, colouring) !== undefined;
}

function largest(show: Show): number {
  let most = 0;
  for (const room of show.floats("cell.clearance") ?? []) if (room > most && Number.isFinite(room)) most = room;
  return most;
}

function colourOfCells(show: Show, look: Readonly<Look>): (cell: number) => Rgb {
  const ground = colourOfGround(show, look);
  const gaps = show.bytes("cell.gap");
  const stride = rgb(INKS[look.theme].stride);
  return gaps ? (cell) => (gaps[cell] ? stride : ground(cell)) : ground;
}

function colourOfGround(show: Show, { colouring, theme }: Readonly<Look>): (cell: number) => Rgb {
  const numbers = numbersOf(show, colouring);
  if (colouring === "clearance") {
    const most = largest(show);
    const unknown = rgb(INKS[theme].unknown);
    const ramp = Array.from({ length: 256 }, (_, k) => amount(k / 255));
    return (cell) => (numbers && numbers[cell] >= 0 ? ramp[Math.round(Math.min(numbers[cell] / most, 1) * 255)] : unknown);
  }
  const palette = colouring === "id" ? cellColours(theme) : categories(theme);
  return (cell) => palette[(numbers?.[cell] ?? cell) % palette.length];
}

function legend(look: Readonly<Look>, show: Show): LegendItem[] {
  const { colouring, theme } = look;
  if (colouring === "id") {
    return [{ colour: cellColours(theme).map(css), mark: "area", words: "cells; colours only tell neighbours apart" }];
  }
  if (colouring === "clearance") {
    return [
      { colour: AMOUNTS, mark: "area", words: `0 to ${metres(largest(show))} from the middle of the cell to the nearest obstacle` },
      { colour: INKS[theme].unknown, mark: "area", words: "not known" },
    ];
  }
  const numbers = numbersOf(show, colouring) ?? [];
  const counts = new Map<number, number>();
  for (let cell = 0; cell < numbers.length; cell++) counts.set(numbers[cell], (counts.get(numbers[cell]) ?? 0) + 1);
  const kinds = [...counts].sort(([a], [b]) => a - b);
  const palette = categories(theme);
  const title = { component: "piece", storey: "storey", tag: "tag" }[colouring];
  const items: LegendItem[] = kinds.slice(0, NAMED).map(([kind, count]) => ({
    colour: css(palette[kind % palette.length]),
    mark: "area",
    words: `${colouring === "tag" ? (show.about.tags[kind] ?? `tag ${kind}`) : `${title} ${kind}`}: ${count.toLocaleString("en")} ${count === 1 ? "cell" : "cells"}`,
  }));
  if (kinds.length > NAMED) {
    items.push({ colour: palette.map(css), mark: "area", words: `and ${kinds.length - NAMED} more; colours repeat` });
  }
  return items;
}
