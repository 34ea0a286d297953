// Which permissions a page gets from the operating system: only those that an editor needs, and only for our own page.

const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen'])

/**
 * Decides on a permission that a page requests. Denied by default.
 * @param requestingUrl URL or origin of the requesting frame
 * @param origin the studio's origin; null while the server is down
 */
export function decidePermission(permission: string, requestingUrl: string, origin: string | null): boolean {
  if (origin === null || !URL.canParse(requestingUrl)) return false
  return allowed.has(permission) && new URL(requestingUrl).origin === origin
}
