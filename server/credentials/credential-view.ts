// What is shown of the secrets of a credential: when and by whom they were written, and whether they are complete.
import type { CredentialSecrets, PrincipalSecrets, WrittenSecrets } from '#wire/credentials.ts'
import type { SecretOwner, VaultRow } from '../ports/vault.ts'
import { ownerOf, slotsOf, type Credential } from './credential-place.ts'
import type { CredentialDeps } from './deps.ts'
import { parseContent, type SecretSet } from './secret-content.ts'

export async function credentialView(
  { store, rows }: CredentialDeps,
  credential: Credential,
): Promise<CredentialSecrets> {
  const { key, label = key, body } = credential
  const { credential: identity } = store.read((reader) => ownerOf(reader, credential, '', null))
  const stored = (await rows.list(identity)).filter(({ owner }) => owner.kind === 'secret')
  const uses = await rows.lastUses(identity)
  const lastUseOf = (owner: SecretOwner): string | null =>
    uses.find((use) => isSameOwner(use.owner, owner))?.at ?? null
  const principals = body.principals.map((principal) => ({
    ...{ key: principal.key, mode: principal.mode, slots: slotsOf(credential, principal) },
    secrets: stored
      .filter(({ owner }) => owner.principal === principal.key)
      .map((row) => secretsView(row, lastUseOf(row.owner))),
  }))
  return { credential: key, label, scheme: body.scheme, principals }
}

function secretsView({ owner, content }: VaultRow, lastUsedAt: string | null): PrincipalSecrets {
  const { current, next, prior } = parseContent(content)
  return {
    user: owner.user === '' ? null : owner.user,
    current: current === null ? null : writtenOf(current),
    next: next === null ? null : writtenOf(next),
    prior: prior === null ? null : { ...writtenOf(prior), until: prior.until },
    lastUsedAt,
  }
}

const writtenOf = ({ version, at, by, slots }: SecretSet): WrittenSecrets => ({
  ...{ version, at, by },
  slots: slots.map(({ slot }) => slot),
})

const isSameOwner = (a: SecretOwner, b: SecretOwner): boolean =>
  a.kind === b.kind && a.credential === b.credential && a.principal === b.principal && a.user === b.user
