// The camera: orbit, pan and zoom by mouse, touch and keys, Z up; standard views; framing.

import { MathUtils, PerspectiveCamera, Vector3, type Box3 } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'

export type View = 'front' | 'right' | 'top' | 'corner'

const directions: Record<View, Vector3> = {
  front: new Vector3(0, -1, 0),
  right: new Vector3(1, 0, 0),
  top: new Vector3(0, -0.0001, 1),
  corner: new Vector3(0.62, -1, 0.58),
}

const room = 1.06 // of the picture around what is framed
const glide = 220 // time of a move to another view [ms]

export class CameraRig {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100)
  readonly controls: OrbitControls
  touched = false // somebody has chosen where to look from
  onMove: () => void = () => {}

  private flight = 0

  constructor(canvas: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1)
    this.camera.position.copy(directions.corner)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.controls.zoomToCursor = true
    this.controls.addEventListener('change', () => this.onMove())
    this.controls.addEventListener('start', () => {
      this.touched = true
      cancelAnimationFrame(this.flight)
    })
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1)
    this.camera.updateProjectionMatrix()
  }

  // frame moves so that a box fills the picture; from keeps the direction if it is absent.
  frame(box: Box3, from?: View, jump = false): void {
    if (box.isEmpty()) return
    const center = box.getCenter(new Vector3())
    const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-4)
    const direction = (from ? directions[from].clone() : this.camera.position.clone().sub(this.controls.target)).normalize()
    const distance = this.distanceTo(box, center, direction)
    this.camera.near = radius / 60
    this.camera.far = 60 * radius
    this.camera.updateProjectionMatrix()
    this.controls.minDistance = radius / 50
    this.controls.maxDistance = 20 * radius
    this.moveTo(center, direction.multiplyScalar(distance).add(center), jump)
  }

  // distanceTo returns how far from the centre every corner of a box can be seen, with some room around it.
  private distanceTo(box: Box3, center: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize()
    const up = new Vector3().crossVectors(direction, right)
    const tall = Math.tan(MathUtils.degToRad(this.camera.fov) / 2) / room
    const wide = tall * this.camera.aspect
    let distance = 1e-4
    for (let corner = 0; corner < 8; corner++) {
      const at = new Vector3(
        corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z,
      ).sub(center)
      const needed = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / tall)
      distance = Math.max(distance, at.dot(direction) + needed)
    }
    return distance
  }

  // orbit turns around the target, in degrees to the right and up.
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target)
    const distance = offset.length()
    const azimuth = Math.atan2(offset.y, offset.x) + MathUtils.degToRad(right)
    const polar = MathUtils.clamp(Math.acos(offset.z / distance) - MathUtils.degToRad(up), 0.001, Math.PI - 0.001)
    offset.set(distance * Math.sin(polar) * Math.cos(azimuth), distance * Math.sin(polar) * Math.sin(azimuth), distance * Math.cos(polar))
    this.camera.position.copy(this.controls.target).add(offset)
    this.touched = true
    this.controls.update()
    this.onMove()
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor)
    this.camera.position.copy(this.controls.target).add(offset)
    this.touched = true
    this.controls.update()
    this.onMove()
  }

  private moveTo(target: Vector3, position: Vector3, jump: boolean): void {
    cancelAnimationFrame(this.flight)
    const still = jump || matchMedia('(prefers-reduced-motion: reduce)').matches
    const fromTarget = this.controls.target.clone()
    const fromPosition = this.camera.position.clone()
    const start = performance.now()
    const advance = (now: number): void => {
      const t = still ? 1 : Math.min(Math.max((now - start) / glide, 0), 1)
      const eased = t * t * (3 - 2 * t)
      this.controls.target.lerpVectors(fromTarget, target, eased)
      this.camera.position.lerpVectors(fromPosition, position, eased)
      this.controls.update()
      this.onMove()
      if (t < 1) this.flight = requestAnimationFrame(advance)
    }
    advance(start)
  }
}
