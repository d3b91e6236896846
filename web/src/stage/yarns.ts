// Yarns on the stage: tubes around the Catmull-Rom splines through their control points. The graphics card makes them
// from the points alone, which it has as textures: a new frame brings nothing else. An instance for each segment would do
// the same, but costs tens of microseconds each where there is no graphics card.

import {
  BufferAttribute, BufferGeometry, DataTexture, FloatType, FrontSide, Group, Mesh, MeshDepthMaterial, RGBADepthPacking, RGBAFormat, Vector3,
  type Plane, type Raycaster,
} from 'three'
import type { BodyFrame } from '../frame'
import type { Hit } from './body'
import type { Sides, StageColors } from './palette'
import { across, layoutOf, pad, type Layout } from './strand'
import { Mode, strandWidth, SurfaceMaterial, tubeHead, tubeNormal, tubePlace, tubeUniforms } from './surface'

interface Detail {
  pieces: number // along a segment
  sides: number
}

// details are how finely tubes are cut, by the number of segments up to which that is fast enough.
const details: (Detail & { most: number })[] = [
  { most: 60_000, pieces: 4, sides: 6 },
  { most: 200_000, pieces: 3, sides: 5 },
  { most: Infinity, pieces: 2, sides: 4 },
]
const roughly: Detail = { pieces: 2, sides: 3 } // while things move and there is no graphics card

export class Yarns {
  readonly group = new Group()
  readonly plane = false
  readonly kind = 'yarn'
  positions: Float32Array = new Float32Array()
  readonly material: SurfaceMaterial

  private readonly mesh: Mesh<BufferGeometry, SurfaceMaterial>
  private readonly tubes: { fine?: BufferGeometry; rough?: BufferGeometry } = {}
  private topology = ''
  private layout: Layout = { source: new Uint32Array(), alive: new Float32Array(), yarns: [] }
  private segments = 0
  private strand = texture(0)
  private aside = texture(0)
  private quantity: Float32Array | null = null
  private cut: Plane | null = null

  constructor(
    readonly name: string,
    readonly sides: Sides,
    colors: StageColors,
  ) {
    this.material = new SurfaceMaterial(sides, colors.none, colors.select, true)
    this.material.side = FrontSide
    this.mesh = new Mesh(new BufferGeometry(), this.material)
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
      this.rebuild(pairs)
    }
    this.positions = positions
    this.material.own.tube.radius.value = body.radius
    pad(this.layout, positions, 3, numbers(this.strand), 0)
    across(this.layout, numbers(this.strand), numbers(this.aside))
    this.strand.needsUpdate = this.aside.needsUpdate = true
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
    pad(this.layout, values, 1, numbers(this.strand), 3)
    this.strand.needsUpdate = true
  }

  // setFine cuts the tubes finely or roughly.
  setFine(fine: boolean): void {
    const detail = fine ? details.find(({ most }) => this.segments <= most)! : roughly
    const instances = Math.max(this.layout.source.length - 3, 0)
    this.mesh.geometry = this.tubes[fine ? 'fine' : 'rough'] ??= tubes(detail, instances)
    this.material.own.tube.corners.value = cornersOf(detail)
  }

  // setEdges does nothing: a tube has no edges that mean something.
  setEdges(_: boolean): void {}

  // setCut leaves what is on the near side of a plane, if there is one.
  setCut(plane: Plane | null): void {
    this.cut = plane
    this.material.clippingPlanes = plane ? [plane] : null
  }

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
      if (ray.distanceSqToSegment(a, b, onRay, onSegment) > this.material.own.tube.radius.value ** 2) continue
      const distance = onRay.distanceTo(ray.origin)
      if ((best && distance >= best.distance) || (this.cut && this.cut.distanceToPoint(onRay) < 0)) continue
      best = { distance, point: onRay.clone(), vertices: [source[i]!, source[i + 1]!] }
    }
    return best
  }

  // valueAt returns what colours a point, if anything does.
  valueAt(point: number): number | undefined {
    return this.quantity?.[point]
  }

  dispose(): void {
    this.clear()
    this.mesh.customDepthMaterial?.dispose()
    this.material.dispose()
  }

  private clear(): void {
    this.tubes.fine?.dispose()
    this.tubes.rough?.dispose()
    delete this.tubes.fine
    delete this.tubes.rough
    this.strand.dispose()
    this.aside.dispose()
  }

  private rebuild(pairs: Uint32Array): void {
    this.clear()
    this.layout = layoutOf(pairs)
    this.segments = pairs.length / 2
    this.strand = texture(this.layout.source.length)
    this.aside = texture(this.layout.source.length)
    this.material.own.tube.strand.value = this.strand
    this.material.own.tube.aside.value = this.aside
    this.setFine(true)
  }
}

// texture has room for padded entries of four numbers each.
function texture(entries: number): DataTexture {
  const rows = Math.max(1, Math.ceil(entries / strandWidth))
  return new DataTexture(new Float32Array(4 * strandWidth * rows), strandWidth, rows, RGBAFormat, FloatType)
}

function numbers(texture: DataTexture): Float32Array {
  return texture.image.data as unknown as Float32Array
}

function cornersOf({ pieces, sides }: Detail): number {
  return (pieces + 1) * sides
}

// tubes are the surfaces around so many segments: for each corner how far along its segment it is, and the cosine and the
// sine of where around, in a byte each.
function tubes(detail: Detail, segments: number): BufferGeometry {
  const { pieces, sides } = detail
  const corners = cornersOf(detail)
  const one = new Int8Array(4 * corners)
  const faces: number[] = []
  for (let ring = 0; ring <= pieces; ring++) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides
      const [a, b] = [ring * sides + side, ring * sides + ((side + 1) % sides)]
      one.set([ring / pieces, Math.cos(angle), Math.sin(angle)].map((x) => Math.round(127 * x)), 4 * a)
      if (ring < pieces) faces.push(a, b, b + sides, a, b + sides, a + sides)
    }
  }
  const all = new Int8Array(one.length * segments)
  const triangles = new Uint32Array(faces.length * segments)
  for (let i = 0; i < segments; i++) {
    all.set(one, one.length * i)
    for (let k = 0; k < faces.length; k++) triangles[faces.length * i + k] = faces[k]! + corners * i
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(all, 4, true))
  geometry.setIndex(new BufferAttribute(triangles, 1))
  return geometry
}

// depthMaterial has the tubes cast shadows.
function depthMaterial(surface: SurfaceMaterial): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking })
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, tubeUniforms(surface.own.tube))
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', `${tubeHead}void main() {${tubeNormal}`)
      .replace('#include <begin_vertex>', tubePlace)
  }
  return material
}
