// A side as a page loads it: one build for all, and what it weighs.
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { tightCss } from '../../../elements/build/script.ts'

export interface Bundle {
  /** The files of the page by path; the first is the entry. */
  files: Map<string, string>
  /** What is loaded before anything shows, compressed file by file; in bytes. */
  gzip: number
}

export async function bundle(entry: string): Promise<Bundle> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [tightCss],
    build: {
      write: false,
      target: 'chrome111',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: false,
        output: { minify: true, entryFileNames: 'entry.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  const { output } = built as Rolldown.RolldownOutput
  const chunks = output.filter((each) => each.type === 'chunk')
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code]))
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) load(next)
  }
  load('entry.js')
  const gzip = [...loaded].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').length, 0)
  return { files, gzip }
}
