// The org's signing key: created at init, stored next to the database, never in a component.

export interface SigningKeys {
  /** The raw Ed25519 public key, 32 bytes. */
  publicKey(): Uint8Array
  /** The Ed25519 signature of a message, 64 bytes. */
  sign(message: Uint8Array): Uint8Array
}

/** Keys in a file, which is created when a key is first requested. */
export interface StoredSigningKeys extends SigningKeys {
  exists(): boolean
}
