// A keychain as Electron's safeStorage shows it: sealed texts begin with the mark of the store that sealed them.

export interface FakeKeychainState {
  /** Linux: the store that the desktop session names. */
  backend: string
  /** Linux: `v10` is the fixed password that stands in where no store runs, `v11` a real one. */
  mark: string
  available?: boolean
}

export class FakeKeychain {
  state: FakeKeychainState
  /** Another machine or account has another key. */
  key = 0x5a
  /** The key was changed since: what it sealed opens, and should be sealed anew. */
  rotated = false

  constructor(state: FakeKeychainState) {
    this.state = state
  }
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return this.state.available ?? true
  }
  getSelectedStorageBackend(): string {
    return this.state.backend
  }
  async encryptStringAsync(text: string): Promise<Buffer> {
    if (this.state.available === false) throw new Error('Encryption is not available.')
    const body = Buffer.from(`${this.rotated ? 'new' : 'old'}:${text}`, 'utf8').map((byte) => byte ^ this.key)
    return Buffer.concat([Buffer.from(this.state.mark), body])
  }
  async decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    const text = Buffer.from(sealed.subarray(3).map((byte) => byte ^ this.key)).toString('utf8')
    const [, age, result] = /^(old|new):(.*)$/s.exec(text) ?? []
    if (age === undefined || result === undefined) throw new Error('Error while decrypting.')
    return { result, shouldReEncrypt: this.rotated && age === 'old' }
  }
}
