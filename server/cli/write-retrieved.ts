// The stream of a remote retrieve into a directory, as a local retrieve writes it (completions 1).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  manifestName,
  manifestText,
  pathOf,
  readDirectory,
  readManifest,
  type Manifest,
} from '../pipeline/index.ts'
import type { Retrieved } from './org-api.ts'

/** Files of components that this org had here before and has no more are removed; other files stay. */
export async function writeRetrieved(
  dir: string,
  stream: ReadableStream<Uint8Array>,
  progress: (done: number) => void,
): Promise<Retrieved> {
  const before = readManifest(dir)
  const owned = new Set(
    before === null
      ? []
      : readDirectory(dir).components.map(({ component }) => pathOf(component.type, component.key)),
  )
  const result = { written: 0, unchanged: 0, removed: 0 }
  let manifest = null as Manifest | null
  for await (const { path, text } of linesOf(stream)) {
    if (path === manifestName) manifest = JSON.parse(text) as Manifest
    else {
      owned.delete(path)
      result[writeFile(inside(dir, path), text) ? 'written' : 'unchanged'] += 1
      progress(result.written + result.unchanged)
    }
  }
  if (manifest === null)
    throw new AlmanacError(
      'files.invalid',
      'The server’s answer ended without its almanac.json; retrieve again.',
    )
  if (before?.lineage === manifest.lineage)
    for (const path of owned) {
      rmSync(inside(dir, path), { force: true })
      result.removed += 1
    }
  // Last, so that an interrupted retrieve still knows what it owned before.
  result[writeFile(join(dir, manifestName), manifestText(manifest)) ? 'written' : 'unchanged'] += 1
  return { ...manifest, ...result }
}

/** The files of a retrieve, as they come. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
): AsyncIterable<{ path: string; text: string }> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as { path: string; text: string }
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as { path: string; text: string }
}

/** A server must not write beside the directory. */
function inside(dir: string, path: string): string {
  const full = normalize(join(dir, path))
  if (!full.startsWith(normalize(dir + sep)))
    throw new AlmanacError(
      'files.invalid',
      `The server named the file ${path}, which lies outside of ${dir}.`,
    )
  return full
}

function writeFile(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return true
}
