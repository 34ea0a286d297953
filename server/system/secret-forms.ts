// The forms in which a secret can come back from a server: as it was sent, encoded, or with some of its characters escaped.
import { unescaped, withoutEscapes } from './without-escapes.ts'

/** Searched without regard to case. */
export interface SecretForms {
  /** In lower case. */
  whole: readonly string[]
  /** The same in base64 of a longer text. The characters next to it share bits with it. */
  within: readonly string[]
  /** In lower case, as they are in a text without escapes. */
  bare: readonly string[]
  /** Of a regular expression for all of them, escaped or not; null if the secret is too long for one. */
  pattern: string | null
}

/** A shorter form would be found in most texts. */
const minLength = 4
/** A longer one, such as a certificate, would need an expression of megabytes. */
const longestPattern = 500

/** Null if the secret is too short. */
export function formsOfSecret(secret: string): SecretForms | null {
  if (secret.length < minLength) return null
  const bytes = Buffer.from(secret)
  const plus = secret.replaceAll(' ', '+')
  const whole = unique([
    ...[secret, plus].flatMap((text) => [text, Buffer.from(text).toString('latin1')]),
    ...[[...secret].reverse().join(''), bytes.toString('hex')],
  ])
  const within = unique(base64Forms(bytes)).filter((form) => form.length > minLength)
  const all = [...whole, ...within]
  const patterns = [
    ...whole.map(escapedPattern),
    ...within.map((form) => `[A-Za-z0-9+/_-]?${escapedPattern(form)}[A-Za-z0-9+/_-]?={0,2}`),
  ]
  return {
    whole: unique(whole.map((form) => form.toLowerCase())),
    within: unique(within.map((form) => form.toLowerCase())),
    bare: unique(all.map(bareForm).filter((form) => form.length >= minLength)),
    pattern: secret.length > longestPattern ? null : patterns.join('|'),
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Base64 of a text within which the secret is, such as a user and a password: at each of three places, without its ends. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isWhole = (before + bytes.length) % 3 === 0
    const form = encoded.slice(before === 0 ? 0 : before + 1, isWhole ? undefined : -1)
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

const unfinishedEscape =
  /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?|&(?:#x?[0-9a-f]{0,7}|am?p?|apo?s?|lt?|gt?|qu?o?t?)?|[\xc2-\xf4][\x80-\xbf]{0,2})$/i

/** Without its ends, which can be a part of an escape together with what is next to them. */
function bareForm(form: string): string {
  const text = withoutEscapes(unescaped(form).replace(unfinishedEscape, ''))
  const inner = text.slice(1).replace(unfinishedEscape, '')
  return (inner.length < minLength ? withoutEscapes(form) : inner).toLowerCase()
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

const entities: Readonly<Record<string, string>> = {
  ...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' },
}
const controls: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }

/** Each character as it is, or as JSON, a URL or HTML escape it; also twice, and with the zero bytes of UTF-16. */
function escapedPattern(text: string): string {
  return text
    .match(/\\+|[^\\]/gu)!
    .map((part) => String.raw`${part.startsWith('\\') ? backslashes : characterPattern(part)}\0?`)
    .join('')
}

/** Any number of them, so that none of those in a text can belong to several of a secret: searching all ways takes too long. */
const backslashes = String.raw`(?:\\|(?<=\\)u005c|%(?:25){0,3}5c|&(?:amp;){0,3}#(?:0{0,4}92|x0{0,4}5c);|\0){1,64}`

function characterPattern(character: string): string {
  const code = character.codePointAt(0)!
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const octets = [...Buffer.from(character)]
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  return `(?:${[
    String.raw`\\{0,8}${literal(character)}`,
    ...(Object.hasOwn(controls, character) ? [String.raw`\\{1,8}${controls[character]}`] : []),
    units.map((unit) => String.raw`\\{1,8}u${hex(unit, 4)}`).join(''),
    octets.map((octet) => `%(?:25){0,3}${hex(octet, 2)}`).join(''),
    ...(Object.hasOwn(entities, character) ? [`&(?:amp;){0,3}${entities[character]};`] : []),
    `&(?:amp;){0,3}#0{0,4}${code};`,
    `&(?:amp;){0,3}#x0{0,4}${code.toString(16)};`,
  ].join('|')})`
}
