// Where the window may go: nowhere but the studio's own origin. A web link goes to the person's browser.

/** The link of the failure page's button. ".invalid" never resolves, so it means nothing anywhere else. */
export const retryLink = 'https://retry.invalid/'

export type Navigation = 'stay' | 'browser' | 'retry' | 'refuse'

/**
 * Decides on a navigation or a new window.
 * @param url where the page wants to go
 * @param origin the studio's origin, as in "http://127.0.0.1:4680"; null while the server is down
 */
export function decideNavigation(url: string, origin: string | null): Navigation {
  const target = parse(url)
  if (!target) return 'refuse'
  if (target.href === retryLink) return origin === null ? 'retry' : 'refuse'
  if (origin !== null && target.origin === origin) return 'stay'
  return isWebLink(target) ? 'browser' : 'refuse'
}

/** Whether a frame shows a page of ours: only such a frame is heard over IPC. */
export function isOurFrame(url: string | undefined, isTop: boolean, origin: string | null): boolean {
  return isTop && origin !== null && url !== undefined && parse(url)?.origin === origin
}

/** Whether an address may be given to the person's browser: http, https and mail, with no password in it. */
export function isBrowserLink(url: string): boolean {
  const target = parse(url)
  return target !== null && isWebLink(target)
}

function isWebLink(target: URL): boolean {
  const web = target.protocol === 'https:' || target.protocol === 'http:' || target.protocol === 'mailto:'
  return web && target.username === '' && target.password === ''
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null
}
