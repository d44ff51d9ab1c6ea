"""Exact distances by pygeodesic and heat distances by potpourri3d, one command per line on standard input.

mesh VERTICES.f64 FACES.i64   reads raw arrays
exact SOURCE OUT.f64          prints seconds of processor time and peak memory [MB], writes the distances
heat SOURCE OUT.f64           prints seconds to prepare and to solve, writes the distances
"""

import resource
import sys
import time

import numpy as np
import potpourri3d
from pygeodesic import geodesic


def main():
    vertices = faces = exact = None
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "mesh":
            vertices = np.fromfile(rest[0], dtype="<f8").reshape(-1, 3)
            faces = np.fromfile(rest[1], dtype="<i8").reshape(-1, 3)
            exact = None
            print("ok", flush=True)
        elif command == "exact":
            if exact is None:
                exact = geodesic.PyGeodesicAlgorithmExact(vertices, faces)
            begin = time.process_time()
            distances, _ = exact.geodesicDistances([int(rest[0])], None)
            seconds = time.process_time() - begin
            np.asarray(distances, dtype="<f8").tofile(rest[1])
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(seconds, peak, flush=True)
        elif command == "heat":
            begin = time.process_time()
            solver = potpourri3d.MeshHeatMethodDistanceSolver(vertices, faces)
            middle = time.process_time()
            distances = solver.compute_distance(int(rest[0]))
            print(middle - begin, time.process_time() - middle, flush=True)
            np.asarray(distances, dtype="<f8").tofile(rest[1])
        elif command == "memory":
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


main()
