// Reads a directory as a change list: every file is read, and every fault is a finding with its place.
import { appendAll } from '#kernel/append-all.ts'
import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { CandidateComponent } from '#kernel/change/index.ts'
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { fileError, plainText, readBytes } from '../files/index.ts'
import {
  fileFinding,
  folderFinding,
  innerFolderFinding,
  misplacedFinding,
  rootFindings,
  strayFinding,
} from './directory-findings.ts'
import { idAt, manifestName, pathOf, type Manifest } from './directory-layout.ts'
import { parseText, type InvalidComponentText } from './parse-text.ts'
import type { NamedText } from './locate-findings.ts'

export interface DirectoryContents {
  components: CandidateComponent[]
  findings: Finding[]
  /** Files that are known to contain a component which could not be read completely. */
  invalidComponents: InvalidComponentText[]
  /** Null if the directory has no almanac.json. */
  manifest: Manifest | null
}

/** @throws AlmanacError files.invalid if the directory does not exist, or its almanac.json is not valid. */
export function readDirectory(dir: string): DirectoryContents {
  const components: CandidateComponent[] = []
  const findings: Finding[] = []
  const unread: InvalidComponentText[] = []
  for (const path of filesIn(dir, findings)) {
    const text = plainText(join(dir, path)) ?? textOf(dir, path, findings)
    if (text === null) continue
    const { parsed, findings: found, invalidComponent } = parseText(text, originOf(path))
    if (found.length > 0) appendAll(findings, found)
    if (parsed !== null) components.push(parsed)
    else if (invalidComponent !== undefined) unread.push(invalidComponent)
  }
  return { components, findings, invalidComponents: unread, manifest: readManifest(dir) }
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

function* jsonFiles(dir: string, path: string, findings: Finding[]): Iterable<string> {
  for (const entry of entriesOf(join(dir, path))) {
    const name = `${path}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    if (entry.isSymbolicLink()) findings.push(fileFinding(name, 'link'))
    else if (entry.isDirectory()) yield* jsonFiles(dir, name, findings)
    else if (!entry.name.endsWith('.json')) {
      // Elsewhere the same name may be read; here the component would look removed.
      if (/\.json$/i.test(entry.name)) findings.push(fileFinding(name, 'ending'))
    } else if (entry.isFile()) yield name
    else findings.push(fileFinding(name, 'special'))
  }
}

function kindOf(path: string): 'file' | 'other' | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat === undefined ? null : stat.isFile() ? 'file' : 'other'
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

function textOf(dir: string, path: string, findings: Finding[]): string | null {
  const say = (code: string, message: string, severity: Finding['severity'] = 'error'): null => {
    findings.push({
      severity,
      code,
      component: idAt(path) ?? path,
      path: '',
      message,
      related: [],
      facts: { file: path },
    })
    return null
  }
  let bytes: Buffer
  try {
    bytes = readBytes(join(dir, path), { noFollow: true })
  } catch (error) {
    return say('files.unreadable', (error as Error).message)
  }
  if (!isUtf8(bytes)) return say('files.encoding', `${path} is not encoded in UTF-8. Save it as UTF-8.`)
  const text = bytes.toString('utf8')
  if (!text.startsWith('\ufeff')) return text
  say(
    'files.byte_order_mark',
    `${path} begins with a byte order mark, which is ignored. Save the file without it.`,
    'warning',
  )
  return text.slice(1)
}

function originOf(path: string): Parameters<typeof parseText>[1] {
  return {
    name: path,
    expected: idAt(path),
    codes: { json: 'files.json', place: 'files.place' },
    otherComponent: (found) => {
      const { type, key } = splitId(found)
      return `${path} contains ${found}, which belongs at ${pathOf(type, key)}. Move the file, or correct its "type" and "key".`
    },
  }
}
