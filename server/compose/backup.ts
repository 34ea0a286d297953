// Wires the backup of an org: either a complete and verified copy of its folder, or none.
import { cpSync, existsSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { checkFolder } from './check.ts'
import { openDeps } from './open-org.ts'
import { copyOrgFiles, orgFile, requireOrg } from './org-folder.ts'
import { makeFolder } from '../files/index.ts'
import { withPrivateUmask } from '../system/index.ts'

export interface BackupReport {
  folder: string
  generation: number
  /** Size of the database. */
  bytes: number
  /** Findings of the check of the copy; without errors. */
  findings: Finding[]
}

/**
 * The files of an org besides its database; their order does not matter, because none of them changes with a
 * generation.
 */
const otherFiles = ['signing.key', 'vault.key', 'vault.key.next', 'secrets']

/** @throws AlmanacError org.not_found, conflict.exists, files.unwritable; storage.damaged with the findings of the copy */
export async function backUpOrg(dir: string, folder: string): Promise<BackupReport> {
  requireOrg(dir)
  const target = resolve(folder)
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw new AlmanacError(
      'conflict.exists',
      `${folder} already exists. Specify a folder that does not exist.`,
    )
  // Made under a temporary name and then renamed, so that a folder with this name is always a complete backup.
  const aside = `${target}.${process.pid}.new`
  rmSync(aside, { recursive: true, force: true })
  try {
    makeFolder(aside, 0o700)
    await copyOrgFiles(dir, aside)
    withPrivateUmask(() => copyOtherFiles(dir, aside))
    const report = verifiedReport(aside, target)
    renameSync(aside, target)
    return report
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function copyOtherFiles(dir: string, aside: string): void {
  for (const name of otherFiles)
    if (existsSync(join(dir, name))) cpSync(join(dir, name), join(aside, name), { recursive: true })
}

function verifiedReport(aside: string, folder: string): BackupReport {
  const { ok, findings } = checkFolder(aside)
  if (!ok)
    throw new AlmanacError(
      'storage.damaged',
      'The org is damaged, so the copy was damaged too and was removed. Run "almanac check" and restore the org from an older backup.',
      { details: findings },
    )
  const { store } = openDeps(aside)
  try {
    const generation = store.read((reader) => reader.generations.active())
    return { folder, generation, bytes: statSync(orgFile(aside)).size, findings }
  } finally {
    store.close()
  }
}
