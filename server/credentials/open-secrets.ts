// Opens all secrets that were written together.
import type { SecretOwner } from '../ports/vault.ts'
import type { SecretSet } from './secret-content.ts'
import type { Vault } from './vault.ts'

/** Name → secret. @throws AlmanacError `vault.key`, `vault.damaged` */
export async function openSecrets(
  vault: Pick<Vault, 'open'>,
  owner: SecretOwner,
  { slots }: SecretSet,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const slot of slots) secrets[slot.slot] = await vault.open(owner, slot)
  return secrets
}
