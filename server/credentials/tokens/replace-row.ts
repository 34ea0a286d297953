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

/** Ends the access token and keeps the consent; a row without a consent is removed. */
export function dropAccess(deps: { store: TokenStore }, address: TokenAddress): Promise<void> {
  return replaceRow(deps, address, (present) =>
    present === undefined || present.refreshToken === null
      ? null
      : { ...present, accessToken: null, obtainedAt: 0, expiresAt: null, pause: null },
  )
}
