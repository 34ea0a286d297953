// Findings about misplaced files in a directory: each names the right place, or the directory to use.
import { existsSync, readdirSync, type Dirent } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { componentTypes, explainKey, isComponentType } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { idAt, manifestName, pathOf } from './directory-layout.ts'

const flaws = {
  link: [
    'files.unreadable',
    (path: string) =>
      `${path} is a symbolic link, not a regular file; links are not followed. Replace it with the target, or remove it.`,
  ],
  special: [
    'files.unreadable',
    (path: string) =>
      `${path} is a pipe, a socket or a device, not a regular file; it was not read. Replace it with a regular file, or remove it.`,
  ],
  ending: [
    'files.place',
    (path: string) =>
      `${path} was not read: names of component files end with ".json", in lower case. Rename it.`,
  ],
} as const

export function fileFinding(path: string, flaw: keyof typeof flaws): Finding {
  const [code, message] = flaws[flaw]
  return finding(code, idAt(path) ?? path, path, message(path))
}

/** A file with the name of a component folder. */
export function misplacedFinding(name: string): Finding {
  const message = `${name} is a file, but components of the type ${name} belong in a folder of that name. Rename or move the file.`
  return finding('files.place', name, name, message)
}

/** A file next to the type folders; null if it does not contain a component. */
export function strayFinding(name: string, text: string): Finding | null {
  const [type, key] = namedIn(text)
  if (type === undefined || key === undefined || !isComponentType(type)) return null
  const why = explainKey(type, key)
  if (why !== null)
    return finding(
      'files.place',
      name,
      name,
      `${name} contains a component outside the folder ${type}. ${why}`,
    )
  const place = pathOf(type, key)
  const message = `${name} contains ${type}/${key}, which belongs at ${place}. Move the file there.`
  return finding('files.place', `${type}/${key}`, name, message)
}

/** Returns type and key as the text names them, even if it is not valid JSON. */
function namedIn(text: string): [type?: string, key?: string] {
  try {
    const { type, key } = (JSON.parse(text) ?? {}) as { type?: unknown; key?: unknown }
    return typeof type === 'string' && typeof key === 'string' ? [type, key] : []
  } catch {
    const of = (name: string) => new RegExp(`"${name}"\\s*:\\s*"([a-z0-9_.]{1,200})"`).exec(text)?.[1]
    const [type, key] = [of('type'), of('key')]
    return type === undefined || key === undefined ? [] : [type, key]
  }
}

/** A description without its external service, whose file was moved or removed. */
export function strayDescriptionFinding(path: string, service: string): Finding {
  const message = `${path} is the description of external_service/${service}, which has no file. Add ${pathOf('external_service', service)}, or remove the description.`
  return finding('files.place', `external_service/${service}`, path, message)
}

/** A description is carried as JSON: a file of YAML would be ignored silently. */
export function yamlDescriptionFinding(path: string): Finding {
  const json = path.replace(/\.ya?ml$/i, '.json')
  const service = path.replace(/\.openapi\.ya?ml$/i, '')
  const message = `${path} is YAML, but the description beside a service is read from ${json}. Convert it to JSON under this name, or put its text into spec.source of the service, which can be YAML, and remove the file.`
  return finding('files.place', service, path, message)
}

export function folderFinding(dir: string, name: string): Finding {
  if (isRoot(join(dir, name))) {
    const inner = join(dir, name)
    // With --prune, using the inner directory alone would remove the components of the outer one.
    const message = isRoot(dir)
      ? `${inner} contains components, and so does ${dir}. Move the contents of ${inner} into the folders of ${dir}.`
      : `The components are in ${inner}. Use that directory.`
    return finding('files.place', name, name, message)
  }
  const near = didYouMean(name, componentTypes)
  const message = `The folder "${name}" is not named after a component type; its files were not read.${near} Folders whose names begin with a dot are ignored.`
  return finding('files.folder', name, name, message)
}

/** A given directory that is really a folder inside a directory of components; null if it is not. */
export function innerFolderFinding(dir: string, entries: readonly Dirent[]): Finding | null {
  if (isRootOf(entries)) return null
  const full = resolve(dir)
  const parent = dirname(full)
  const levels = isComponentType(basename(full)) ? 1 : basename(parent) === 'config_entry' ? 2 : 0
  if (levels === 0) return null
  const root = join(dir, '../'.repeat(levels))
  const message = `${dir} is a folder inside a directory of components. Use ${root}, which contains the folders of all types.`
  return finding('files.place', dir, dir, message)
}

/** The misplaced files, or what is wrong with a directory that contains no components at all. */
export function rootFindings(dir: string, entries: readonly Dirent[], strays: readonly Finding[]): Finding[] {
  // A nested root is reported by its folder's finding.
  const nested = entries.some((each) => each.isDirectory() && isRoot(join(dir, each.name)))
  if (isRootOf(entries) || nested || strays.length > 0) return [...strays]
  const message = `${dir} contains no components. A directory of components has a folder for each type, as in value_set/currency.json.`
  return [finding('files.place', dir, dir, message)]
}

function isRoot(dir: string): boolean {
  if (existsSync(join(dir, manifestName))) return true
  try {
    return isRootOf(readdirSync(dir, { withFileTypes: true }))
  } catch {
    return false
  }
}

function isRootOf(entries: readonly Dirent[]): boolean {
  return entries.some(
    (entry) => entry.name === manifestName || (entry.isDirectory() && isComponentType(entry.name)),
  )
}

function finding(code: string, component: string, file: string, message: string): Finding {
  return { severity: 'error', code, component, path: '', message, related: [], facts: { file } }
}
