// The address of a server as the command line takes it: scheme, host and port, and nothing else.
import { UsageError } from './fail.ts'

/** @throws UsageError naming what is wrong with the address */
export function demandAddress(given: string): void {
  const url = URL.parse(given)
  if (url === null) throw new UsageError(`"${given}" is not a valid address. ${example}`)
  const wrong = reasonAgainst(url)
  if (wrong !== null) throw new UsageError(wrong)
}

const example = 'Write it as https://almanac.example.org.'

/** Of an address with a password, nothing is repeated. */
function reasonAgainst(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `An org is reached over https or http, not ${url.protocol.slice(0, -1)}. ${example}`
  if (url.username !== '' || url.password !== '')
    return 'An address has no user and no password. Give a token with --token or ALMANAC_TOKEN.'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return `Write the address of the server alone: ${url.origin}.`
  return null
}
