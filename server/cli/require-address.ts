// Checks the URL of a server on the command line: scheme, host and port only.
import { UsageError } from './fail.ts'

/** @throws UsageError naming what is wrong with the URL */
export function requireAddress(text: string): void {
  const url = URL.parse(text)
  if (url === null) throw new UsageError(`"${text}" is not a valid URL. ${example}`)
  const wrong = reasonAgainst(url)
  if (wrong !== null) throw new UsageError(wrong)
}

const example = 'Write it as https://almanac.example.org.'

/** Returns what is wrong with the URL; never repeats a URL that contains a password. */
function reasonAgainst(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `The URL of an org uses https or http, not ${url.protocol.slice(0, -1)}. ${example}`
  if (url.username !== '' || url.password !== '')
    return 'A URL cannot contain a user or a password. Pass a token with --token or ALMANAC_TOKEN.'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return `Use only the URL of the server: ${url.origin}.`
  return null
}
