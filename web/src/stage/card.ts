// What draws: a graphics card, or the processor in its place, which is much slower.

const software = /swiftshader|llvmpipe|softpipe|software|basic render/i

// drawsInSoftware says whether a context has no graphics card behind it.
export function drawsInSoftware(context: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const names = context.getExtension('WEBGL_debug_renderer_info')
  return software.test(String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER)))
}
