// Where the window may navigate: only to the studio's own origin. A safe link opens in the user's browser.
import { type StatusAction, statusActionOf } from './status-actions.ts'

export type Navigation = { to: 'stay' | 'browser' | 'refuse' } | { to: 'action'; action: StatusAction }

/** Leads to the page of a different system, in which a user is signed in with their own browser. Its ticket is for one use. */
const consentPath = '/oauth2/consent'

/**
 * Decides on a navigation or a new window.
 * @param url where the page wants to go
 * @param origin the studio's origin, as in "http://127.0.0.1:4680"; null while the server is down
 */
export function decideNavigation(url: string, origin: string | null): Navigation {
  const target = parse(url)
  if (!target) return { to: 'refuse' }
  const action = statusActionOf(target.href)
  if (action) return origin === null ? { to: 'action', action } : { to: 'refuse' }
  if (isWithin(target, origin)) return { to: target.pathname === consentPath ? 'browser' : 'stay' }
  return { to: isForBrowser(target) ? 'browser' : 'refuse' }
}

/** Whether a frame shows a page of ours: only such a frame can use IPC. */
export function isOurFrame(url: string | undefined, isTop: boolean, origin: string | null): boolean {
  if (!isTop || url === undefined) return false
  const target = parse(url)
  return target !== null && isWithin(target, origin)
}

/** A `blob:` or `filesystem:` URL of our origin contains what a script made, so the scheme counts too. */
function isWithin(target: URL, origin: string | null): boolean {
  return origin !== null && target.origin === origin && /^https?:$/.test(target.protocol)
}

/** Only mail and TLS: anything else would start a program, or disclose to the network what the user reads here. */
function isForBrowser(target: URL): boolean {
  if (target.protocol === 'mailto:') return true
  return target.protocol === 'https:' && target.username === '' && target.password === ''
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null
}
