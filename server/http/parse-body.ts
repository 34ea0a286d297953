// The bytes of a body as a value: counted before it is built, so that a small body cannot become a large tree.
import { isUtf8 } from 'node:buffer'
import { flawWords, scanJson } from '#kernel/components/scan-json.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { cutWords } from '#kernel/errors/cut-words.ts'

export type BodyMedia = 'application/json' | 'application/x-www-form-urlencoded'

/** @throws AlmanacError `request.malformed`, `limit.too_many_elements` */
export function parseBody(blocks: readonly Uint8Array[], media: BodyMedia, elements: number): unknown {
  const bytes = joined(blocks)
  // JSON between systems is UTF-8 (RFC 8259, 8.1); letters that are not would be replaced in silence.
  if (!isUtf8(bytes))
    throw new AlmanacError(
      'request.malformed',
      'The body is not written in UTF-8. Save it as UTF-8, and send it again.',
    )
  return media === 'application/json'
    ? parseJson(bytes, elements)
    : parseForm(bytes.toString('utf8'), elements)
}

/** A view of the memory if there is one block. */
function joined(blocks: readonly Uint8Array[]): Buffer {
  const [first, ...others] = blocks
  if (first === undefined) return Buffer.alloc(0)
  return others.length === 0
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(blocks)
}

function parseJson(bytes: Buffer, elements: number): unknown {
  if (countElements(bytes, elements) > elements) throw tooMany(elements)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  // JSON.parse would take the last of two values, and lose digits, in silence; and a value nested without end could
  // not cross to a worker.
  const [flaw] = scanJson(text, 1)
  if (flaw !== undefined) {
    // A name may be as long as the body, and is in the answer several times.
    const path = cutWords(flaw.path)
    const message = `${path} of the body: ${flawWords({ ...flaw, path }, null)}`
    throw new AlmanacError('request.malformed', message, {
      details: [{ in: 'body', path, message }],
    })
  }
  const parsed = parsedText(text)
  if (typeof parsed !== 'object' || parsed === null)
    throw new AlmanacError('request.malformed', 'The body is not a JSON object. Send an object or a list.')
  return parsed
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AlmanacError(
      'request.malformed',
      `The body is not JSON: ${(error as Error).message}. Check it at that place.`,
    )
  }
}

/** A name that is sent twice has a list of its values, for the route's schema to refuse. */
function parseForm(text: string, elements: number): Record<string, unknown> {
  const sent = [...new URLSearchParams(text)]
  if (sent.length > elements) throw tooMany(elements)
  const byName = Map.groupBy(sent, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => [
      name,
      pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value),
    ]),
  )
}

const sign = { quote: 34, backslash: 92, comma: 44, open: 91, openObject: 123 }

/** Values of a JSON text, at every level, without building one; counting ends above `most`. */
export function countElements(bytes: Uint8Array, most: number): number {
  let count = 1
  for (let at = 0; at < bytes.length && count <= most; at += 1) {
    switch (bytes[at]) {
      case sign.quote:
        at = closingQuote(bytes, at + 1)
        if (at === -1) return count
        break
      case sign.comma:
      case sign.open:
      case sign.openObject:
        count += 1
    }
  }
  return count
}

/** The quote that ends a string that begins at `start`; -1 if there is none. Byte by byte only from its first escaped quote. */
function closingQuote(bytes: Uint8Array, start: number): number {
  const quote = bytes.indexOf(sign.quote, start)
  let at = quote
  while (at > start && bytes[at - 1] === sign.backslash) at -= 1
  if (at === quote) return quote
  for (; at < bytes.length; at += 1) {
    if (bytes[at] === sign.backslash) at += 1
    else if (bytes[at] === sign.quote) return at
  }
  return -1
}

function tooMany(elements: number): AlmanacError {
  return new AlmanacError(
    'limit.too_many_elements',
    `The body has more than the ${elements.toLocaleString('en')} values allowed here. Send it in parts.`,
  )
}

/** @throws AlmanacError `request.media_type` if the body is in an encoding of letters that is not UTF-8. */
export function demandUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new AlmanacError('request.media_type', `The body is written in ${charset}; send it in UTF-8.`)
}
