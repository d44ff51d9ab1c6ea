// A path through the air: a thick line, faint where regions hide it, and the body as a ball where the time line is.

import { Group, Mesh, MeshLambertMaterial, SphereGeometry } from "three";
import { INKS } from "../colours";
import { isFlight, trackOf } from "../track";
import { metres } from "../words";
import type { LayerKind } from "./layer";
import { Lines } from "./lines";

/** A body without a radius is drawn this large [m]. */
const SMALL = 0.08;

export const flight: LayerKind = {
  name: "flight",
  title: "Flight",
  words: "A short way through portals that keeps its radius from every wall.",
  legend: ({ theme, answer }) =>
    answer?.found
      ? [{ colour: INKS[theme].path, mark: "line", words: `flight of ${metres(answer.length)}; faint where something hides it` }]
      : [],
  build({ show }) {
    if (!show.about.regions) return undefined;
    const object = new Group();
    const ball = new SphereGeometry(1, 32, 16);
    const ballMaterial = new MeshLambertMaterial({ transparent: true, opacity: 0.85 });
    const body = new Mesh(ball, ballMaterial);
    body.renderOrder = 10;
    object.add(body);

    let lines: Lines[] = [];
    function clear(): void {
      for (const line of lines) {
        line.object.removeFromParent();
        line.dispose();
      }
      lines = [];
    }
    function draw(positions: Float32Array): void {
      clear();
      const seen = new Lines(positions, { width: 5, opacity: 1 });
      const hidden = new Lines(positions, { width: 4, opacity: 0.45 });
      hidden.material.depthTest = false;
      hidden.object.renderOrder = 8;
      seen.object.renderOrder = 9;
      lines = [seen, hidden];
      for (const line of lines) line.object.position.z = 0;
      object.add(seen.object, hidden.object);
    }

    return {
      object,
      update({ theme, answer, along }, changed) {
        const found = answer?.found && isFlight(answer) ? answer : undefined;
        if (changed.has("answer")) {
          if (found) draw(Float32Array.from(found.points.slice(1).flatMap((to, k) => [...show.local(found.points[k]), ...show.local(to)])));
          else clear();
        }
        if (changed.has("answer") || changed.has("theme")) {
          for (const line of lines) line.material.color.set(INKS[theme].path);
          ballMaterial.color.set(INKS[theme].path);
        }
        body.visible = found !== undefined && along !== null;
        if (!found || along === null) return;
        body.position.set(...show.local(trackOf(found).at(along)));
        body.scale.setScalar(Math.max(found.radius, SMALL));
      },
      dispose() {
        clear();
        ball.dispose();
        ballMaterial.dispose();
      },
    };
  },
};
