// One build for both studios: main and preload for Electron, and the renderer, which the server serves to a browser too.
import { posix, resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { groups } from './renderer/build/chunks.ts'

const root = import.meta.dirname

export default defineConfig({
  main: {
    plugins: [workersBySource()],
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          index: resolve(root, 'main/index.ts'),
          'server-process': resolve(root, 'main/server-process.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: resolve(root, 'main/preload.ts'),
        // A sandboxed preload script is CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('svc-') } } }),
      servedAtRoot(),
    ],
    build: {
      outDir: resolve(root, 'out/renderer'),
      emptyOutDir: true,
      target: 'es2024',
      // electron-vite leaves it off; half the bytes are half the time to parse them before the first paint.
      minify: true,
      // The editor receives the tokens as they are written, and does not accept a shortened colour (#fff).
      cssMinify: false,
      // Monaco is one large chunk by nature, loaded when a page needs it.
      chunkSizeWarningLimit: 5000,
      rolldownOptions: {
        input: resolve(root, 'renderer/index.html'),
        output: { codeSplitting: { groups } },
      },
    },
  },
})

/** The server serves the studio at `/`, whose pages have deep addresses: a relative base would lead astray from them. */
function servedAtRoot(): Plugin {
  return {
    name: 'almanac:served-at-root',
    config: {
      order: 'post',
      handler(config) {
        config.base = '/'
      },
    },
  }
}

/**
 * The server runs from source, where a worker is `new URL('./record-worker.ts', import.meta.url)`.
 * In the build each such file becomes a chunk of its own, and the address follows it.
 */
function workersBySource(): Plugin {
  const source = /new URL\(\s*(['"])(\.{1,2}\/[^'"]*worker\.ts)\1\s*,\s*import\.meta\.url\s*\)/g
  const placed = /worker-chunk:(\w+)/g
  return {
    name: 'almanac:workers-by-source',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/server/') || !code.includes('worker.ts')) return null
      const marked = code.replace(source, (_whole, _quote, path: string) => {
        const chunk = this.emitFile({ type: 'chunk', id: resolve(id, '..', path) })
        return `new URL('worker-chunk:${chunk}', import.meta.url)`
      })
      return { code: marked, map: null }
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('worker-chunk:')) return null
      return code.replace(placed, (_whole, chunk: string) => {
        const path = posix.relative(posix.dirname(fileName), this.getFileName(chunk))
        return path.startsWith('.') ? path : `./${path}`
      })
    },
  }
}
