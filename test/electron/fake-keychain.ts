// A keychain as Electron's safeStorage shows it: encrypted texts begin with the mark of the store that encrypted them.

export interface FakeKeychainState {
  /** Linux: the store that the desktop session names. */
  backend: string
  /** Linux: `v10` is the fixed password that Chromium uses if no store runs, `v11` is a real one. */
  mark: string
  available?: boolean
}

export class FakeKeychain {
  state: FakeKeychainState
  /** Another machine or account has a different key. */
  key = 0x5a
  /** The key has changed: what it encrypted still opens, and should be encrypted again. */
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
