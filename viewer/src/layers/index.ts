// All layers, from the ground up. A new one gets its line here.

import { boundary } from "./boundary";
import { cells } from "./cells";
import { corridor } from "./corridor";
import { crowd } from "./crowd";
import { flight } from "./flight";
import { floors } from "./floors";
import { gaps } from "./gaps";
import type { LayerKind } from "./layer";
import { path } from "./path";
import { plan } from "./plan";
import { portals } from "./portals";
import { reason } from "./reason";
import { regions } from "./regions";
import { scene } from "./scene";
import { surface } from "./surface";
import { voxels } from "./voxels";
import { wayPoint } from "./way_point";

export const LAYERS: LayerKind[] = [
  scene, surface, regions, cells, portals, boundary, gaps, corridor, path, flight, wayPoint, reason, crowd, voxels, floors, plan,
];
