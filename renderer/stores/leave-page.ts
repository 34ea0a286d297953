// Leaves the studio's page for one that is loaded again, after signing in.

/** Never resolves, so that what waits for it stays disabled until the page is gone. */
export function leavePage(address: string): Promise<never> {
  location.replace(address)
  return new Promise(() => undefined)
}
