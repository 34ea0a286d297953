// Reads one component file of a directory.
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import type { CandidateComponent } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { plainText, readBytes } from '../files/index.ts'
import { idAt, pathOf } from './directory-layout.ts'
import { parseText, type InvalidComponentText, type ParsedText, type TextOrigin } from './parse-text.ts'

export interface FileContents {
  components: CandidateComponent[]
  findings: Finding[]
  /** Files that are known to contain a component which could not be read completely. */
  invalidComponents: InvalidComponentText[]
}

/** Reads files of a directory, in their order. */
export function readFiles(dir: string, paths: readonly string[]): FileContents {
  const contents: FileContents = { components: [], findings: [], invalidComponents: [] }
  for (const path of paths) {
    const text = plainText(join(dir, path)) ?? textOf(dir, path, contents.findings)
    if (text === null) continue
    const { parsed, findings, invalidComponent } = parsedFile(text, path)
    contents.findings.push(...findings)
    if (parsed !== null) contents.components.push(parsed)
    else if (invalidComponent !== undefined) contents.invalidComponents.push(invalidComponent)
  }
  return contents
}

/** JSON text that is written for it differs: it has no negative zero. */
const negativeZero = /[\s:[,]-0/

/** The component of a file with plain text, no hints and nothing to report, if JSON can express it; otherwise null. */
export function plainComponent(dir: string, path: string): Component | null {
  const text = plainText(join(dir, path))
  if (text === null || negativeZero.test(text)) return null
  const { parsed, findings } = parsedFile(text, path)
  if (parsed === null || findings.length > 0 || Object.keys(parsed.hints).length > 0) return null
  return parsed.component
}

function parsedFile(text: string, path: string): ParsedText {
  const origin: TextOrigin = {
    name: path,
    expected: idAt(path),
    codes: { json: 'files.json', place: 'files.place' },
    otherComponent: (found) => {
      const { type, key } = splitId(found)
      return `${path} contains ${found}, which belongs at ${pathOf(type, key)}. Move the file, or correct its "type" and "key".`
    },
  }
  return parseText(text, origin)
}

/** The text of a file of a directory; null, with a finding added, if it cannot be read. */
export function textOf(dir: string, path: string, findings: Finding[]): string | null {
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
