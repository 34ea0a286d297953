// Parses the bytes of a body. Values are counted before they are built, so a small body cannot become a large tree.
import { isUtf8 } from 'node:buffer'
import { jsonExtent } from '#kernel/components/json-extent.ts'
import { jsonTextIssueMessage, scanJson } from '#kernel/components/scan-json.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import { charsetOf, isUtf8Charset } from '../ports/charset.ts'

export type BodyMedia = 'application/json' | 'application/x-www-form-urlencoded'

/** @throws AlmanacError `request.malformed`, `limit.too_many_elements` */
export function parseBody(blocks: readonly Uint8Array[], media: BodyMedia, elements: number): unknown {
  const bytes = joinBlocks(blocks)
  // JSON between systems is UTF-8 (RFC 8259, 8.1); invalid bytes would be replaced silently.
  if (!isUtf8(bytes))
    throw new AlmanacError(
      'request.malformed',
      'The body is not valid UTF-8. Save it as UTF-8 and send it again.',
    )
  return media === 'application/json'
    ? parseJson(bytes, elements)
    : parseForm(bytes.toString('utf8'), elements)
}

/** Returns a view of the memory if there is one block. */
function joinBlocks(blocks: readonly Uint8Array[]): Buffer {
  const [first, ...others] = blocks
  if (first === undefined) return Buffer.alloc(0)
  return others.length === 0
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(blocks)
}

function parseJson(bytes: Buffer, elements: number): unknown {
  if (jsonExtent(bytes, elements).values > elements) throw tooManyElementsError(elements)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  // JSON.parse would silently take the last of two values and lose digits, and a value that is nested too deeply
  // cannot cross to a worker.
  const [flaw] = scanJson(text, 1)
  if (flaw !== undefined) {
    // A name can be as long as the body, and occurs several times in the response.
    const path = truncateInput(flaw.path)
    const message = `${path} of the body: ${jsonTextIssueMessage({ ...flaw, path }, null)}`
    throw new AlmanacError('request.malformed', message, {
      details: [{ in: 'body', path, message }],
    })
  }
  const parsed = parseJsonText(text)
  if (typeof parsed !== 'object' || parsed === null)
    throw new AlmanacError(
      'request.malformed',
      'The body is not a JSON object or list. Send an object or a list.',
    )
  return parsed
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AlmanacError(
      'request.malformed',
      `The body is not valid JSON: ${(error as Error).message}. Fix the JSON at that position.`,
    )
  }
}

/** A name that is sent twice gets a list of its values, which the schema of the route refuses. */
function parseForm(text: string, elements: number): Record<string, unknown> {
  const sent = [...new URLSearchParams(text)]
  if (sent.length > elements) throw tooManyElementsError(elements)
  const byName = Map.groupBy(sent, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => [
      name,
      pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value),
    ]),
  )
}

function tooManyElementsError(elements: number): AlmanacError {
  return new AlmanacError(
    'limit.too_many_elements',
    `The body has more than the ${elements.toLocaleString('en')} values allowed here. Send it in several requests.`,
  )
}

/** @throws AlmanacError `request.media_type` if the charset is not UTF-8. */
export function requireUtf8(contentType: string): void {
  const charset = charsetOf(contentType)
  if (!isUtf8Charset(charset))
    throw new AlmanacError('request.media_type', `The charset of the body is ${charset}. Send it as UTF-8.`)
}
