import { describe, expect, it } from 'vitest'
import { keychainRefusal } from './keychain-policy.ts'

describe('the keychain', () => {
  it.each([
    ['GNOME Keyring', { platform: 'linux', backend: 'gnome_libsecret', sealPrefix: 'v11' }, true],
    ['KWallet', { platform: 'linux', backend: 'kwallet6', sealPrefix: 'v11' }, true],
    ['the portal of a sandbox', { platform: 'linux', backend: 'gnome_libsecret', sealPrefix: 'v12' }, true],
    ['a fixed password', { platform: 'linux', backend: 'gnome_libsecret', sealPrefix: 'v10' }, false],
    [
      'a session that does not name one',
      { platform: 'linux', backend: 'basic_text', sealPrefix: 'v11' },
      false,
    ],
    ['a session not known yet', { platform: 'linux', backend: 'unknown', sealPrefix: 'v11' }, false],
    ['one that does not encrypt', { platform: 'linux', backend: 'kwallet6', sealPrefix: undefined }, false],
    [
      'one that is not available',
      { platform: 'linux', backend: 'kwallet6', sealPrefix: 'v11', available: false },
      false,
    ],
    ['Keychain Access', { platform: 'darwin' }, true],
    ['DPAPI', { platform: 'win32' }, true],
    ['a locked one', { platform: 'darwin', available: false }, false],
    ['none of an unknown system', { platform: 'aix', available: false }, false],
  ])('%s', (_case, signs, holds) => {
    const refusal = keychainRefusal({ available: true, ...signs })
    if (holds) expect(refusal).toBeNull()
    else expect(refusal).toMatch(/Nothing was stored unencrypted\.$/)
  })
})
