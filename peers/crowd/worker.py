"""jupedsim and PedPy, one command per call; the answer is numbers on standard output.

door POINTS.csv SECONDS DOOR   a room of 20 m with a door, as in the bench's own: us per agent and step, flow, largest overlap [m]
real FILE.txt.gz               density [1/m2], speed [m/s] in the corridor of the experiment
ours FILE.sqlite X             the same from our file, in the corridor of 8 m that begins at X
"""

import gzip
import pathlib
import sys
import tempfile
import time

import numpy as np
import pedpy
from shapely import Polygon

STEP = 1 / 60


def door(points, seconds, width):
    """1,000 agents leave through a door; the collision-free speed model with its default numbers."""
    import jupedsim as jps

    low, high, far = (20 - width) / 2, (20 + width) / 2, 20.2
    ground = Polygon(
        [(0, 0), (20, 0), (20, low), (far, low), (far, 0), (far + 12, 0)]
        + [(far + 12, 20), (far, 20), (far, high), (20, high), (20, 20), (0, 20)]
    )
    simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=ground, dt=STEP)
    end = simulation.add_exit_stage([(25, 0), (far + 12, 0), (far + 12, 20), (25, 20)])
    journey = simulation.add_journey(jps.JourneyDescription([end]))
    for x, y in np.loadtxt(points, delimiter=","):
        simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(
                position=(x, y), desired_speed=1.34, radius=0.2, journey_id=journey, stage_id=end
            )
        )
    passed, overlap, spent, count = [], 0.0, 0.0, 0
    inside = {agent.id for agent in simulation.agents()}
    for step in range(int(seconds / STEP)):
        count += simulation.agent_count()
        clock = time.process_time()
        simulation.iterate()
        spent += time.process_time() - clock
        at = {agent.id: agent.position for agent in simulation.agents()}
        gone = [agent for agent in inside if agent not in at or at[agent][0] >= 20]
        passed.extend([step * STEP] * len(gone))
        inside.difference_update(gone)
        if step % 60 == 0:
            places = np.array(list(at.values()))
            apart = np.linalg.norm(places[:, None] - places[None], axis=2)
            np.fill_diagonal(apart, np.inf)
            overlap = max(overlap, 0.4 - apart.min())
    n = len(passed)
    first, last = n // 10, n - 1 - n // 10
    flow = (last - first) / (passed[last] - passed[first]) / width if n > 10 else 0
    print(spent / count * 1e6, flow, overlap)


def corridor(trajectory, ground, area):
    """Mean density (Voronoi) and speed in an area over the middle 40 % of the frames, as PedPy has them."""
    frames = trajectory.data.frame
    first, last = frames.min(), frames.max()
    middle = (first + 0.3 * (last - first), first + 0.7 * (last - first))
    # Cells are those of one frame: the others' need not be known.
    measured = trajectory.data[(frames >= middle[0]) & (frames <= middle[1])]
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=pedpy.TrajectoryData(measured[["id", "frame", "x", "y"]], frame_rate=trajectory.frame_rate),
        walkable_area=ground,
    )
    density, shares = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)
    speeds = pedpy.compute_individual_speed(
        traj_data=trajectory,
        frame_step=max(1, round(trajectory.frame_rate / 3)),
        speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED,
    )
    speed = pedpy.compute_voronoi_speed(
        traj_data=trajectory,
        individual_speed=speeds,
        individual_voronoi_intersection=shares,
        measurement_area=area,
    )
    # A frame in which nobody is in the area has no speed.
    both = density.reset_index().merge(speed.reset_index()[["frame", "speed"]], on="frame")
    rho = both.density
    v = (both.speed * rho).sum() / rho.sum()
    print(rho.mean(), v)


def real(path):
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "run.txt"
        text.write_bytes(gzip.open(path).read())
        trajectory = pedpy.load_trajectory(
            trajectory_file=text, default_frame_rate=16.0, default_unit=pedpy.TrajectoryUnit.CENTIMETER
        )
    tube = pedpy.WalkableArea([(0, -4), (1.8, -4), (1.8, 4), (0, 4)])
    data = trajectory.data
    inside = data[(data.y > -4) & (data.y < 4) & (data.x > 0) & (data.x < 1.8)]
    trajectory = pedpy.TrajectoryData(inside[["id", "frame", "x", "y"]], frame_rate=trajectory.frame_rate)
    corridor(trajectory, tube, pedpy.MeasurementArea([(0, -2), (1.8, -2), (1.8, 0), (0, 0)]))


def ours(path, x):
    trajectory = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=pathlib.Path(path))
    tube = pedpy.WalkableArea([(x, 0), (x + 8, 0), (x + 8, 1.8), (x, 1.8)])
    data = trajectory.data
    inside = data[(data.x > x) & (data.x < x + 8) & (data.y > 0) & (data.y < 1.8)]
    trajectory = pedpy.TrajectoryData(inside[["id", "frame", "x", "y"]], frame_rate=trajectory.frame_rate)
    corridor(trajectory, tube, pedpy.MeasurementArea([(x + 4, 0), (x + 6, 0), (x + 6, 1.8), (x + 4, 1.8)]))


def main():
    command, *rest = sys.argv[1:]
    if command == "door":
        door(rest[0], float(rest[1]), float(rest[2]))
    elif command == "real":
        real(rest[0])
    elif command == "ours":
        ours(rest[0], float(rest[1]))
    else:
        sys.exit(f"there is no command '{command}'")


main()
