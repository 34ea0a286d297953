// What the desktop process and the server process tell one another, and the folders that the server is told.

export interface ServerStart {
  kind: 'start'
  /** Folder of the org; the sample org is made there where there is none. */
  org: string
  /** Root of the installed application: `resources/` and `out/renderer/` lie in it. */
  root: string
  /** 32 bytes in base64 that seal stored credentials; null where no keychain keeps it. */
  vaultKey: string | null
}

export type FromServer =
  { kind: 'ready'; listening: string; open: string } | { kind: 'failed'; reason: string }

/** Recognises a message of the server process; null for anything else. */
export function readServerMessage(message: unknown): FromServer | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, listening, open, reason } = message as Record<string, unknown>
  if (kind === 'ready' && typeof listening === 'string' && typeof open === 'string')
    return { kind, listening, open }
  if (kind === 'failed' && typeof reason === 'string') return { kind, reason }
  return null
}
