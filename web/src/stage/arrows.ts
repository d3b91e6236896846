// Arrows for the impulses of contacts, all in one draw call.

import { Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3, type BufferGeometry } from 'three'
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js'

export interface Impulses {
  points: Float32Array // where, three numbers each [m]
  vectors: Float32Array // impulses [N s]
}

// arrowGeometry is an arrow of length 1 along z from the origin.
function arrowGeometry(): BufferGeometry {
  const shaft = new CylinderGeometry(0.01, 0.01, 0.78, 6, 1, true).translate(0, 0.39, 0)
  const head = new ConeGeometry(0.04, 0.22, 10).translate(0, 0.89, 0)
  return mergeGeometries([shaft, head]).rotateX(Math.PI / 2)
}

export class Arrows {
  readonly material = new MeshLambertMaterial()
  mesh: InstancedMesh

  constructor() {
    this.mesh = this.allocate(256)
  }

  // show draws an arrow for each impulse that is not zero. perUnit is the length of one newton second [m].
  // It says whether it had to make a new mesh, which then stands in for the old one.
  show(impulses: Impulses[], perUnit: number): boolean {
    let n = 0
    for (const { vectors } of impulses) n += vectors.length / 3
    const grown = n > this.mesh.instanceMatrix.count
    if (grown) {
      const old = this.mesh
      this.mesh = this.allocate(2 * n)
      this.mesh.visible = old.visible
      old.dispose()
    }
    this.mesh.count = this.fill(impulses, perUnit)
    this.mesh.instanceMatrix.needsUpdate = true
    return grown
  }

  setColor(color: Color): void {
    this.material.color.copy(color)
    this.material.emissive.copy(color).multiplyScalar(0.35)
  }

  private fill(impulses: Impulses[], perUnit: number): number {
    const up = new Vector3(0, 0, 1)
    const place = new Vector3()
    const turn = new Quaternion()
    const size = new Vector3()
    const direction = new Vector3()
    const matrix = new Matrix4()
    let n = 0
    for (const { points, vectors } of impulses) {
      for (let i = 0; i < vectors.length; i += 3) {
        direction.fromArray(vectors, i)
        const impulse = direction.length()
        if (!(impulse > 0)) continue
        const length = impulse * perUnit
        turn.setFromUnitVectors(up, direction.divideScalar(impulse))
        matrix.compose(place.fromArray(points, i), turn, size.setScalar(length))
        this.mesh.setMatrixAt(n++, matrix)
      }
    }
    return n
  }

  private allocate(count: number): InstancedMesh {
    const mesh = new InstancedMesh(arrowGeometry(), this.material, count)
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    mesh.frustumCulled = false
    mesh.count = 0
    return mesh
  }
}

// longest returns the size of the largest impulse [N s].
export function longest(impulses: Impulses[]): number {
  let most = 0
  for (const { vectors } of impulses) {
    for (let i = 0; i < vectors.length; i += 3) {
      most = Math.max(most, Math.hypot(vectors[i]!, vectors[i + 1]!, vectors[i + 2]!))
    }
  }
  return most
}
