// Storage of secrets apart from the org, encrypted: rows of ciphertext, changed by compare-and-set.

/** `secret` holds what was written, `token` what was issued in return for it, `consent` what a user is asked for. */
export type VaultKind = 'secret' | 'token' | 'consent'

/** Whose secrets they are. */
export interface SecretOwner {
  kind: VaultKind
  /** The identity of an external credential, or `remote/<key>`; it does not change with a rename. */
  credential: string
  principal: string
  /** Empty for secrets that all users share. */
  user: string
}

/** A data key of the org, which a key service has encrypted. */
export interface WrappedKey {
  id: string
  /** The kind of its key service, and the name of the key that wraps it. */
  service: string
  wrappedBy: string
  /** Base64. */
  wrapped: string
  createdAt: string
}

export interface VaultRow {
  owner: SecretOwner
  /** Grows with every write of the row. */
  revision: number
  /** JSON whose secrets are encrypted. */
  content: string
  /** When the content has to be looked at again; null if it does not change with time. */
  dueAt: string | null
}

export interface NewVaultRow extends Pick<VaultRow, 'content' | 'dueAt'> {
  /** The data key that encrypted what is new in the content. */
  key: string
}

export interface VaultContents {
  /** Grows with every write of the vault. */
  revision: number
  keys: readonly WrappedKey[]
  rows: readonly VaultRow[]
}

/** Every write is durable when its promise resolves. @throws AlmanacError `storage.*`, `org.busy` */
export interface VaultStore {
  /** The newest first. */
  keys(): Promise<readonly WrappedKey[]>
  /** Adds the first key. Returns false if there is one already. */
  addFirstKey(key: WrappedKey): Promise<boolean>
  get(owner: SecretOwner): Promise<VaultRow | null>
  /**
   * The row as it was within the last millisecond, for calls, which come in rows. Undefined if it has to be read; nothing
   * that this process has written since is missed.
   */
  known(owner: SecretOwner): VaultRow | null | undefined
  /** The rows of a credential, or all. */
  list(credential?: string): Promise<VaultRow[]>
  /** Rows that are due at this time or before it. */
  due(at: string): Promise<VaultRow[]>
  /**
   * Writes a row, or removes it if the content is null. Returns false, without writing, if the revision of the stored row
   * differs from the expected one (null expects that the row does not exist), or if the vault no longer has the data key.
   */
  put(owner: SecretOwner, expected: number | null, content: NewVaultRow | null): Promise<boolean>
  /** Notes that the secrets of a row were used; independent of its revision. */
  noteUse(owner: SecretOwner, at: string): Promise<void>
  /** When the secrets of each owner were last used; absent if they never were. */
  lastUses(credential?: string): Promise<{ owner: SecretOwner; at: string }[]>
  contents(): Promise<VaultContents>
  /** Replaces keys and rows in one transaction. Returns false, without writing, if the revision differs. */
  replace(contents: VaultContents): Promise<boolean>
  close(): void
}
