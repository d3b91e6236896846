// Planes: the obstacles that are one, and the ground that is only there for the eye. A plane fades out far from the scene,
// has grid lines at round lengths, shows shadows, and cannot be seen from behind, so that nothing hides the scene.

import { Color, FrontSide, MeshLambertMaterial, Vector3, type IUniform } from 'three'

interface Uniforms {
  center: IUniform<Vector3>
  reach: IUniform<number>
  along: IUniform<Vector3>
  across: IUniform<Vector3>
  cell: IUniform<number>
  surface: IUniform<Color>
  line: IUniform<Color>
}

const vertexHead = `
varying vec3 vPlace;
`
const fragmentHead = `
uniform vec3 center, along, across, surface, line;
uniform float reach, cell;
varying vec3 vPlace;
float ruled(vec2 at, float width) {
  vec2 apart = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(apart, vec2(1e-6));
  float drawn = 1.0 - min(min(near.x, near.y) / width, 1.0);
  return drawn * clamp(1.2 - 3.0 * max(apart.x, apart.y), 0.0, 1.0);
}
`
const fragmentColor = `
vec2 at = vec2(dot(vPlace, along), dot(vPlace, across)) / cell;
float lines = max(0.3 * ruled(at, 1.0), 0.6 * ruled(at / 5.0, 1.1));
diffuseColor.rgb = mix(surface, line, lines);
float far = length(vPlace - center) / reach;
diffuseColor.a *= 1.0 - smoothstep(0.35, 1.0, far);
`

export class FloorMaterial extends MeshLambertMaterial {
  readonly own: Uniforms

  constructor() {
    super({ side: FrontSide, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 })
    this.own = {
      center: { value: new Vector3() },
      reach: { value: 1 },
      along: { value: new Vector3(1, 0, 0) },
      across: { value: new Vector3(0, 1, 0) },
      cell: { value: 0.1 },
      surface: { value: new Color() },
      line: { value: new Color() },
    }
    this.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.own)
      shader.vertexShader = shader.vertexShader
        .replace('void main() {', `${vertexHead}void main() {\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;`)
      shader.fragmentShader = shader.fragmentShader
        .replace('void main() {', `${fragmentHead}void main() {`)
        .replace('#include <color_fragment>', fragmentColor)
    }
    this.customProgramCacheKey = () => 'toile-floor'
  }

  level = false // one can stand on it

  // orient lays the grid into the plane with a normal.
  orient(normal: Vector3): void {
    this.level = normal.z > 0.7
    const aside = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)
    this.own.across.value.crossVectors(normal, aside).normalize()
    this.own.along.value.crossVectors(this.own.across.value, normal)
  }
}

// gridCell returns a round length of which a scene of the given size has some ten.
export function gridCell(size: number): number {
  return 10 ** Math.round(Math.log10(Math.max(size, 1e-6) / 10) - 0.15)
}
