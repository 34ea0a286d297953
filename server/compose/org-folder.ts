// The files of an org's folder: the org itself and its signing key; naming, moving and copying them.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { StoredSigningKeys } from '../ports/signing-keys.ts'
import { copySqliteFile, copySqliteFiles } from '../storage/sqlite/index.ts'
import { fileSigningKeys, systemRandom } from '../system/index.ts'

export function orgFile(dir: string): string {
  return join(dir, 'org.sqlite')
}

/** The encrypted secrets of the org. */
export const vaultFile = (dir: string): string => join(dir, 'vault.sqlite')

/** The key that wraps the data key of the vault, if no keychain does. */
export const vaultKeyFile = (dir: string): string => join(dir, 'vault.key')

/** The folder of the parts of bulk jobs. */
export const ingestFolder = (dir: string): string => join(dir, 'ingest')

/** The org's signing key. */
export const keyFile = (dir: string): string => join(dir, 'signing.key')

/** Created with the org; also on first use, for an org from before keys existed. */
export function signingKeysOf(dir: string): StoredSigningKeys {
  return fileSigningKeys(keyFile(dir), systemRandom)
}

/** Gives the file of a new org its name. @throws AlmanacError org.exists */
export function nameFile(aside: string, dir: string): void {
  try {
    linkSync(aside, orgFile(dir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw orgExists(dir)
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
  const folder = openSync(dir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** @throws AlmanacError org.exists */
export function requireNoOrg(dir: string): void {
  if (existsSync(orgFile(dir))) throw orgExists(dir)
}

/** Moves a closed org to a folder without one; its file last. @throws AlmanacError org.exists */
export function moveOrg(from: string, dir: string): void {
  for (const name of readdirSync(from)) {
    const path = join(dir, name)
    if (name === basename(orgFile(from))) continue
    // Another process is creating an org there with a different key.
    if (existsSync(path) && !readFileSync(path).equals(readFileSync(join(from, name)))) throw orgExists(dir)
    renameSync(join(from, name), path)
  }
  nameFile(orgFile(from), dir)
}

/** @throws AlmanacError org.not_found */
export function requireOrg(dir: string): void {
  if (!existsSync(orgFile(dir)))
    throw new AlmanacError('org.not_found', `No org was found in ${dir}. Check the path of --org.`)
}

function orgExists(dir: string): AlmanacError {
  return new AlmanacError('org.exists', `An org already exists in ${dir}. Choose a different folder.`)
}

/** Copies an org and its records, even while they are in use. */
export async function copyOrgFiles(dir: string, target: string): Promise<void> {
  await copySqliteFiles(orgFile(dir), orgFile(target))
  if (existsSync(vaultFile(dir))) await copySqliteFile(vaultFile(dir), vaultFile(target))
}
