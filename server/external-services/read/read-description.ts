// Reads the text of a description, JSON or YAML 1.2, within a budget.
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import { tooWideMessage } from '#kernel/components/json-issues.ts'
import { isStructural, scanJson } from '#kernel/components/scan-json.ts'
import { positionAt } from '#kernel/components/text-position.ts'
import { descriptionError } from '../description-error.ts'
import { isObject, type JsonObject } from '../json.ts'
import { checkValues } from './check-values.ts'
import { descriptionLimits, type DescriptionLimits } from './limits.ts'

export interface DescriptionSource {
  text: string
  /** For messages: a file name, or the address without its query. */
  name: string
  /** As received with the text, if known: `application/yaml; charset=utf-8`. */
  mediaType?: string
}

/** @throws AlmanacError with the line, or the pointer, of what cannot be read */
export function readDescription(source: DescriptionSource, limits = descriptionLimits): JsonObject {
  const text = source.text.startsWith('\ufeff') ? source.text.slice(1) : source.text
  const { name } = source
  // UTF-8 never takes fewer bytes than UTF-16 code units.
  if (text.length > limits.bytes || Buffer.byteLength(text) > limits.bytes)
    throw descriptionError(
      'description.unreadable',
      `${name} is larger than ${limits.bytes / 1024 / 1024} MiB. Remove examples, or split the description.`,
    )
  const value = isJson(text, source.mediaType) ? readJson(text, name) : readYaml(text, name, limits)
  const document = checkValues(value, name, limits)
  if (isObject(document)) return document
  if (typeof document === 'string' && otherAddress.test(document))
    throw descriptionError(
      'description.unreadable',
      `${name} is an address that cannot be fetched. Use an http or https address, or the description itself.`,
      { pointer: '' },
    )
  throw descriptionError(
    'description.unreadable',
    `${name} does not contain an object, so it is not an OpenAPI description. Check the address or the file.`,
    { pointer: '' },
  )
}

/** Fetched are only http and https. */
const otherAddress = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i

/** YAML that begins with a brace is nearly always JSON; the media type decides if it is one of YAML. */
function isJson(text: string, mediaType = ''): boolean {
  if (/[/+]ya?ml\b/i.test(mediaType)) return false
  return /^\s*[{[]/.test(text) || /[/+]json\b/i.test(mediaType)
}

function readJson(text: string, name: string): unknown {
  const value = parseJson(text, name)
  const flaw = scanJson(text).find(isStructural)
  if (flaw === undefined) return value
  const { line, column } = positionAt(text, flaw.offset)
  const place = { pointer: flaw.path, line, column }
  const messages = {
    duplicate: `occurs twice in the same object, again at line ${line}, column ${column}. Keep one of the two.`,
    depth: 'is nested too deeply. Move inner parts to "components".',
    width: tooWideMessage,
  }
  const message = `${flaw.path} in ${name} ${messages[flaw.kind]}`
  throw descriptionError('description.unreadable', message, place)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const offset = /position (\d+)/.exec((error as Error).message)?.[1]
    const place = offset === undefined ? positionAt(text, text.length) : positionAt(text, Number(offset))
    throw descriptionError(
      'description.unreadable',
      `${name} is not valid JSON at line ${place.line}, column ${place.column}. Correct the text there.`,
      place,
    )
  }
}

const schema = CORE_SCHEMA.withTags(mergeTag)

function readYaml(text: string, name: string, limits: DescriptionLimits): unknown {
  try {
    return load(text, { schema, maxDepth: limits.depth, maxAliases: limits.aliases })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const [line, column] = [(error.mark?.line ?? 0) + 1, (error.mark?.column ?? 0) + 1]
    throw descriptionError(
      'description.unreadable',
      `${name} cannot be read as YAML at line ${line}, column ${column}: ${error.reason}. Correct the text there.`,
      { line, column },
    )
  }
}
