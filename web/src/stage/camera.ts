// The camera: orbit, pan and zoom by mouse, touch and keys, Z up; standard views; framing.

import { Box3, MathUtils, PerspectiveCamera, Sphere, Vector3 } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'

export type View = 'front' | 'right' | 'top' | 'corner'

const directions: Record<View, Vector3> = {
  front: new Vector3(0, -1, 0),
  right: new Vector3(1, 0, 0),
  top: new Vector3(0, -0.0001, 1),
  corner: new Vector3(0.62, -1, 0.58),
}

const glide = 220 // time of a move to another view [ms]

export class CameraRig {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100)
  readonly controls: OrbitControls
  onMove: () => void = () => {}

  private flight = 0

  constructor(canvas: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1)
    this.camera.position.copy(directions.corner)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.controls.zoomToCursor = true
    this.controls.addEventListener('change', () => this.onMove())
    this.controls.addEventListener('start', () => cancelAnimationFrame(this.flight))
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1)
    this.camera.updateProjectionMatrix()
  }

  // frame moves so that a box fills the picture; from keeps the direction if it is absent.
  frame(box: Box3, from?: View, jump = false): void {
    if (box.isEmpty()) return
    const sphere = box.getBoundingSphere(new Sphere())
    const radius = Math.max(sphere.radius, 1e-4)
    const direction = from ? directions[from].clone() : this.camera.position.clone().sub(this.controls.target)
    const half = MathUtils.degToRad(this.camera.fov) / 2
    const narrow = Math.atan(Math.tan(half) * Math.min(this.camera.aspect, 1))
    const distance = (0.92 * radius) / Math.sin(narrow)
    this.camera.near = distance / 100
    this.camera.far = distance * 40
    this.camera.updateProjectionMatrix()
    this.controls.minDistance = radius / 50
    this.controls.maxDistance = distance * 12
    this.moveTo(sphere.center, direction.normalize().multiplyScalar(distance).add(sphere.center), jump)
  }

  // orbit turns around the target, in degrees to the right and up.
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target)
    const distance = offset.length()
    const azimuth = Math.atan2(offset.y, offset.x) + MathUtils.degToRad(right)
    const polar = MathUtils.clamp(Math.acos(offset.z / distance) - MathUtils.degToRad(up), 0.001, Math.PI - 0.001)
    offset.setFromSphericalCoords(distance, polar, 0)
    offset.set(distance * Math.sin(polar) * Math.cos(azimuth), distance * Math.sin(polar) * Math.sin(azimuth), distance * Math.cos(polar))
    this.camera.position.copy(this.controls.target).add(offset)
    this.controls.update()
    this.onMove()
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor)
    this.camera.position.copy(this.controls.target).add(offset)
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
