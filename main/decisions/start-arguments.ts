// The arguments of a start of the application. A second start passes them to the first.
import { resolve } from 'node:path'
import { addressOfLink, asAddress } from './studio-address.ts'

export interface StartRequest {
  /** Folder of the org to open; null for the usual one. */
  org: string | null
  /** Address within the studio; null for the one at which the user left. */
  address: string | null
}

/**
 * Reads `--org <folder>` and an `almanac://studio/…` link. All other arguments are Electron's and Chromium's.
 * @param argv without the executable and the script
 * @param directory the folder to which a relative path is resolved
 */
export function parseArguments(argv: readonly string[], directory: string): StartRequest {
  const at = argv.indexOf('--org')
  const joined = argv.find((argument) => argument.startsWith('--org='))
  const folder = at >= 0 ? argv[at + 1] : joined?.slice('--org='.length)
  return {
    org: folder && !folder.startsWith('--') ? resolve(directory, folder) : null,
    address: argv.map(addressOfLink).find((address) => address !== null) ?? null,
  }
}

/** The arguments that another start passed on, if they have that shape. */
export function parseStartRequest(given: unknown): StartRequest {
  const { org, address } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >
  return { org: typeof org === 'string' && org !== '' ? org : null, address: asAddress(address) }
}
