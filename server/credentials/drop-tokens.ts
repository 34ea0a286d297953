// Tokens that were issued for secrets that were replaced since.
import type { SecretOwner, VaultStore } from '../ports/vault.ts'
import { removeRow } from './remove-row.ts'
import { dropAccess } from './tokens/index.ts'
import { vaultTokens } from './vault-tokens.ts'
import type { Vault } from './vault.ts'

/** @param keep `consents`: of an authorisation code, only the access tokens end; a new client secret keeps its consents */
export async function dropTokens(
  deps: { vault: Vault; rows: VaultStore },
  secrets: SecretOwner,
  keep: 'consents' | 'nothing',
): Promise<void> {
  const store = vaultTokens(deps, (identity) => identity)
  for (const { owner } of await deps.rows.list(secrets.credential)) {
    const isOfUser = secrets.user === '' || owner.user === secrets.user
    if (owner.kind === 'secret' || owner.principal !== secrets.principal || !isOfUser) continue
    const { credential, principal, user } = owner
    if (keep === 'nothing') await removeRow(deps, owner)
    else if (owner.kind === 'token')
      await dropAccess({ store }, { credential, principal, user: user === '' ? null : user })
  }
}
