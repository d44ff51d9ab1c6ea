// The picture: renderer, camera and controls, z up. It is drawn when something changed, never in a permanent loop.

import {
  Box3,
  Color,
  ColorManagement,
  DirectionalLight,
  GLBufferAttribute,
  GridHelper,
  HemisphereLight,
  LinearSRGBColorSpace,
  type Mesh,
  MOUSE,
  type Object3D,
  PerspectiveCamera,
  Plane,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Point } from "./answers";
import { INKS, type Theme } from "./colours";
import { frame, pause, step } from "./steps";

// Colours are given and shown as they are written, without conversions.
ColorManagement.enabled = false;

const CONTEXT = { antialias: true, stencil: true, alpha: false, powerPreference: "high-performance" } as const;
/** How far the view is turned and tilted at first [radians]. */
const FIRST_VIEW = { azimuth: -0.55, tilt: 0.85 };
const TURN_MS = 260;
/** What lies over more of the picture than this is not made room for. */
const MOST_COVERED = 0.45;
/** Farther than anything [m]. */
const FAR = 1e7;
/** Corners and lines that come into the picture in one frame. */
const FRAME_LOAD = 200_000;
/** Numbers that are uploaded in one frame. */
const PIECE = 500_000;
/** Looks at a driver that is busy, 4 ms apart. */
const LONGEST_WAIT = 1000;

export class World {
  private readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  private readonly afterFrame: (() => void)[] = [];
  /** What comes into the picture, a little in each frame, and into what. */
  private waiting: { part: Object3D; home: Object3D }[] = [];
  private grid: GridHelper | undefined;
  private box = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  private uploads: (() => void)[] = [];
  /** Positions that are uploaded by us, to be sent again to a driver that lost them. */
  private readonly sent: { array: Float32Array; attribute: GLBufferAttribute }[] = [];
  private theme: Theme = "light";
  private isAsked = false;
  /** Nothing is drawn while things are being prepared. */
  private isHeld = true;
  /** Signalled when the driver has drawn the last frame. */
  private fence: WebGLSync | undefined;
  /** Keeps what is under and over two heights. */
  private readonly clip = [new Plane(new Vector3(0, 0, -1), FAR), new Plane(new Vector3(0, 0, 1), FAR)];
  private flight: ((now: number) => boolean) | undefined;
  /** How much of the picture something lies over, on its right [CSS pixels]. */
  private covered = 0;

  /** The picture in an element; throws where the browser has no WebGL. */
  static async open(host: HTMLElement): Promise<World> {
    const canvas = document.createElement("canvas");
    const context = step("open WebGL", () => canvas.getContext("webgl2", CONTEXT) as WebGL2RenderingContext | null);
    if (!context) throw new Error("no WebGL 2");
    await pause();
    const renderer = step("make the renderer", () => new WebGLRenderer({ canvas, context }));
    await pause();
    return step("make the world", () => new World(host, renderer));
  }

  private constructor(
    private readonly host: HTMLElement,
    private readonly renderer: WebGLRenderer,
  ) {
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.clippingPlanes = this.clip;
    // Layers may have a cut of their own.
    this.renderer.localClippingEnabled = true;
    // Asking for errors would wait for the driver; a build is looked at before it is given away.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    host.prepend(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
    this.controls.zoomToCursor = true;
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.2;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.flight = undefined));
    this.controls.listenToKeyEvents(this.canvas);
    // Ground that is level has its colour as it is written; what stands is darker, differently on each side.
    const side = new DirectionalLight("#ffffff", 0.5);
    side.position.set(1, 0.6, 0);
    const sky = new HemisphereLight("#ffffff", "#6d7480", Math.PI);
    sky.position.set(0, 0, 1);
    this.scene.add(sky, side);
    new ResizeObserver(() => this.resize()).observe(host);
    // The renderer listened first: it has made its own part anew by then.
    this.canvas.addEventListener("webglcontextrestored", () => this.sendAgain());
    this.resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /**
   * Puts objects into the picture. Their programs are made first, while nothing is drawn; then they come, large ones one frame after the
   * other, and their parts after them: so the script never waits for the driver.
   */
  async add(objects: { object: Object3D; parts?: Object3D[] }[]): Promise<void> {
    this.isHeld = true;
    const later: { part: Object3D; home: Object3D }[] = [];
    for (const object of [this.scene, ...objects.map(({ object }) => object)]) {
      step("make programs", () => this.renderer.compile(object, this.camera, this.scene));
      await this.catchUp();
    }
    for (const program of this.renderer.info.programs ?? []) {
      step("use a program", () => program.getUniforms());
      await pause();
    }
    for (const { object, parts = [] } of objects) {
      for (const part of parts) part.removeFromParent();
      this.waiting.push({ part: object, home: this.scene });
      later.push(...parts.map((part) => ({ part, home: object })));
    }
    this.waiting.push(...later);
    this.isHeld = false;
    this.invalidate();
  }

  /** Many positions, uploaded a piece in each frame before what is added next. */
  positions(array: Float32Array): GLBufferAttribute {
    const attribute = new GLBufferAttribute(this.upload(array), this.gl.FLOAT, 3, 4, array.length / 3);
    this.sent.push({ array, attribute });
    return attribute;
  }

  /** A new buffer that is filled in the frames to come. */
  private upload(array: Float32Array): WebGLBuffer {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, array.byteLength, gl.STATIC_DRAW);
    for (let from = 0; from < array.length; from += PIECE) {
      this.uploads.push(() => {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferSubData(gl.ARRAY_BUFFER, 4 * from, array, from, Math.min(PIECE, array.length - from));
      });
    }
    return buffer;
  }

  /** After the driver lost everything and came back. */
  private sendAgain(): void {
    this.fence = undefined;
    this.uploads = [];
    for (const { array, attribute } of this.sent) attribute.setBuffer(this.upload(array));
    this.invalidate();
  }

  /** Forgets the positions of layers that are gone. */
  forget(): void {
    for (const { attribute } of this.sent) this.gl.deleteBuffer(attribute.buffer);
    this.sent.length = 0;
    this.uploads = [];
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.waiting = this.waiting.filter(({ part, home }) => part !== object && home !== object);
    this.invalidate();
  }

  /** Asks for one more frame. */
  invalidate(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => frame(() => this.draw(now)));
  }

  /** Called after each frame, when the camera is where it is. */
  onFrame(callback: () => void): void {
    this.afterFrame.push(callback);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new Color(INKS[theme].background);
    this.layGrid();
    this.invalidate();
  }

  /** Tells what there is to see. */
  setBounds(low: Point, high: Point): void {
    this.box = new Box3(new Vector3(...low), new Vector3(...high));
    const size = this.box.getSize(new Vector3()).length();
    this.controls.minDistance = 0.3;
    this.controls.maxDistance = Math.max(size * 4, 10);
    this.layGrid();
  }

  /** Shows only what lies between two heights; everything without them. */
  cut(low = -FAR, high = FAR): void {
    this.clip[0].constant = high;
    this.clip[1].constant = -low;
    this.invalidate();
  }

  /** Tells how much of the picture's right something lies over [CSS pixels]: what is looked at comes into the middle of the rest. */
  cover(width: number): void {
    const covered = width < MOST_COVERED * this.host.clientWidth ? width : 0;
    if (covered === this.covered) return;
    this.covered = covered;
    this.aim();
    this.invalidate();
  }

  /** The first view: from above and aside. */
  look(): void {
    const { azimuth, tilt } = FIRST_VIEW;
    const direction = new Vector3(Math.sin(azimuth) * Math.cos(tilt), -Math.cos(azimuth) * Math.cos(tilt), Math.sin(tilt));
    this.place(direction, this.box, true);
  }

  /** Everything, from the side from which it is seen now. */
  fit(box = this.box): void {
    this.place(this.camera.position.clone().sub(this.controls.target).normalize(), box);
  }

  /** Everything from above, y up on the screen. */
  top(box = this.box): void {
    this.place(new Vector3(0, -1e-4, 1).normalize(), box);
  }

  /** Whether the picture shows everything as it is now. */
  get isIdle(): boolean {
    return !this.isAsked && !this.isHeld && this.isBuilt;
  }

  /** Where the camera is and what it looks at. */
  get pose(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  set pose([x, y, z, tx, ty, tz]: number[]) {
    this.camera.position.set(x, y, z);
    this.controls.target.set(tx, ty, tz);
    this.controls.update();
    this.invalidate();
  }

  /** Where a place is on the canvas [CSS pixels]; nothing if it is behind the camera. */
  project(point: Point): { x: number; y: number } | undefined {
    const seen = new Vector3(...point).project(this.camera);
    if (seen.z > 1) return undefined;
    return { x: ((seen.x + 1) / 2) * this.host.clientWidth, y: ((1 - seen.y) / 2) * this.host.clientHeight };
  }

  /** The ray under a place of the window. */
  ray(clientX: number, clientY: number): { origin: Point; direction: Point } {
    const area = this.canvas.getBoundingClientRect();
    const x = ((clientX - area.left) / area.width) * 2 - 1;
    const y = 1 - ((clientY - area.top) / area.height) * 2;
    const origin = this.camera.position;
    const direction = new Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** The world's axis that points most to the right on the screen. */
  rightAxis(): [number, number] {
    const right = new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
    return Math.abs(right.x) >= Math.abs(right.y) ? [Math.sign(right.x), 0] : [0, Math.sign(right.y)];
  }

  /** The picture as it is now, drawn afresh so that it can be copied. */
  snapshot(): HTMLCanvasElement {
    this.renderer.render(this.scene, this.camera);
    return this.canvas;
  }

  private get isBuilt(): boolean {
    return this.waiting.length === 0 && this.uploads.length === 0;
  }

  /** Puts what waits into the picture, as much as one frame takes: objects, then the positions of their parts, then these. */
  private build(): void {
    for (let load = 0; load < FRAME_LOAD && this.waiting[0]; ) {
      const [{ part, home }] = this.waiting;
      if (home !== this.scene && this.uploads.length > 0) break;
      this.waiting.shift();
      home.add(part);
      load += weight(part);
    }
    this.uploads.shift()?.();
  }

  private get gl(): WebGL2RenderingContext {
    return this.renderer.getContext() as WebGL2RenderingContext;
  }

  /** Whether the driver has drawn the last frame: before that, one more would only wait. */
  private isDrawn(): boolean {
    if (!this.fence) return true;
    if (this.gl.getSyncParameter(this.fence, this.gl.SYNC_STATUS) !== this.gl.SIGNALED && !this.gl.isContextLost()) return false;
    this.gl.deleteSync(this.fence);
    this.fence = undefined;
    return true;
  }

  /** Waits, without keeping the browser busy, until the driver has done what it was asked for. */
  private async catchUp(): Promise<void> {
    this.fence ??= this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0) ?? undefined;
    this.gl.flush();
    for (let wait = 0; wait < LONGEST_WAIT && !this.isDrawn(); wait++) await pause(4);
  }

  private draw(now: number): void {
    this.isAsked = false;
    if (this.isHeld) return;
    if (!this.isDrawn()) {
      this.invalidate();
      return;
    }
    const isBuilding = !this.isBuilt;
    this.build();
    if (this.flight && !this.flight(now)) this.flight = undefined;
    const isMoving = this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    const reach = this.box.getSize(new Vector3()).length() + this.box.distanceToPoint(this.camera.position);
    this.camera.near = Math.max(Math.min(distance / 100, 1), reach / 20_000);
    this.camera.far = reach * 1.5 + distance;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    this.fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0) ?? undefined;
    this.gl.flush();
    for (const callback of this.afterFrame) callback();
    if (isBuilding || this.flight || isMoving) this.invalidate();
  }

  private place(direction: Vector3, box: Box3, isAtOnce = false): void {
    const target = box.getCenter(new Vector3());
    const position = target.clone().addScaledVector(direction, this.distance(direction, box));
    if (isAtOnce || !this.controls.enableDamping) {
      this.camera.position.copy(position);
      this.controls.target.copy(target);
    } else {
      const [from, at] = [this.camera.position.clone(), this.controls.target.clone()];
      let begin: number | undefined;
      this.flight = (now) => {
        begin ??= now;
        const share = Math.min((now - begin) / TURN_MS, 1);
        const eased = share * share * (3 - 2 * share);
        this.controls.target.lerpVectors(at, target, eased);
        this.camera.position.lerpVectors(from, position, eased);
        return share < 1;
      };
    }
    this.controls.update();
    this.invalidate();
  }

  /** How far away the corners of a box are all seen. */
  private distance(direction: Vector3, box: Box3): number {
    const centre = box.getCenter(new Vector3());
    const back = direction.clone().normalize();
    const right = new Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * 0.92;
    const aspect = (this.host.clientWidth - this.covered) / this.host.clientHeight;
    let distance = 1;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(
        k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z,
      ).sub(centre);
      const near = corner.dot(back);
      const wide = Math.abs(corner.dot(right)) / (half * aspect);
      const high = Math.abs(corner.dot(up)) / half;
      distance = Math.max(distance, near + wide, near + high);
    }
    return distance;
  }

  private layGrid(): void {
    if (this.grid) {
      this.grid.removeFromParent();
      this.grid.dispose();
    }
    const size = this.box.getSize(new Vector3());
    const wide = Math.max(size.x, size.y, 1);
    const square = 10 ** Math.round(Math.log10(wide / 12));
    const count = 2 * Math.ceil((wide * 0.75) / square);
    const ink = INKS[this.theme].grid;
    this.grid = new GridHelper(count * square, count, ink, ink);
    this.grid.rotation.x = Math.PI / 2;
    const middle = this.box.getCenter(new Vector3());
    this.grid.position.set(middle.x, middle.y, this.box.min.z - 0.1 - wide / 2000);
    this.grid.renderOrder = -1;
    this.scene.add(this.grid);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    const has = this.renderer.getSize(new Vector2());
    if (width === 0 || height === 0 || (has.x === width && has.y === height)) return;
    step("resize", () => {
      this.renderer.setSize(width, height);
      this.aim();
    });
    this.invalidate();
  }

  /** Makes the camera look through the part of the picture that nothing lies over. */
  private aim(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    // Takes on the aspect and the projection, too.
    this.camera.setViewOffset(width, height, this.covered / 2, 0, width, height);
  }
}

/** Corners and lines of an object. */
function weight(object: Object3D): number {
  let sum = 0;
  object.traverse((part) => {
    const { geometry } = part as Partial<Mesh>;
    if (geometry) sum += geometry.attributes.instanceStart?.count ?? geometry.index?.count ?? 0;
  });
  return sum;
}
