// Bundles a side as a page loads it, with the same build for all sides, and measures its size.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { buildScript } from '../../../elements/build/script.ts'

export interface Bundle {
  /** The files of the page by path; the first is the entry. */
  files: Map<string, string>
  /** What is loaded before anything is shown, compressed file by file; in bytes. */
  gzip: number
}

/** Ours, as it is published; peers are bundled from their published packages too. */
export async function publishModule(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-elements-'))
  await buildScript(folder)
  return join(folder, 'index.js')
}

/** `ours`: the file that `@almanac/lookup-field` resolves to. */
export async function bundle(entry: string, ours = ''): Promise<Bundle> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { '@almanac/lookup-field': ours } },
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
