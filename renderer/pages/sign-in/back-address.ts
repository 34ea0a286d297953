// The URL after a sign-in: always one of this studio, for any link.

/** Returns an absolute URL of `origin`; its start page for anything that leads elsewhere or to the sign-in page. */
export function backAddress(target: string, origin: string, signIn: string): string {
  const home = `${origin}/`
  // The browser's own parser decides: it drops tabs and line breaks, and reads a backslash as a slash.
  const address = URL.canParse(target, home) ? new URL(target, home) : null
  return address === null || address.origin !== origin || address.pathname.startsWith(signIn)
    ? home
    : address.href
}
