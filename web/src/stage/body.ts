// One body on the stage: its surface, its edges, and the colours of a quantity.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Mesh, Vector3, type Plane, type Raycaster } from 'three'
import type { BodyFrame } from '../frame'
import { uniqueEdges } from './edges'
import { FloorMaterial } from './floor'
import type { BodyKind } from '../api'
import type { Sides, StageColors } from './palette'
import { Mode, SurfaceMaterial } from './surface'

const edgeCache = new Map<string, Uint32Array>() // by topology, the latest ones
const edgesKept = 16

// Hit is where a ray meets a body, and the vertices around.
export interface Hit {
  distance: number
  point: Vector3
  vertices: number[]
}

export class Body {
  readonly group = new Group()
  readonly plane: boolean
  private readonly meshed: boolean // its triangles are those of the scene, not made for the eye
  positions: Float32Array = new Float32Array()

  private readonly surface: SurfaceMaterial | FloorMaterial
  private readonly mesh: Mesh<BufferGeometry, SurfaceMaterial | FloorMaterial>
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>
  private topology = ''
  private triangles: Uint32Array = new Uint32Array()
  private edges = false
  private cut: Plane | null = null
  private quantity: Float32Array | null = null

  constructor(
    readonly name: string,
    readonly kind: BodyKind,
    shape: string,
    readonly sides: Sides,
    colors: StageColors,
  ) {
    this.plane = kind === 'obstacle' && shape === 'plane'
    this.meshed = kind !== 'obstacle' || shape === 'mesh' || shape === 'deforming'
    this.surface = this.plane ? new FloorMaterial() : new SurfaceMaterial(sides, colors.none, colors.select)
    this.mesh = new Mesh(new BufferGeometry(), this.surface)
    this.mesh.frustumCulled = false
    this.mesh.castShadow = !this.plane
    this.mesh.receiveShadow = true
    this.mesh.renderOrder = this.plane ? -1 : 0
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.38 }))
    this.lines.frustumCulled = false
    this.lines.visible = false
    this.group.add(this.mesh, this.lines)
    this.setColors(colors)
  }

  get material(): SurfaceMaterial | FloorMaterial {
    return this.surface
  }

  setColors(colors: StageColors): void {
    this.lines.material.color.copy(colors.edge)
    if (this.surface instanceof FloorMaterial) {
      this.surface.own.surface.value.copy(this.sides.front).lerp(colors.floor, 0.8)
      this.surface.own.line.value.copy(colors.line)
    } else {
      this.surface.own.none.value = colors.none
      this.surface.own.select.value = colors.select
    }
  }

  // update shows the body of a frame. Its arrays go to the graphics card as they are.
  update(body: BodyFrame, triangles: Uint32Array | undefined): void {
    const positions = body.arrays.get('position')
    if (!(positions instanceof Float32Array) || !triangles) {
      this.group.visible = false
      return
    }
    if (body.topology !== this.topology || positions.length !== this.positions.length) {
      this.topology = body.topology
      this.triangles = triangles
      this.rebuild(positions.length / 3)
    }
    this.positions = positions
    put(this.mesh.geometry, 'position', positions)
    const normals = body.arrays.get('normal')
    if (normals instanceof Float32Array && normals.length === positions.length) put(this.mesh.geometry, 'normal', normals)
    else this.mesh.geometry.computeVertexNormals()
    this.mesh.geometry.boundingSphere = null
    this.mesh.geometry.boundingBox = null
    if (this.surface instanceof FloorMaterial) this.orientFloor(this.surface, positions)
  }

  // setQuantity colours the surface; null leaves it plain.
  setQuantity(values: Float32Array | null, mode: Mode, low: number, high: number): void {
    if (this.surface instanceof FloorMaterial) return
    const fits = values !== null && 3 * values.length === this.positions.length
    this.quantity = fits ? values : null
    const own = this.surface.own
    own.mode.value = fits ? mode : Mode.Plain
    own.low.value = low
    own.high.value = high
    if (fits) put(this.mesh.geometry, 'quantity', values)
  }

  setEdges(shown: boolean): void {
    this.edges = shown && this.meshed
    this.lines.visible = this.edges
    if (this.edges) this.buildEdges()
  }

  // setCut leaves what is on the near side of a plane, if there is one. What is filled shows an even colour inside.
  setCut(plane: Plane | null): void {
    if (this.surface instanceof FloorMaterial) return
    this.cut = plane
    this.surface.clippingPlanes = this.lines.material.clippingPlanes = plane ? [plane] : null
    this.surface.own.section.value = plane && this.kind !== 'cloth' ? 1 : 0
  }

  setSelected(selected: boolean): void {
    if (this.surface instanceof SurfaceMaterial) this.surface.own.selected.value = selected ? 1 : 0
  }

  // pick returns where a ray meets the surface that is shown first.
  pick(ray: Raycaster): Hit | undefined {
    const hits = this.group.visible ? ray.intersectObject(this.mesh, false) : []
    const hit = hits.find(({ point }) => !this.cut || this.cut.distanceToPoint(point) >= 0)
    return hit?.face ? { distance: hit.distance, point: hit.point, vertices: [hit.face.a, hit.face.b, hit.face.c] } : undefined
  }

  // valueAt returns what colours a vertex, if anything does.
  valueAt(vertex: number): number | undefined {
    return this.quantity?.[vertex]
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.lines.geometry.dispose()
    this.surface.dispose()
    this.lines.material.dispose()
  }

  private rebuild(vertices: number): void {
    this.mesh.geometry.dispose()
    const geometry = new BufferGeometry()
    geometry.setIndex(new BufferAttribute(this.triangles, 1))
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * vertices), 3))
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(3 * vertices), 3))
    geometry.setAttribute('quantity', new BufferAttribute(new Float32Array(vertices), 1))
    this.mesh.geometry = geometry
    if (this.edges) this.buildEdges()
  }

  private buildEdges(): void {
    const position = this.mesh.geometry.getAttribute('position')
    if (!position || this.lines.geometry.getAttribute('position') === position) return
    let edges = edgeCache.get(this.topology)
    if (!edges) {
      edges = uniqueEdges(this.triangles)
      edgeCache.set(this.topology, edges)
      if (edgeCache.size > edgesKept) edgeCache.delete(edgeCache.keys().next().value!)
    }
    this.lines.geometry.dispose()
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', position)
    geometry.setIndex(new BufferAttribute(edges, 1))
    this.lines.geometry = geometry
  }

  private orientFloor(material: FloorMaterial, positions: Float32Array): void {
    const corner = (i: number) => new Vector3().fromArray(positions, 3 * this.triangles[i]!)
    const a = corner(0)
    const normal = corner(1).sub(a).cross(corner(2).sub(a)).normalize()
    material.orient(normal)
  }
}

// put makes an array the values of an attribute, without copying it.
function put(geometry: BufferGeometry, name: string, values: Float32Array): void {
  const attribute = geometry.getAttribute(name) as BufferAttribute
  attribute.array = values
  attribute.needsUpdate = true
}
