// The material of bodies: soft light, both sides, colours of a quantity at the vertices.
//
// Quantities are given as they come in the frame and become colours for each pixel: a scalar by the map, between low and
// high; a contact state by what most of the surroundings are. Where a quantity has no value (no contact) the surface is grey.

import { DataTexture, DoubleSide, LinearFilter, MeshLambertMaterial, RGBAFormat, SRGBColorSpace, Color, type IUniform, type Texture } from 'three'
import { contactStates, mapColor, mapSteps } from '../colormap'
import type { Sides } from './palette'

export enum Mode {
  Plain,
  Scalar,
  Gap, // a scalar that only a contact has
  Impulse, // likewise
  State,
}

// TubeUniforms are what the tubes around yarns are made from; see strand.ts.
export interface TubeUniforms {
  radius: IUniform<number> // [m]
  corners: IUniform<number> // of the tube around one segment
  strand: IUniform<Texture | null> // padded control points, and a quantity
  aside: IUniform<Texture | null> // directions across, and whether a segment begins
}

interface Uniforms {
  mode: IUniform<number>
  low: IUniform<number>
  high: IUniform<number>
  front: IUniform<Color>
  back: IUniform<Color>
  none: IUniform<Color>
  select: IUniform<Color>
  selected: IUniform<number>
  section: IUniform<number> // 1: it is filled, so that its inside is seen where it is cut
  tube: TubeUniforms
  states: IUniform<Color[]>
  map: IUniform<DataTexture>
}

// A gap from here on means that there is no contact (cache.NoGap).
const noGap = 999

const vertexHead = `
uniform int mode;
varying vec2 vQuantity;
varying vec3 vState;
`
const vertexBody = `
vQuantity = vec2(quantity, 1.0);
vState = vec3(0.0);
if (mode == ${Mode.Gap} && quantity > ${noGap}.0 || mode == ${Mode.Impulse} && quantity <= 0.0) vQuantity = vec2(0.0);
if (mode == ${Mode.State}) vState = quantity < 0.5 ? vec3(1, 0, 0) : quantity < 1.5 ? vec3(0, 1, 0) : vec3(0, 0, 1);
`
// Of a tube around the segment of a yarn: position is how far along, and the cosine and the sine of where around. The
// centre line is the Catmull-Rom spline through the points before, from, to and after. Where no segment begins, nothing
// is drawn.
export const strandWidth = 1024 // of the textures
export const tubeHead = `
uniform float radius;
uniform int corners;
uniform highp sampler2D strand, aside_;
vec4 entry(highp sampler2D list, int i) { return texelFetch(list, ivec2(i % ${strandWidth}, i / ${strandWidth}), 0); }
`
export const tubeNormal = `
int first = gl_VertexID / corners;
float along = position.x;
vec3 before = entry(strand, first).xyz, after = entry(strand, first + 3).xyz;
vec4 fromHere = entry(strand, first + 1), toThere = entry(strand, first + 2);
vec4 acrossA = entry(aside_, first + 1), acrossB = entry(aside_, first + 2);
vec3 from = fromHere.xyz, to = toThere.xyz;
vec3 slope = 0.5 * (to - before) + along * (2.0 * before - 5.0 * from + 4.0 * to - after + along * 1.5 * (3.0 * (from - to) + after - before));
vec3 axis = normalize(length(slope) > 0.0 ? slope : vec3(0.0, 0.0, 1.0));
vec3 aside = mix(acrossA.xyz, acrossB.xyz, along);
aside = normalize(aside - dot(aside, axis) * axis);
vec3 outwards = position.y * aside + position.z * cross(axis, aside);
`
export const tubePlace = `
vec3 transformed = from + along * (0.5 * (to - before) + along * (before - 2.5 * from + 2.0 * to - 0.5 * after + along * 0.5 * (3.0 * (from - to) + after - before)));
transformed = acrossA.w > 0.5 ? transformed + radius * outwards : vec3(0.0);
`
const tubeQuantity = 'float quantity = mix(fromHere.w, toThere.w, along);'

const fragmentHead = `
uniform int mode;
uniform float low, high, selected, section;
uniform vec3 front, back, none, select;
uniform vec3 states[3];
uniform sampler2D map_;
varying vec2 vQuantity;
varying vec3 vState;
`
const fragmentColor = `
diffuseColor.rgb = gl_FrontFacing ? front : back;
if (mode != ${Mode.Plain} && mode != ${Mode.State}) {
  float t = (vQuantity.x / max(vQuantity.y, 1e-6) - low) / max(high - low, 1e-30);
  vec3 shade = texture2D(map_, vec2((clamp(t, 0.0, 1.0) * ${mapSteps - 1}.0 + 0.5) / ${mapSteps}.0, 0.5)).rgb;
  diffuseColor.rgb = vQuantity.y < 0.5 ? none : shade;
}
if (mode == ${Mode.State}) {
  diffuseColor.rgb = vState.z > max(vState.x, vState.y) ? states[2] : vState.y > vState.x ? states[1] : states[0];
}
`
// Colours that mean something are lit less, so that they can be found in the legend.
const fragmentLight = `
if (mode != ${Mode.Plain}) outgoingLight = mix(outgoingLight, diffuseColor.rgb, 0.4);
float rim = 1.0 - abs(dot(normalize(normal), normalize(vViewPosition)));
outgoingLight = mix(outgoingLight, select, selected * (0.06 + 0.5 * rim * rim * rim * rim));
if (section > 0.5 && !gl_FrontFacing) outgoingLight = back;
#include <opaque_fragment>
`

const mapTexture = buildMapTexture()

function buildMapTexture(): DataTexture {
  const data = new Uint8Array(4 * mapSteps)
  for (let i = 0; i < mapSteps; i++) data.set([...mapColor(i / (mapSteps - 1)), 255], 4 * i)
  const texture = new DataTexture(data, mapSteps, 1, RGBAFormat)
  texture.colorSpace = SRGBColorSpace
  texture.magFilter = LinearFilter
  texture.minFilter = LinearFilter
  texture.needsUpdate = true
  return texture
}

// tubeUniforms names uniforms as the shader does.
export function tubeUniforms({ aside, ...rest }: TubeUniforms): Record<string, IUniform> {
  return { ...rest, aside_: aside }
}

export class SurfaceMaterial extends MeshLambertMaterial {
  readonly own: Uniforms

  // tube is for yarns.
  constructor(sides: Sides, none: Color, select: Color, tube = false) {
    super({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 })
    this.shadowSide = DoubleSide
    this.own = {
      mode: { value: Mode.Plain },
      low: { value: 0 },
      high: { value: 1 },
      front: { value: sides.front },
      back: { value: sides.back },
      none: { value: none },
      select: { value: select },
      selected: { value: 0 },
      section: { value: 0 },
      tube: { radius: { value: 0 }, corners: { value: 1 }, strand: { value: null }, aside: { value: null } },
      states: { value: contactStates.map((state) => new Color(state.color)) },
      map: { value: mapTexture },
    }
    this.onBeforeCompile = (shader) => {
      const { map, tube: around, ...rest } = this.own
      Object.assign(shader.uniforms, rest, { map_: map }, tube ? tubeUniforms(around) : {})
      shader.vertexShader = tube
        ? shader.vertexShader
            .replace('void main() {', `${tubeHead}${vertexHead}void main() {${tubeNormal}${tubeQuantity}${vertexBody}`)
            .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = outwards;')
            .replace('#include <begin_vertex>', tubePlace)
        : shader.vertexShader.replace('void main() {', `attribute float quantity;${vertexHead}void main() {${vertexBody}`)
      shader.fragmentShader = shader.fragmentShader
        .replace('void main() {', `${fragmentHead}void main() {`)
        .replace('#include <color_fragment>', fragmentColor)
        .replace('#include <opaque_fragment>', fragmentLight)
    }
    this.customProgramCacheKey = () => (tube ? 'toile-tube' : 'toile-surface')
  }
}
