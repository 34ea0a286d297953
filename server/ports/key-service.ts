// Encrypts the data keys of a vault with a key that is stored elsewhere: a keychain, a file, or a service in the cloud.

export interface KeyService {
  /** `keychain`, `file`, or the kind of a cloud service; stored with each key that it wraps. */
  readonly kind: string
  /** Names the wrapping key for people: a path, an address. Never the key. */
  readonly name: string
  /**
   * @param context what the key belongs to; the same bytes are needed to unwrap it
   * @throws AlmanacError `vault.key` if the service cannot be used
   */
  wrap(dataKey: Uint8Array, context: Uint8Array): Promise<Uint8Array>
  /** @throws AlmanacError `vault.key` if the service cannot be used, or its key does not open the data key */
  unwrap(wrapped: Uint8Array, context: Uint8Array): Promise<Uint8Array>
  /**
   * Replaces the wrapping key; absent if the key is managed elsewhere. From its begin, `wrap` uses the next key, and
   * `unwrap` knows both. The earlier one ends when `rewrap` has resolved, which stores every data key wrapped again.
   */
  replaceKey?(rewrap: () => Promise<void>): Promise<void>
}
