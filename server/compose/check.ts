// Wires the check of an org, including one that cannot be opened.
import { join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { checkOrg, integrityFinding, type CheckReport } from '../check/index.ts'
import { openDeps } from './open-org.ts'
import { requireOrg } from './org-folder.ts'
import { exposedFiles, fileSigningKeys, systemClock, systemRandom } from '../system/index.ts'

/** @throws AlmanacError org.not_found, org.newer_schema, org.busy */
export function checkFolder(dir: string): CheckReport {
  requireOrg(dir)
  // Before the org is opened, which makes them private.
  const exposed = exposedFiles(dir).map(({ path }) => path)
  try {
    const { store } = openDeps(dir)
    try {
      const keys = fileSigningKeys(join(dir, 'signing.key'), systemRandom)
      return checkOrg({ store, machineClock: systemClock, keys, exposedPaths: () => exposed })
    } finally {
      store.close()
    }
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.code !== 'org.damaged') throw error
    return { ok: false, findings: [integrityFinding('integrity.file', 'org.sqlite', error.message)] }
  }
}
