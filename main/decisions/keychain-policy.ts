// Whether secrets can be given to the keychain. Without a keychain they are refused, and never stored unencrypted
// without consent.

/** What safeStorage reports. */
export interface KeychainState {
  platform: string
  /** Whether anything can be encrypted at all. */
  available: boolean
  /** Linux only: the store that the desktop session names. */
  backend?: string
  /** Linux only: the mark that a sealed text begins with. */
  sealPrefix?: string
}

/** On Linux, the mark of Chromium's fallback, whose password is printed in its source. */
const fallbackPrefix = 'v10'

/** Why the keychain cannot hold a secret; null if it can. */
export function keychainRefusal({ platform, available, backend, sealPrefix }: KeychainState): string | null {
  if (!available) return `The keychain of this machine cannot be used. ${remedyFor(platform)}`
  if (platform !== 'linux') return null
  // The store that the session names can be down: a fixed password is then used, and the mark shows it.
  const scrambled = sealPrefix === undefined || sealPrefix === fallbackPrefix
  if (backend === 'basic_text' || backend === 'unknown' || backend === undefined || scrambled)
    return `This desktop session has no keychain. ${remedyFor(platform)}`
  return null
}

function remedyFor(platform: string): string {
  const ways: Record<string, string> = {
    linux:
      'Install and start a Secret Service, such as gnome-keyring, KWallet or KeePassXC, then start Almanac again.',
    darwin: 'Unlock the login keychain in Keychain Access, then try again.',
    win32: 'Sign in with your own Windows account, then try again.',
  }
  return `${ways[platform] ?? 'Set up a keychain, then try again.'} Nothing was stored unencrypted.`
}
