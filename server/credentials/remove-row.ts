// Removes a row of the vault without opening it: even without its key, a secret can be removed.
import type { SecretOwner, VaultStore } from '../ports/vault.ts'

export async function removeRow(
  { rows }: { rows: Pick<VaultStore, 'get' | 'put'> },
  owner: SecretOwner,
): Promise<void> {
  for (;;) {
    const row = await rows.get(owner)
    if (row === null || (await rows.put(owner, row.revision, null))) return
  }
}
