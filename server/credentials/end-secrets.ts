// Destroys secrets whose time has ended: prior ones after their grace, and all of a credential or principal that was removed.
import type { OrgReader } from '../ports/org-store.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import { splitId } from '#kernel/components/component.ts'
import type { VaultRow } from '../ports/vault.ts'
import { addNote, settleNotes } from './audit-notes.ts'
import type { CredentialDeps } from './deps.ts'
import { removeRow } from './remove-row.ts'
import { contentOf, parseContent, type SecretContent } from './secret-content.ts'

/** Prior secrets whose grace has ended, and facts that the audit does not contain yet. */
export async function endDue(deps: CredentialDeps): Promise<void> {
  const now = deps.clock.now()
  for (const row of await deps.rows.due(now))
    if (row.owner.kind === 'consent') await deps.rows.put(row.owner, row.revision, null)
    else await endPrior(deps, row, now)
}

/** The secrets of credentials and principals that were removed. Reads every row. */
export async function endRemoved(deps: CredentialDeps): Promise<void> {
  const now = deps.clock.now()
  for (const row of await deps.rows.list()) await endRow(deps, row, now)
}

async function endPrior(deps: CredentialDeps, { owner }: VaultRow, now: string): Promise<void> {
  await deps.vault.update(owner, (stored) => {
    const content = parseContent(stored)
    const { prior } = content
    if (prior === null || prior.until > now) return { after: contentOf(content), result: undefined }
    const key = deps.store.read((reader) => placeNow(reader, owner.credential)?.key ?? owner.credential)
    const fact = {
      component: `credential/${key}`,
      kind: 'credential.prior_destroyed',
      before: {
        principal: owner.principal,
        user: owner.user === '' ? null : owner.user,
        prior: prior.version,
      },
      after: null,
      rationale: `The grace window ended at ${prior.until}.`,
    }
    const by = { actor: prior.endedBy, correlationId: `grace-${prior.until}` }
    return { after: contentOf(addNote(by, now, fact, { ...content, prior: null })), result: undefined }
  })
  await settleNotes(deps, owner)
}

interface Removal {
  /** The last key of the credential. */
  key: string
  generation: number
  actor: string
  correlationId: string
  reason: string
}

async function endRow(deps: CredentialDeps, { owner }: VaultRow, now: string): Promise<void> {
  const removal = deps.store.read((reader) => removalOf(reader, owner))
  if (removal === null) return
  if (owner.kind !== 'secret') return removeRow(deps, owner)
  await deps.vault.update(owner, (stored) => {
    const content = parseContent(stored)
    const ended: SecretContent = { ...content, current: null, next: null, prior: null }
    if (contentOf({ ...ended, unaudited: [] }) === contentOf(content))
      return { after: null, result: undefined }
    const fact = {
      component: `credential/${removal.key}`,
      kind: 'credential.secrets_ended',
      before: { principal: owner.principal, user: owner.user === '' ? null : owner.user },
      after: null,
      rationale: removal.reason,
    }
    return { after: contentOf(addNote(removal, now, fact, ended)), result: undefined }
  })
  await settleNotes(deps, owner)
}

/** Why the secrets of an owner have ended; null if they have not. */
function removalOf(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  { credential, principal }: VaultRow['owner'],
): Removal | null {
  if (credential.startsWith('remote/')) return null
  const now = placeNow(reader, credential)
  if (now === null) return null
  const { key, to } = now
  const generation = to ?? reader.generations.active()
  const row = reader.generations.get(generation)
  const by = { key, generation, actor: row?.actor ?? '', correlationId: row?.correlationId ?? '' }
  if (to !== null) return { ...by, reason: `Generation ${to} removed the credential.` }
  const body = reader.generations.view(reader.generations.active()).get('external_credential', key)?.body
  const isThere = body?.principals.some((each) => each.key === principal) ?? true
  return isThere ? null : { ...by, reason: `The credential no longer has the principal ${principal}.` }
}

/** The key of a credential now, or the last one that it had. */
function placeNow(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  credential: string,
): { key: string; to: number | null } | null {
  const last = reader.identities.keyPeriods(credential as ComponentIdentity).at(-1)
  return last === undefined ? null : { key: splitId(last.id).key, to: last.to }
}
