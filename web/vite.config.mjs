// Builds the page into internal/view/dist, which is committed: fixed names, no clocks, so that the same source gives the same bytes.
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

// notices puts the licence of everything that ends up in the page beside it.
function notices() {
  return {
    name: 'notices',
    generateBundle() {
      const licence = readFileSync(new URL('node_modules/three/LICENSE', import.meta.url), 'utf8')
      const { version } = JSON.parse(readFileSync(new URL('node_modules/three/package.json', import.meta.url), 'utf8'))
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD_PARTY.txt',
        source: `The viewer's page contains three.js ${version} (https://threejs.org), used under this licence:\n\n${licence.trim()}\n`,
      })
    },
  }
}

export default defineConfig({
  base: './',
  publicDir: 'public',
  plugins: [notices()],
  build: {
    outDir: '../internal/view/dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      output: { entryFileNames: 'viewer.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})
