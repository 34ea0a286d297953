// Reads a directory as a change list: every file is read, and every fault is a finding with its place.
import { appendAll } from '#kernel/append-all.ts'
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { fileError, readBytes } from '../files/index.ts'
import {
  fileFinding,
  folderFinding,
  innerFolderFinding,
  misplacedFinding,
  rootFindings,
  strayDescriptionFinding,
  strayFinding,
  yamlDescriptionFinding,
} from './directory-findings.ts'
import { readFiles, textOf, type FileContents } from './directory-file.ts'
import { describedService, manifestName, pathOf, type Manifest } from './directory-layout.ts'
import { readInTwoThreads } from './directory-thread.ts'
import type { NamedText } from './locate-findings.ts'

export interface DirectoryContents extends FileContents {
  /** Null if the directory has no almanac.json. */
  manifest: Manifest | null
}

export interface ReadingOptions {
  /** From this number of files on, a second thread reads with this one. Its start takes as long as reading some of them. */
  sharedFrom?: number
}

/** @throws AlmanacError files.invalid if the directory does not exist, or its almanac.json is not valid. */
export function readDirectory(dir: string, { sharedFrom = 20_000 }: ReadingOptions = {}): DirectoryContents {
  const findings: Finding[] = []
  const paths = componentFiles([...filesIn(dir, findings)], findings)
  const contents: FileContents = { components: [], findings, invalidComponents: [] }
  for (const part of paths.length < sharedFrom ? [readFiles(dir, paths)] : readInTwoThreads(dir, paths)) {
    appendAll(contents.components, part.components)
    appendAll(contents.findings, part.findings)
    appendAll(contents.invalidComponents, part.invalidComponents)
  }
  return { ...contents, manifest: readManifest(dir) }
}

export interface ServiceFiles extends FileContents {
  /** Texts of descriptions, by the key of the external service. */
  descriptions: Record<string, string>
}

/** Reads only the external services of a directory, their descriptions and the named credentials. */
export function readServiceFiles(dir: string): ServiceFiles {
  const files = (type: string): string[] =>
    kindOf(join(dir, type)) === 'folder' ? [...jsonFiles(dir, type, [])] : []
  const services = files('external_service')
  if (services.length === 0) return { ...readFiles(dir, []), descriptions: {} }
  const described = services.filter((path) => describedService(path) !== null)
  const components = services.filter((path) => describedService(path) === null)
  const texts = described.flatMap((path) => {
    const text = textOf(dir, path, [])
    return text === null ? [] : [[describedService(path)!, text] as const]
  })
  return {
    ...readFiles(dir, [...components, ...files('named_credential')]),
    descriptions: Object.fromEntries(texts),
  }
}

/** The files without the descriptions of external services; one whose service has no file is reported. */
function componentFiles(paths: readonly string[], findings: Finding[]): string[] {
  const all = new Set(paths)
  return paths.filter((path) => {
    const service = describedService(path)
    if (service === null) return true
    if (!all.has(pathOf('external_service', service))) findings.push(strayDescriptionFinding(path, service))
    return false
  })
}

/** The text of a component at its place in the directory; null if it cannot be read. */
export function componentText(dir: string, id: ComponentId): NamedText | null {
  const { type, key } = splitId(id)
  const name = layoutPath(type, key)
  if (name === null || kindOf(join(dir, name)) !== 'file') return null
  const text = textOf(dir, name, [])
  return text === null ? null : { name, text }
}

/** Null for an id that no file can have, such as one with too many dots. */
function layoutPath(type: string, key: string): string | null {
  try {
    return isComponentType(type) ? pathOf(type, key) : null
  } catch {
    return null
  }
}

/** Null if the file does not exist. @throws AlmanacError files.invalid if it is not a manifest. */
export function readManifest(dir: string): Manifest | null {
  const path = join(dir, manifestName)
  if (kindOf(path) === null) return null
  try {
    const { lineage, generation } = JSON.parse(
      readBytes(path, { noFollow: true }).toString('utf8'),
    ) as Partial<Manifest>
    if (typeof lineage === 'string' && Number.isSafeInteger(generation))
      return { lineage, generation: generation! }
  } catch {
    // Reported below, with the fix.
  }
  throw new AlmanacError(
    'files.invalid',
    `${path} is not { "lineage": …, "generation": … }. Retrieve again, or remove the file to apply against the active generation.`,
  )
}

/** Paths of component files below `dir`, with "/" between steps, sorted. A misplaced file is a finding. */
function* filesIn(dir: string, findings: Finding[]): Iterable<string> {
  const entries = entriesOf(dir)
  const inside = innerFolderFinding(dir, entries)
  if (inside !== null) return void findings.push(inside)
  const strays: Finding[] = []
  for (const entry of entries) {
    const { name } = entry
    if (name.startsWith('.')) continue
    if (entry.isSymbolicLink()) {
      if (isComponentType(name) || /\.json$/i.test(name) || leadsToFolder(dir, name))
        findings.push(fileFinding(name, 'link'))
    } else if (!entry.isDirectory()) {
      if (isComponentType(name)) strays.push(misplacedFinding(name))
      else if (/\.json$/i.test(name) && name !== manifestName) appendAll(strays, strayIn(dir, entry))
    } else if (!isComponentType(name)) findings.push(folderFinding(dir, name))
    else yield* jsonFiles(dir, name, findings)
  }
  appendAll(findings, rootFindings(dir, entries, strays))
}

/** A file next to the type folders, if it contains a component. */
function strayIn(dir: string, entry: Dirent): Finding[] {
  if (!entry.isFile()) return [fileFinding(entry.name, 'special')]
  const text = textOf(dir, entry.name, [])
  const found = text === null ? null : strayFinding(entry.name, text)
  return found === null ? [] : [found]
}

const yamlDescription = /^external_service\/[^/]+\.openapi\.ya?ml$/i

function* jsonFiles(dir: string, path: string, findings: Finding[]): Iterable<string> {
  for (const entry of entriesOf(join(dir, path))) {
    const name = `${path}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    if (entry.isSymbolicLink()) findings.push(fileFinding(name, 'link'))
    else if (entry.isDirectory()) yield* jsonFiles(dir, name, findings)
    else if (!entry.name.endsWith('.json')) {
      // Elsewhere the same name may be read; here the component would look removed.
      if (/\.json$/i.test(entry.name)) findings.push(fileFinding(name, 'ending'))
      else if (yamlDescription.test(name)) findings.push(yamlDescriptionFinding(name))
    } else if (entry.isFile()) yield name
    else findings.push(fileFinding(name, 'special'))
  }
}

function kindOf(path: string): 'file' | 'folder' | 'other' | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
  } catch {
    return null
  }
}

function leadsToFolder(dir: string, name: string): boolean {
  try {
    readdirSync(join(dir, name))
    return true
  } catch {
    return false
  }
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw fileError('read', dir, cause)
  }
}
