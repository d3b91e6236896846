// Yarns on the stage: tubes around the Catmull-Rom splines through their control points. The graphics card makes them, an
// instance for each segment, from the points alone.

import {
  BufferAttribute, DynamicDrawUsage, FrontSide, Group, InstancedBufferGeometry, InstancedInterleavedBuffer,
  InterleavedBufferAttribute, Mesh, MeshDepthMaterial, RGBADepthPacking, Vector3, type Raycaster,
} from 'three'
import type { BodyFrame } from '../frame'
import type { Hit } from './body'
import type { Sides, StageColors } from './palette'
import { across, layoutOf, pad, type Layout } from './strand'
import { Mode, SurfaceMaterial, tubeNormal, tubePlace, tubeHead } from './surface'

// How finely tubes are cut, by the number of segments up to which that is fast enough.
const details = [
  { most: 60_000, pieces: 4, sides: 6 },
  { most: 200_000, pieces: 3, sides: 5 },
  { most: Infinity, pieces: 2, sides: 4 },
]

export class Yarns {
  readonly group = new Group()
  readonly plane = false
  readonly kind = 'yarn'
  positions: Float32Array = new Float32Array()
  readonly material: SurfaceMaterial

  private readonly mesh: Mesh<InstancedBufferGeometry, SurfaceMaterial>
  private topology = ''
  private layout: Layout = { source: new Uint32Array(), alive: new Float32Array(), yarns: [] }
  private quantity: Float32Array | null = null
  private radius = 0

  constructor(
    readonly name: string,
    readonly sides: Sides,
    colors: StageColors,
  ) {
    this.material = new SurfaceMaterial(sides, colors.none, colors.select, true)
    this.material.side = FrontSide
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material)
    this.mesh.frustumCulled = false
    this.mesh.castShadow = this.mesh.receiveShadow = true
    this.mesh.customDepthMaterial = depthMaterial(this.material)
    this.group.add(this.mesh)
    this.setColors(colors)
  }

  setColors(colors: StageColors): void {
    this.material.own.none.value = colors.none
    this.material.own.select.value = colors.select
  }

  // update shows the yarns of a frame.
  update(body: BodyFrame, pairs: Uint32Array | undefined): void {
    const positions = body.arrays.get('position')
    if (!(positions instanceof Float32Array) || !pairs) {
      this.group.visible = false
      return
    }
    if (body.topology !== this.topology || positions.length !== this.positions.length) {
      this.topology = body.topology
      this.layout = layoutOf(pairs)
      this.rebuild(pairs.length / 2)
    }
    this.positions = positions
    this.radius = body.radius
    this.material.own.radius.value = body.radius
    const geometry = this.mesh.geometry
    const points = (geometry.getAttribute('before') as InterleavedBufferAttribute).data
    pad(this.layout, positions, 3, points.array as Float32Array)
    points.needsUpdate = true
    const directions = (geometry.getAttribute('acrossA') as InterleavedBufferAttribute).data
    across(this.layout, points.array as Float32Array, directions.array as Float32Array)
    directions.needsUpdate = true
  }

  // setQuantity colours the yarns; null leaves them plain.
  setQuantity(values: Float32Array | null, mode: Mode, low: number, high: number): void {
    const fits = values !== null && 3 * values.length === this.positions.length
    this.quantity = fits ? values : null
    const own = this.material.own
    own.mode.value = fits ? mode : Mode.Plain
    own.low.value = low
    own.high.value = high
    if (!fits) return
    const data = (this.mesh.geometry.getAttribute('quantityA') as InterleavedBufferAttribute).data
    pad(this.layout, values, 1, data.array as Float32Array)
    data.needsUpdate = true
  }

  // setEdges does nothing: a tube has no edges that mean something.
  setEdges(_: boolean): void {}

  setSelected(selected: boolean): void {
    this.material.own.selected.value = selected ? 1 : 0
  }

  // pick returns where a ray comes within the radius of a segment first.
  pick({ ray }: Raycaster): Hit | undefined {
    if (!this.group.visible) return undefined
    const { source, alive } = this.layout
    const [a, b, onRay, onSegment] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()]
    let best: Hit | undefined
    for (let i = 0; i < alive.length; i++) {
      if (!alive[i]) continue
      a.fromArray(this.positions, 3 * source[i]!)
      b.fromArray(this.positions, 3 * source[i + 1]!)
      if (ray.distanceSqToSegment(a, b, onRay, onSegment) > this.radius ** 2) continue
      const distance = onRay.distanceTo(ray.origin)
      if (best && distance >= best.distance) continue
      best = { distance, point: onRay.clone(), vertices: [source[i]!, source[i + 1]!] }
    }
    return best
  }

  // valueAt returns what colours a point, if anything does.
  valueAt(point: number): number | undefined {
    return this.quantity?.[point]
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.customDepthMaterial?.dispose()
    this.material.dispose()
  }

  private rebuild(segments: number): void {
    this.mesh.geometry.dispose()
    const entries = this.layout.source.length
    const geometry = tube(details.find(({ most }) => segments <= most)!)
    const points = shared(entries, 3)
    for (const [i, name] of ['before', 'from', 'to', 'after'].entries()) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(points, 3, 3 * i))
    }
    const directions = shared(entries, 4)
    geometry.setAttribute('acrossA', new InterleavedBufferAttribute(directions, 4, 4))
    geometry.setAttribute('acrossB', new InterleavedBufferAttribute(directions, 4, 8))
    const values = shared(entries, 1)
    geometry.setAttribute('quantityA', new InterleavedBufferAttribute(values, 1, 1))
    geometry.setAttribute('quantityB', new InterleavedBufferAttribute(values, 1, 2))
    geometry.instanceCount = Math.max(entries - 3, 0)
    this.mesh.geometry = geometry
  }
}

// shared is a list of padded entries that instances read at several places.
function shared(entries: number, width: number): InstancedInterleavedBuffer {
  return new InstancedInterleavedBuffer(new Float32Array(width * entries), width).setUsage(DynamicDrawUsage)
}

// tube is the piece of surface around one segment: for each corner how far along it is, and the cosine and the sine of
// where around.
function tube({ pieces, sides }: { pieces: number; sides: number }): InstancedBufferGeometry {
  const corners: number[] = []
  const triangles: number[] = []
  for (let ring = 0; ring <= pieces; ring++) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides
      corners.push(ring / pieces, Math.cos(angle), Math.sin(angle))
      if (ring === pieces) continue
      const next = (side + 1) % sides
      const [a, b] = [ring * sides + side, ring * sides + next]
      triangles.push(a, b, b + sides, a, b + sides, a + sides)
    }
  }
  const geometry = new InstancedBufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3))
  geometry.setIndex(triangles)
  return geometry
}

// depthMaterial has the tubes cast shadows.
function depthMaterial(surface: SurfaceMaterial): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking })
  material.onBeforeCompile = (shader) => {
    shader.uniforms.radius = surface.own.radius
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', `${tubeHead}void main() {${tubeNormal}`)
      .replace('#include <begin_vertex>', tubePlace)
  }
  return material
}
