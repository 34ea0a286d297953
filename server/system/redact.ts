// Masks the secrets that we sent to a server in its response, in each form in which they could appear.

const minSecretLength = 4
const mask = '[redacted]'

/**
 * Returns a function that masks the secrets in a text. A secret of fewer than 4 characters would mask half of any text.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const forms = new Set(secrets.flatMap((secret) => (secret === undefined ? [] : formsOf(secret))))
  const masked = [...forms]
    .filter((form) => form.length >= minSecretLength)
    .sort((a, b) => b.length - a.length)
  // Hardly any text contains one.
  return (text) =>
    masked.some((form) => text.includes(form))
      ? masked.reduce((rest, form) => rest.replaceAll(form, mask), text)
      : text
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    [...secret].reverse().join(''),
  ]
}
