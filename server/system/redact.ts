// Masks the secrets that we sent to a server in its response, in each form in which they could appear.

const minSecretLength = 4
const mask = '[redacted]'

/**
 * Returns a function that masks the secrets in a text. A secret of fewer than 4 characters would mask half of any text.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const forms = new Set(
    secrets.flatMap((secret) =>
      secret === undefined || secret.length < minSecretLength ? [] : formsOf(secret),
    ),
  )
  const masked = [...forms]
    .filter((form) => form.length >= minSecretLength)
    .sort((a, b) => b.length - a.length)
  return (text) => masked.reduce((rest, form) => rest.replaceAll(form, mask), text)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const json = inJson(secret)
  return [
    secret,
    json,
    // JSON can contain JSON as a text.
    inJson(json),
    inHtml(secret),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...[0, 1, 2].flatMap((before) => base64Forms(bytes, before)),
    hex,
    hex.toUpperCase(),
    [...secret].reverse().join(''),
  ]
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!)

/**
 * The characters that do not depend on the bytes before and after, as in the credentials of Basic
 * authentication; and the bytes at the end, without padding.
 *
 * @param before the bytes before them, modulo 3
 */
function base64Forms(bytes: Buffer, before: number): string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes])
  const end = all.toString('base64').replace(/=+$/, '')
  const inner = end.slice([0, 2, 3][before], all.length % 3 === 0 ? undefined : -1)
  return [end.slice([0, 2, 3][before]), inner].flatMap((form) => [
    form,
    form.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}
