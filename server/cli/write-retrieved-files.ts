// Writes the stream of a remote retrieve to a directory, as a local retrieve does.
import type { Component } from '#kernel/components/body-types.ts'
import { explainKey, isComponentType } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { ComponentFolder } from '../files/index.ts'
import {
  describedService,
  descriptionPathOf,
  manifestName,
  manifestText,
  pathOf,
  readDirectory,
  readManifest,
  type Manifest,
} from '../pipeline/index.ts'
import type { RetrieveResult } from './org-api.ts'

/** Removes files that an earlier retrieve of this org wrote if their components no longer exist; other files stay. */
export async function writeRetrievedFiles(
  dir: string,
  files: AsyncIterable<RetrievedFile>,
  progress: (done: number) => void,
): Promise<RetrieveResult> {
  const folder = new ComponentFolder(dir)
  const before = readManifest(dir)
  // Everything is checked before a byte is written.
  const { texts, manifest } = await checkFiles(files, progress)
  const owned = new Set(
    before?.lineage === manifest.lineage
      ? readDirectory(dir).components.flatMap(({ component }) => ownPaths(component))
      : [],
  )
  const result = { written: 0, unchanged: 0, removed: 0 }
  for (const [path, text] of texts) {
    owned.delete(path)
    result[folder.write(path, text) ? 'written' : 'unchanged'] += 1
  }
  for (const path of owned) if (folder.remove(path)) result.removed += 1
  // Written last, so an interrupted retrieve still knows which files it owned before.
  result[folder.write(manifestName, manifestText(manifest)) ? 'written' : 'unchanged'] += 1
  return { ...manifest, ...result }
}

export interface RetrievedFile {
  path: string
  text: string
}

interface CheckedFiles {
  texts: ReadonlyMap<string, string>
  manifest: Manifest
}

/** @throws AlmanacError integration.unreadable for a file that is not the component of its path */
async function checkFiles(
  files: AsyncIterable<RetrievedFile>,
  progress: (done: number) => void,
): Promise<CheckedFiles> {
  const texts = new Map<string, string>()
  let manifest: Manifest | null = null
  for await (const { path, text } of files) {
    if (path === manifestName) manifest = manifestOf(text)
    else {
      const place = placeOf(path, text)
      if (texts.has(place)) throw invalidFileError(path, 'the response contains it twice')
      texts.set(place, text)
      progress(texts.size)
    }
  }
  if (manifest !== null) return { texts, manifest }
  throw new AlmanacError(
    'integration.unreadable',
    'The response ended without its almanac.json. Retrieve again.',
  )
}

function ownPaths({ type, key }: Component): string[] {
  const path = pathOf(type, key)
  return type === 'external_service' ? [path, descriptionPathOf(key)] : [path]
}

/** Returns the path of the component in the text, and ignores the name that the server sent. */
function placeOf(path: string, text: string): string {
  const service = describedService(path)
  if (service !== null) return placeOfDescription(service, path, text)
  const { type, key } = (jsonOf(text) ?? {}) as { type?: unknown; key?: unknown }
  if (typeof type !== 'string' || typeof key !== 'string' || !isComponentType(type))
    throw invalidFileError(path, 'it does not contain a component')
  const why = explainKey(type, key)
  if (why !== null) throw invalidFileError(path, `the key of its component is not valid: ${why}`)
  const place = pathOf(type, key)
  if (place !== path) throw invalidFileError(path, `its component belongs at ${place}`)
  return place
}

/** The description of an external service, which names nothing. */
function placeOfDescription(service: string, path: string, text: string): string {
  const json = jsonOf(text)
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return descriptionPathOf(service)
  throw invalidFileError(path, 'it is not the description of an external service')
}

function manifestOf(text: string): Manifest {
  const { lineage, generation } = (jsonOf(text) ?? {}) as Partial<Manifest>
  if (typeof lineage === 'string' && /^[\w-]{1,100}$/.test(lineage) && Number.isSafeInteger(generation))
    return { lineage, generation: generation! }
  throw invalidFileError(manifestName, 'it does not name a lineage and a generation')
}

function invalidFileError(path: string, why: string): AlmanacError {
  return new AlmanacError(
    'integration.unreadable',
    `The server sent the file ${JSON.stringify(path.slice(0, 200))}, and ${why}. Nothing was written. Check the URL.`,
  )
}

/** Yields the files of a retrieve as they arrive. @throws AlmanacError integration.unreadable */
export async function* readFileLines(
  stream: AsyncIterable<Uint8Array>,
  redact: (text: string) => string,
): AsyncIterable<RetrievedFile> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield lineOf(redact(line))
  }
  if (rest.trim() !== '') yield lineOf(redact(rest))
}

function lineOf(line: string): RetrievedFile {
  const { path, text } = (jsonOf(line) ?? {}) as { path?: unknown; text?: unknown }
  if (typeof path === 'string' && typeof text === 'string') return { path, text }
  throw new AlmanacError(
    'integration.unreadable',
    'The server sent a line that is not a retrieved file. Nothing was written. Check the URL.',
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
