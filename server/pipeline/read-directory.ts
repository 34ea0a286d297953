// A directory as a change list (completions 1): every file is read, and every fault is a finding with its place.
import { isUtf8 } from 'node:buffer'
import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { CandidateComponent } from '#kernel/change/index.ts'
import {
  componentTypes,
  explainKey,
  isComponentType,
  splitId,
  type ComponentId,
} from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { idAt, manifestName, pathOf, type Manifest } from './directory-layout.ts'
import { parseText, type UnsoundText } from './parse-text.ts'
import type { NamedText } from './place-findings.ts'

export interface ReadDirectory {
  components: CandidateComponent[]
  findings: Finding[]
  /** Files that are known to hold a component which could not be read whole. */
  unsound: UnsoundText[]
  /** Null where the directory has no almanac.json. */
  manifest: Manifest | null
}

/** @throws AlmanacError files.invalid where there is no such directory, or its almanac.json is none. */
export function readDirectory(dir: string): ReadDirectory {
  const components: CandidateComponent[] = []
  const findings: Finding[] = []
  const unread: UnsoundText[] = []
  for (const path of filesIn(dir, findings)) {
    const text = textOf(dir, path, findings)
    if (text === null) continue
    const { parsed, findings: found, unsound } = parseText(text, originOf(path))
    if (found.length > 0) findings.push(...found)
    if (parsed !== null) components.push(parsed)
    else if (unsound !== undefined) unread.push(unsound)
  }
  return { components, findings, unsound: unread, manifest: readManifest(dir) }
}

/** The text of a component where it belongs in the directory; null where there is none that can be read. */
export function componentText(dir: string, id: ComponentId): NamedText | null {
  const { type, key } = splitId(id)
  const name = pathOf(type, key)
  // A key that is no key could lead out of the directory.
  if (idAt(name) !== id || explainKey(type === 'config_entry' ? 'config_entry' : 'object', key) !== null)
    return null
  const full = join(dir, name)
  const text = existsSync(full) && !isSpecial(full) ? textOf(dir, name, []) : null
  return text === null ? null : { name, text }
}

/** Null where there is none. @throws AlmanacError files.invalid where it is no manifest. */
export function readManifest(dir: string): Manifest | null {
  let text: string
  const path = join(dir, manifestName)
  try {
    text = isSpecial(path) ? '' : readFileSync(path, 'utf8')
  } catch {
    return null
  }
  try {
    const { lineage, generation } = JSON.parse(text) as Partial<Manifest>
    if (typeof lineage === 'string' && Number.isSafeInteger(generation))
      return { lineage, generation: generation! }
  } catch {
    // Said below, with the way out.
  }
  throw new AlmanacError(
    'files.invalid',
    `${path} is not { "lineage": …, "generation": … }. Retrieve again, or remove it to apply against the active generation.`,
  )
}

/** Paths of component files below `dir`, with "/" between steps, sorted. */
function* filesIn(dir: string, findings: Finding[]): Iterable<string> {
  for (const folder of entriesOf(dir)) {
    if (!folder.isDirectory() || folder.name.startsWith('.')) continue
    if (!isComponentType(folder.name)) findings.push(folderFinding(folder.name))
    else yield* jsonFiles(dir, folder.name, findings)
  }
}

function* jsonFiles(dir: string, path: string, findings: Finding[]): Iterable<string> {
  for (const entry of entriesOf(join(dir, path))) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* jsonFiles(dir, `${path}/${entry.name}`, findings)
    else if (!entry.name.endsWith('.json')) {
      // Elsewhere the same name may be read; here it would be taken for gone.
      if (/\.json$/i.test(entry.name)) findings.push(endingFinding(`${path}/${entry.name}`))
    } else if (entry.isFile() || !isSpecial(join(dir, path, entry.name))) yield `${path}/${entry.name}`
    else findings.push(specialFinding(`${path}/${entry.name}`))
  }
}

/** A pipe, a socket or a device, which a read would wait for; also behind a link. */
function isSpecial(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat !== undefined && !stat.isFile() && !stat.isDirectory()
  } catch {
    // A link in a circle, or a target that may not be looked at: reading it says why.
    return false
  }
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw new AlmanacError(
      'files.invalid',
      `The directory ${dir} cannot be read: ${(cause as Error).message}.`,
      { cause },
    )
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
    bytes = readFileSync(join(dir, path))
  } catch (error) {
    return say('files.unreadable', `${path} cannot be read: ${(error as Error).message}.`)
  }
  if (!isUtf8(bytes)) return say('files.encoding', `${path} is not written in UTF-8. Save it as UTF-8.`)
  const text = bytes.toString('utf8')
  if (!text.startsWith('\ufeff')) return text
  say(
    'files.byte_order_mark',
    `${path} begins with a byte order mark, which is left out. Save it without.`,
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
      const slash = found.indexOf('/')
      const place = pathOf(found.slice(0, slash) as (typeof componentTypes)[number], found.slice(slash + 1))
      return `${path} holds ${found}, which belongs at ${place}. Move the file, or correct its "type" and "key".`
    },
  }
}

function specialFinding(path: string): Finding {
  return {
    severity: 'error',
    code: 'files.unreadable',
    component: idAt(path) ?? path,
    path: '',
    message: `${path} is a pipe, a socket or a device, not a regular file; it was not read. Put a file there, or take it away.`,
    related: [],
    facts: { file: path },
  }
}

function endingFinding(path: string): Finding {
  const message = `${path} was not read: component files end with ".json", in small letters. Rename it.`
  return {
    severity: 'error',
    code: 'files.place',
    component: path,
    path: '',
    message,
    related: [],
    facts: { file: path },
  }
}

function folderFinding(name: string): Finding {
  const near = didYouMean(name, componentTypes)
  const message = `The folder "${name}" is named after no component type; its files were not read.${near} Folders that begin with a point are left alone.`
  return {
    severity: 'error',
    code: 'files.folder',
    component: name,
    path: '',
    message,
    related: [],
    facts: { file: name },
  }
}
