// The check of the file signing.key of a running server, which is read again only after it was changed.
import { statSync } from 'node:fs'
import { requireSigningKey } from '../check/index.ts'
import type { OrgStore } from '../ports/org-store.ts'
import { keyFile, signingKeysOf } from './org-folder.ts'

/** Returns the check, which throws AlmanacError `storage.damaged` as `requireSigningKey` does. */
export function signingKeyCheck({ dir, store }: { dir: string; store: Pick<OrgStore, 'read'> }): () => void {
  let checked: string | null = null
  return () => {
    const state = stateOf(keyFile(dir))
    if (state !== null && state === checked) return
    // A key that was read earlier is kept in memory, so that it would hide what is in the file now.
    requireSigningKey(store, signingKeysOf(dir))
    checked = state
  }
}

/** Differs after each change; null if the file is missing. */
function stateOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : [stats.dev, stats.ino, stats.size, stats.ctimeNs].join(' ')
}
