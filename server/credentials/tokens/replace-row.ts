// Replaces a row of the token store, and tries again when another process changes it in between.
import type { StoredTokens, TokenAddress, TokenStore } from './token-store.ts'

/** @param next receives the stored row; returns undefined to leave it as it is */
export async function replaceRow(
  { store }: { store: TokenStore },
  { credential, principal, user }: TokenAddress,
  next: (present: StoredTokens | undefined) => StoredTokens | null | undefined,
): Promise<void> {
  for (;;) {
    const entry = await store.get({ credential, principal, user })
    const row = next(entry?.tokens)
    if (row === undefined || (row === null && entry === undefined)) return
    if ((await store.put({ credential, principal, user }, row, entry?.version ?? null)) !== null) return
  }
}
