// The picture: bodies, ground, lights and camera. It is drawn when something has changed and not otherwise.

import {
  Box3, DirectionalLight, HemisphereLight, Mesh, PCFShadowMap, Plane, PlaneGeometry, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three'
import type { BodyFrame, Frame } from '../frame'
import type { Axis, Theme } from '../settings'
import { Arrows, longest, type Impulses } from './arrows'
import { Body, type Hit } from './body'
import { drawsInSoftware } from './card'
import { CameraRig, type View } from './camera'
import { FloorMaterial, gridCell } from './floor'
import { Pace } from './pace'
import { Places, sidesOf, stageColors, type StageColors } from './palette'
import { Mode } from './surface'
import { Yarns } from './yarns'

export interface Coloring {
  mode: Mode
  low: number
  high: number
  values: (body: BodyFrame) => Float32Array | null
}

export interface Pick {
  body: string
  vertex: number
  point: Vector3
  value: number | undefined
}

export interface Space {
  min: [number, number, number]
  max: [number, number, number]
}

const coarse = 0.5 // pixels a pixel, of a picture that moves and is drawn in software

const plain: Coloring = { mode: Mode.Plain, low: 0, high: 1, values: () => null }

export class Stage {
  onPick: (pick: Pick | null) => void = () => {}
  readonly rig: CameraRig

  private readonly renderer: WebGLRenderer
  private readonly software: boolean
  private readonly scene = new Scene()
  private readonly sky = new HemisphereLight('#ffffff', '#8d8a86', 1)
  private readonly key = new DirectionalLight('#fffaf2', 1)
  private readonly fill = new DirectionalLight('#eef4ff', 0.55) // lightens the side away from the key light
  private readonly ground = new Mesh(new PlaneGeometry(1, 1), new FloorMaterial())
  private readonly arrows = new Arrows()
  private readonly bodies = new Map<string, Body | Yarns>()
  private colors: StageColors
  private coloring: Coloring = plain
  private hidden = new Set<string>()
  private edges = false
  private cutAxis: Axis | '' = ''
  private cutAt: number | null = null
  private cutMiddle: number | null = null // where it is cut otherwise
  private selected = ''
  private impulses: Impulses[] = []
  private strongest = 0
  private size = 1
  private framed = false
  private space = new Box3() // that the cloths take in all frames, as far as it is known
  private readonly pace: Pace
  private drawing = -1 // number of the frame that was drawn last
  private shadowsStale = true
  private width = 1
  private height = 1
  private frame: Frame | null = null

  // It throws if the browser has no WebGL.
  constructor(private readonly canvas: HTMLCanvasElement, theme: Theme) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true })
    const gl = this.renderer.getContext() as WebGL2RenderingContext
    this.software = drawsInSoftware(gl)
    this.pace = new Pace(gl, this.software, (fine) => this.draw(fine), (fine) => {
      canvas.dataset.drawn = String(this.drawing)
      canvas.dataset.fine = String(fine)
    })
    this.renderer.localClippingEnabled = true
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = PCFShadowMap
    this.renderer.shadowMap.autoUpdate = false
    this.rig = new CameraRig(canvas)
    this.rig.onMove = () => this.invalidate()
    this.colors = stageColors(theme)
    this.sky.position.set(0, 0, 1)
    this.key.castShadow = true
    this.key.shadow.mapSize.set(1024, 1024)
    this.key.shadow.radius = 7
    this.key.shadow.intensity = 0.6
    this.ground.receiveShadow = true
    this.ground.renderOrder = -1
    this.ground.visible = false
    this.arrows.mesh.visible = false
    this.scene.add(this.sky, this.key, this.key.target, this.fill, this.fill.target, this.ground, this.arrows.mesh)
    this.setTheme(theme)
    this.listenForPicks()
  }

  get gridCell(): number {
    return gridCell(this.size)
  }

  // strongestImpulse is that of the longest arrow so far [N s].
  get strongestImpulse(): number {
    return this.strongest
  }

  setTheme(theme: Theme): void {
    this.colors = stageColors(theme)
    this.sky.intensity = this.colors.sky
    this.key.intensity = this.colors.key
    this.ground.material.own.surface.value.copy(this.colors.floor)
    this.ground.material.own.line.value.copy(this.colors.line)
    this.arrows.setColor(this.colors.arrow)
    for (const body of this.bodies.values()) body.setColors(this.colors)
    this.invalidate()
  }

  resize(width: number, height: number): void {
    this.width = width
    this.height = height
    this.rig.resize(width, height)
    this.pace.run(true)
  }

  // setFrame shows a frame; the first one is framed by the camera.
  setFrame(frame: Frame, triangles: (topology: string) => Uint32Array | undefined, impulses: Impulses[]): void {
    this.frame = frame
    this.impulses = impulses
    this.matchBodies(frame)
    for (const body of frame.bodies) {
      const shown = this.bodies.get(body.name)!
      shown.group.visible = !this.hidden.has(body.name)
      shown.update(body, triangles(body.topology))
    }
    if (!this.framed) {
      this.framed = true
      this.settle(true)
      this.cutMiddle = null
    }
    this.placeCut()
    this.paint()
    this.pointArrows()
    this.shadowsStale = true
    this.invalidate()
  }

  // setSpace tells what space the cloths take in all frames. Ground and lights follow, and the camera unless
  // somebody has moved it.
  setSpace(space: Space): void {
    const box = new Box3(new Vector3(...space.min), new Vector3(...space.max))
    const known = this.space.clone().expandByScalar(0.01 * this.size)
    if (known.containsBox(box)) return
    this.space.union(box)
    if (this.framed) this.settle(false)
  }

  setColoring(coloring: Coloring | null): void {
    this.coloring = coloring ?? plain
    this.paint()
    this.invalidate()
  }

  setEdges(shown: boolean): void {
    this.edges = shown
    for (const body of this.bodies.values()) body.setEdges(shown)
    this.invalidate()
  }

  setArrows(shown: boolean): void {
    this.arrows.mesh.visible = shown
    this.pointArrows()
    this.invalidate()
  }

  // setCut cuts a half of all bodies away: what is in front of the place, right of it or above. Without a place, the
  // middle of what is there.
  setCut(axis: Axis | '', at: number | null): void {
    if (axis !== this.cutAxis) this.cutMiddle = null
    this.cutAxis = axis
    this.cutAt = at
    this.placeCut()
    this.invalidate()
  }

  // cutBeside returns the place of a cut that is a part of the size of the scene away from this one.
  cutBeside(part: number): number | undefined {
    const at = this.cutAt ?? this.cutMiddle
    return at === null || !this.cutAxis ? undefined : at + part * this.size
  }

  private placeCut(): void {
    let plane: Plane | null = null
    if (this.cutAxis && this.framed) {
      // A little beside the middle, where there may be an edge between two faces, or a face.
      this.cutMiddle ??= this.box().getCenter(new Vector3())[this.cutAxis] + 1e-3 * this.size
      const side = this.cutAxis === 'y' ? 1 : -1
      const normal = new Vector3()
      normal[this.cutAxis] = side
      plane = new Plane(normal, -side * (this.cutAt ?? this.cutMiddle))
    }
    for (const body of this.bodies.values()) body.setCut(plane)
  }

  setHidden(names: Iterable<string>): void {
    this.hidden = new Set(names)
    for (const body of this.bodies.values()) body.group.visible = !this.hidden.has(body.name)
    this.shadowsStale = true
    this.invalidate()
  }

  select(name: string): void {
    this.selected = name
    for (const body of this.bodies.values()) body.setSelected(body.name === name)
    this.invalidate()
  }

  // fit frames the body selected, or everything.
  fit(): void {
    this.rig.touched = true
    const body = this.bodies.get(this.selected)
    this.rig.frame(body && !body.plane ? boxOf(body) : this.box())
  }

  view(view: View): void {
    this.rig.touched = true
    this.rig.frame(this.box(), view)
  }

  // forget makes the next frame the first one again.
  forget(): void {
    this.framed = false
    this.space.makeEmpty()
    this.rig.touched = false
    this.strongest = 0
  }

  private matchBodies(frame: Frame): void {
    const names = new Set(frame.bodies.map((body) => body.name))
    for (const [name, body] of this.bodies) {
      if (names.has(name)) continue
      this.scene.remove(body.group)
      body.dispose()
      this.bodies.delete(name)
    }
    const places = new Places()
    for (const body of frame.bodies) {
      const n = places.next(body.kind)
      if (this.bodies.has(body.name)) continue
      const sides = sidesOf(body.kind, n)
      const shown = body.kind === 'yarn' ? new Yarns(body.name, sides, this.colors) : new Body(body.name, body.kind, body.shape, sides, this.colors)
      shown.setEdges(this.edges)
      shown.setSelected(body.name === this.selected)
      this.bodies.set(body.name, shown)
      this.scene.add(shown.group)
    }
  }

  private paint(): void {
    if (!this.frame) return
    const { mode, low, high, values } = this.coloring
    for (const body of this.frame.bodies) this.bodies.get(body.name)?.setQuantity(values(body), mode, low, high)
  }

  private pointArrows(): void {
    if (!this.arrows.mesh.visible) return
    this.strongest = Math.max(this.strongest, longest(this.impulses))
    const old = this.arrows.mesh
    if (this.arrows.show(this.impulses, this.strongest > 0 ? (0.16 * this.size) / this.strongest : 0)) {
      this.scene.remove(old)
      this.scene.add(this.arrows.mesh)
    }
  }

  // box is around everything shown but planes, or around planes if there is nothing else.
  private box(): Box3 {
    const box = new Box3()
    for (const body of this.bodies.values()) if (body.group.visible && !body.plane) box.union(boxOf(body))
    if (box.isEmpty()) for (const body of this.bodies.values()) box.union(boxOf(body))
    return box
  }

  // settle arranges everything around the bodies. The camera looks at where they are now, with some of the space that
  // they take in other frames.
  private settle(jump: boolean): void {
    const now = this.box()
    const all = now.clone().union(this.space)
    this.measure(all)
    if (this.rig.touched) return
    now.min.lerp(all.min, 0.3)
    now.max.lerp(all.max, 0.3)
    this.rig.frame(now, 'corner', jump)
  }

  // measure fits ground, lights and shadows to the scene.
  private measure(box: Box3): void {
    if (box.isEmpty()) return
    const center = box.getCenter(new Vector3())
    this.size = box.getSize(new Vector3()).length()
    const cell = gridCell(this.size)
    let floor = false
    for (const body of this.bodies.values()) {
      if (!(body.material instanceof FloorMaterial)) continue
      this.dressFloor(body.material, center, cell, 2.2)
      floor ||= body.material.level
    }
    this.ground.visible = !floor
    this.ground.scale.setScalar(8 * this.size)
    this.ground.position.set(center.x, center.y, box.min.z - 0.02 * this.size)
    this.dressFloor(this.ground.material, center, cell, 2)
    this.placeLights(center)
  }

  private dressFloor(material: FloorMaterial, center: Vector3, cell: number, reach: number): void {
    material.own.center.value.copy(center)
    material.own.reach.value = reach * this.size
    material.own.cell.value = cell
  }

  private placeLights(center: Vector3): void {
    const reach = 1.1 * this.size
    this.key.target.position.copy(center)
    this.key.position.copy(center).add(new Vector3(-0.45, -0.55, 1.25).normalize().multiplyScalar(2 * reach))
    this.fill.target.position.copy(center)
    this.fill.position.copy(center).add(new Vector3(1, -0.7, 0.35))
    const camera = this.key.shadow.camera
    camera.left = camera.bottom = -reach
    camera.right = camera.top = reach
    camera.near = 0.2 * reach
    camera.far = 4.5 * reach
    camera.updateProjectionMatrix()
    this.key.shadow.normalBias = 0.008 * this.size
    this.key.shadow.bias = -0.001
  }

  private invalidate(): void {
    this.canvas.dataset.fine = 'false'
    this.pace.request()
  }

  // draw draws. A coarse picture keeps its old shadows.
  private draw(fine: boolean): void {
    this.setDensity(fine ? Math.min(devicePixelRatio, this.software ? 1 : 2) : coarse)
    if (fine && this.shadowsStale) {
      this.shadowsStale = false
      this.renderer.shadowMap.needsUpdate = true
    }
    for (const body of this.bodies.values()) if (body instanceof Yarns) body.setFine(fine)
    this.drawing = this.frame?.number ?? -1
    this.renderer.render(this.scene, this.rig.camera)
  }

  // setDensity gives the picture its size in pixels, which clears it and is done only if something changes.
  private setDensity(density: number): void {
    const [width, height] = [this.width, this.height].map((side) => Math.max(1, Math.floor(side * density))) as [number, number]
    if (this.canvas.width === width && this.canvas.height === height) return
    this.renderer.setPixelRatio(density)
    this.renderer.setSize(this.width, this.height, false)
  }

  // A click is a press and a release at the same place; a drag moves the camera.
  private listenForPicks(): void {
    let down: Vector2 | null = null
    this.canvas.addEventListener('pointerdown', (event) => {
      down = event.button === 0 ? new Vector2(event.clientX, event.clientY) : null
    })
    this.canvas.addEventListener('pointerup', (event) => {
      if (!down || down.distanceTo(new Vector2(event.clientX, event.clientY)) > 4) return
      down = null
      this.onPick(this.pick(event.clientX, event.clientY))
    })
  }

  private pick(x: number, y: number): Pick | null {
    const area = this.canvas.getBoundingClientRect()
    const ray = new Raycaster()
    ray.setFromCamera(
      new Vector2((2 * (x - area.left)) / area.width - 1, 1 - (2 * (y - area.top)) / area.height),
      this.rig.camera,
    )
    let best: { body: Body | Yarns; hit: Hit } | null = null
    for (const body of this.bodies.values()) {
      const hit = body.pick(ray)
      if (hit && !(best && hit.distance >= best.hit.distance)) best = { body, hit }
    }
    if (!best) return null
    const { body, hit: { point, vertices } } = best
    const apart = (v: number): number => new Vector3().fromArray(body.positions, 3 * v).distanceTo(point)
    const vertex = vertices.reduce((a, b) => (apart(a) <= apart(b) ? a : b))
    return { body: body.name, vertex, point, value: body.valueAt(vertex) }
  }
}

// boxOf is around what is finite of a body.
function boxOf(body: Body | Yarns): Box3 {
  const box = new Box3()
  const point = new Vector3()
  for (let i = 0; i < body.positions.length; i += 3) {
    point.fromArray(body.positions, i)
    if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point)
  }
  return box
}
