// Whether keys may be given to the keychain. Where there is none they are not stored at all, never in clear.
import type { KeychainStatus } from '../ipc-map.ts'

/**
 * Decides on custody.
 * @param available what safeStorage says of encryption
 * @param backend Linux only: which store stands behind it. "basic_text" scrambles with a password that everybody knows
 */
export function decideCustody(
  available: boolean,
  platform: string,
  backend: string | undefined,
): KeychainStatus {
  if (!available) {
    return { kept: false, reason: `The keychain of this machine cannot be used. ${wayOut(platform)}` }
  }
  if (platform === 'linux' && (backend === 'basic_text' || backend === 'unknown' || backend === undefined)) {
    return { kept: false, reason: `This desktop session has no keychain. ${wayOut(platform)}` }
  }
  return { kept: true }
}

function wayOut(platform: string): string {
  const ways: Record<string, string> = {
    linux: 'Start a Secret Service such as GNOME Keyring or KWallet, then start Almanac again.',
    darwin: 'Unlock the login keychain in Keychain Access, then start Almanac again.',
    win32: 'Sign in with your own Windows account, then start Almanac again.',
  }
  return `${ways[platform] ?? 'Set up a keychain, then start Almanac again.'} Until then nothing secret is stored.`
}
