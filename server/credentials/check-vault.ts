// Opens every secret of the vault and keeps none: shows which do not open.
import type { UnopenedValue } from '#wire/credentials.ts'
import type { SecretOwner, VaultRow } from '../ports/vault.ts'
import { keyOfIdentity } from './credential-place.ts'
import type { CredentialDeps } from './deps.ts'
import { replaceIn } from './row-content.ts'
import type { SealedSlot } from './seal.ts'

const maxUnopened = 100

type VaultDeps = Pick<CredentialDeps, 'store' | 'rows' | 'vault'>

export async function checkVault({
  store,
  rows,
  vault,
}: VaultDeps): Promise<{ values: number; unopened: UnopenedValue[] }> {
  const unopened: UnopenedValue[] = []
  const all = slotsOf(await rows.list())
  for (const { owner, slot } of all) {
    if (unopened.length === maxUnopened) break
    if (await vault.opens(owner, slot)) continue
    const credential = store.read((reader) => keyOfIdentity(reader, owner.credential))
    const user = owner.user === '' ? null : owner.user
    unopened.push({ credential, principal: owner.principal, user, name: slot.slot })
  }
  return { values: all.length, unopened }
}

export async function countValues({ rows }: Pick<VaultDeps, 'rows'>): Promise<number> {
  return slotsOf(await rows.list()).length
}

function slotsOf(rows: readonly VaultRow[]): { owner: SecretOwner; slot: SealedSlot }[] {
  const slots: { owner: SecretOwner; slot: SealedSlot }[] = []
  for (const { owner, content } of rows)
    replaceIn[owner.kind](content, (slot) => {
      slots.push({ owner, slot })
      return slot
    })
  return slots
}
