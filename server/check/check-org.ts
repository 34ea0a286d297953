// Checks whether an org is as Almanac wrote it: rows, digests and audit; references, stored results, requests, key,
// files, clock.
import type { Finding } from '#kernel/errors/finding.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { StoredSigningKeys } from '../ports/signing-keys.ts'
import { integrityFinding, type IntegrityCode } from './finding.ts'
import { signingKeySetting, signingKeyText } from './signing-key.ts'
import { recordReferenceFaults } from './record-references.ts'
import { referenceFaults } from './references.ts'
import { requestFaults } from './requests.ts'
import { resultFaults } from './results.ts'

export interface CheckDeps {
  store: Pick<OrgStore, 'read' | 'checkIntegrity'>
  /** The clock of the machine, not the clock of the org. */
  machineClock: Pick<Clock, 'now'>
  keys: StoredSigningKeys
  /** Paths that other users of the machine can read or change. */
  exposedPaths: () => readonly string[]
}

export interface CheckReport {
  /** Whether the org has no errors. Warnings do not count. */
  ok: boolean
  findings: Finding[]
}

export function checkOrg(deps: CheckDeps): CheckReport {
  const findings = [
    ...deps.store.checkIntegrity(),
    ...attempt('integrity.reference', () => deps.store.read(referenceFaults)),
    ...attempt('integrity.record_reference', () => deps.store.read(recordReferenceFaults)),
    ...attempt('integrity.result', () => deps.store.read(resultFaults)),
    ...attempt('integrity.request', () => deps.store.read(requestFaults)),
    ...attempt('integrity.signing_key', () => keyFaults(deps)),
    ...attempt('integrity.clock', () => clockFaults(deps)),
    ...deps.exposedPaths().map(exposedFinding),
  ]
  return { ok: !findings.some(({ severity }) => severity === 'error'), findings }
}

/** Damage that stops one check must not hide the findings of the others. */
function attempt(code: IntegrityCode, check: () => Finding[]): Finding[] {
  try {
    return check()
  } catch (error) {
    return [integrityFinding(code, 'org', `It cannot be checked: ${(error as Error).message}`)]
  }
}

/** An org from before the key was recorded has nothing to compare it with. */
function keyFaults({ store, keys }: CheckDeps): Finding[] {
  const wrong = (message: string): Finding[] => [
    integrityFinding('integrity.signing_key', 'signing.key', `${message} Restore the file from a backup.`),
  ]
  if (!keys.exists()) return wrong('The signing key is missing. A new one would sign as a different org.')
  // Throws for a file that does not contain a key.
  const keyText = signingKeyText(keys)
  const recorded = store.read((reader) => reader.settings.get(signingKeySetting))
  return recorded === undefined || recorded === keyText
    ? []
    : wrong('The signing key differs from the key that the org was created with.')
}

function clockFaults({ store, machineClock }: CheckDeps): Finding[] {
  const seen = store.read((reader) => reader.properties.latestTime())
  const now = machineClock.now()
  // A clock that is corrected by seconds is not reported.
  if (seen === '' || Date.parse(seen) - Date.parse(now) < 60_000) return []
  const message = `The clock of this machine is at ${now}, but the latest time recorded in this org is ${seen}. The org’s clock does not advance until then. Correct the machine’s clock.`
  return [integrityFinding('integrity.clock', 'clock', message, 'warning')]
}

function exposedFinding(path: string): Finding {
  return integrityFinding(
    'integrity.private_files',
    path,
    `Other users of this machine can read or change ${path}.`,
    'warning',
  )
}
