// Writes the secrets of external credentials, which nobody reads; shows when and by whom they were written; and resolves
// them for a call (docs/reference/credentials.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CredentialSecrets, VaultView } from '#wire/credentials.ts'
import { requireActorPermission, type Actor } from '../access/index.ts'
import { addNote, settleNotes } from './audit-notes.ts'
import { checkVault, countValues } from './check-vault.ts'
import { credentialView } from './credential-view.ts'
import { requireCredential, requirePlace, type NamedPlace, type SecretPlaceOf } from './credential-place.ts'
import type { CredentialDeps } from './deps.ts'
import { dropTokens } from './drop-tokens.ts'
import { endDue, endRemoved } from './end-secrets.ts'
import { requireUsable, requireUsableNext } from './require-usable.ts'
import { contentOf, parseContent, type SecretContent, type SecretSet } from './secret-content.ts'
import type { SecretOwner } from '../ports/vault.ts'
import { replaceIn } from './row-content.ts'
import type { Seal } from './vault.ts'

export type SecretValues = Readonly<Record<string, string>>

export interface Credentials {
  /** @throws AlmanacError `access.denied` */
  list(by: Actor): Promise<CredentialSecrets[]>
  /** @throws AlmanacError `access.denied`, `component.not_found` */
  get(by: Actor, credential: string): Promise<CredentialSecrets>
  vault(by: Actor): Promise<VaultView>
  /** Why the vault is locked; null if it is not. For the log of the server. */
  lockedReason(): Promise<string | null>
  /**
   * Stages secrets, or fills the current ones if they are absent. Secrets that were staged before are destroyed.
   * @throws AlmanacError `access.denied`, `component.not_found`, `user.not_found`, `request.invalid`, `vault.key`
   */
  stage(by: Actor, place: NamedPlace, values: SecretValues): Promise<void>
  /**
   * Makes the staged secrets the current ones. The prior ones stay valid for what others send.
   * @param graceHours until they are destroyed
   * @throws AlmanacError as `stage`; `secret.not_staged`
   */
  promote(by: Actor, place: NamedPlace, graceHours: number): Promise<void>
  /** Destroys the staged secrets. @throws AlmanacError as `promote` */
  unstage(by: Actor, place: NamedPlace): Promise<void>
  /** Destroys all secrets of a principal. @throws AlmanacError as `stage`; `secret.absent` */
  remove(by: Actor, place: NamedPlace): Promise<void>
  /** Encrypts all secrets with a new data key. @throws AlmanacError `access.denied`, `vault.key` */
  renewKey(by: Actor): Promise<void>
  /** Destroys prior secrets whose grace has ended, and completes the audit. */
  endDue(): Promise<void>
  /** Destroys the secrets of credentials and principals that were removed. Called after an activation. */
  endRemoved(): Promise<void>
}

const permission = 'integration.manage_credentials'
const hourMs = 3_600_000

export function createCredentials(deps: CredentialDeps): Credentials {
  const { store, clock, vault, rows } = deps

  const permitted = <T>(by: Actor, purpose: string, find: (reader: Reader) => T): T =>
    store.read((reader) => {
      requireActorPermission(by, reader, permission, purpose)
      return find(reader)
    })
  /** Changes the secrets of a place and writes the fact of it to the audit. */
  const change = async (
    by: Actor,
    named: NamedPlace,
    purpose: string,
    work: (before: SecretContent, seal: Seal, now: string) => { after: SecretContent; kind: string },
  ): Promise<SecretOwner> => {
    const place = permitted(by, purpose, (reader) => requirePlace(reader, named))
    await vault.update(place.owner, (stored, seal) => {
      const before = parseContent(stored)
      const at = clock.now()
      const { after, kind } = work(before, seal, at)
      const noted = addNote(by, at, { ...factOf(place, before, after), kind }, after)
      return { after: contentOf(noted), result: undefined }
    })
    await settleNotes(deps, place.owner)
    return place.owner
  }

  return {
    list: async (by) => {
      const credentials = permitted(by, 'to list credentials', (reader) => [
        ...reader.generations.view(reader.generations.active()).list('external_credential'),
      ])
      return Promise.all(credentials.map((credential) => credentialView(deps, credential)))
    },
    get: async (by, key) => {
      const credential = permitted(by, 'to see when secrets were written', (reader) =>
        requireCredential(reader, key),
      )
      return credentialView(deps, credential)
    },
    vault: async (by) => {
      permitted(by, 'to see the state of the vault', () => undefined)
      const status = await vault.status()
      const keys = status.keys.map(({ id, service, wrappedBy, createdAt }) => ({
        ...{ id, service, wrappedBy, createdAt },
      }))
      return status.state === 'locked'
        ? { state: 'locked', reason: status.reason, keys, values: await countValues(deps), unopened: [] }
        : { state: status.state, reason: null, keys, ...(await checkVault(deps)) }
    },
    lockedReason: async () => {
      const status = await vault.status()
      return status.state === 'locked' ? status.reason : null
    },
    stage: async (by, named, values) => {
      const place = permitted(by, `to write the secrets of ${named.credential}`, (reader) =>
        requirePlace(reader, named),
      )
      await requireUsable(deps, place, values, 'Nothing was written.')
      let isCurrent = false
      const owner = await change(
        by,
        named,
        `to write the secrets of ${named.credential}`,
        (before, seal, at) => {
          isCurrent = before.current === null
          const version = before.version + 1
          const slots = Object.entries(values).map(([slot, value]) => seal(slot, version, value))
          const written: SecretSet = { version, at, by: by.actor, slots }
          return isCurrent
            ? { after: { ...before, version, current: written }, kind: 'credential.secrets_written' }
            : { after: { ...before, version, next: written }, kind: 'credential.secrets_staged' }
        },
      )
      if (isCurrent) await dropTokens(deps, owner, 'consents')
    },
    promote: async (by, named, graceHours) => {
      const purpose = `to promote the secrets of ${named.credential}`
      await requireUsableNext(
        deps,
        permitted(by, purpose, (reader) => requirePlace(reader, named)),
      )
      const owner = await change(by, named, purpose, (before, _seal, at) => {
        const { current, next } = requireStaged(before, named)
        const until = new Date(Date.parse(at) + graceHours * hourMs).toISOString()
        const prior = current === null || graceHours === 0 ? null : { ...current, until, endedBy: by.actor }
        return {
          after: { ...before, current: next, next: null, prior },
          kind: 'credential.secrets_promoted',
        }
      })
      await dropTokens(deps, owner, 'consents')
    },
    unstage: async (by, named) => {
      await change(by, named, `to discard staged secrets of ${named.credential}`, (before) => {
        requireStaged(before, named)
        return { after: { ...before, next: null }, kind: 'credential.secrets_unstaged' }
      })
    },
    remove: async (by, named) => {
      const owner = await change(by, named, `to remove the secrets of ${named.credential}`, (before) => {
        if (before.current === null && before.next === null && before.prior === null)
          throw new AlmanacError('secret.absent', `${named.principal} of ${named.credential} has no secrets.`)
        const after = { ...before, current: null, next: null, prior: null }
        return { after, kind: 'credential.secrets_removed' }
      })
      await dropTokens(deps, owner, 'nothing')
    },
    renewKey: async (by) => {
      permitted(by, 'to renew the data key of the vault', () => undefined)
      await vault.renewKey(({ owner, content }, replace) => replaceIn[owner.kind](content, replace))
      const [key] = await rows.keys()
      if (key === undefined) return
      await deps.write((transactor) =>
        deps.audit(transactor, by, {
          ...{ component: 'vault', kind: 'vault.key_renewed', before: null, after: { key: key.id } },
        }),
      )
    },
    endDue: () => endDue(deps),
    endRemoved: () => endRemoved(deps),
  }
}

type Reader = Parameters<Parameters<CredentialDeps['store']['read']>[0]>[0]

function requireStaged(
  before: SecretContent,
  { credential, principal }: NamedPlace,
): SecretContent & { next: SecretSet } {
  const { next } = before
  if (next !== null) return { ...before, next }
  throw new AlmanacError('secret.not_staged', `${principal} of ${credential} has no staged secrets.`)
}

/** What the audit shows: names and versions, never a secret. */
function factOf(
  { credential, principal, owner: { user } }: SecretPlaceOf,
  before: SecretContent,
  after: SecretContent,
): { component: string; before: ReturnType<typeof shownOf>; after: ReturnType<typeof shownOf> } {
  const whose = { principal: principal.key, user: user === '' ? null : user }
  return {
    component: `credential/${credential.key}`,
    before: shownOf(before, whose),
    after: shownOf(after, whose),
  }
}

const shownOf = (
  { current, next, prior }: SecretContent,
  whose: { principal: string; user: string | null },
) => ({
  ...whose,
  current: current?.version ?? null,
  next: next?.version ?? null,
  prior: prior?.version ?? null,
  priorUntil: prior?.until ?? null,
})
