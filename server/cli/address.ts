// Decides whether an org or a remote is named by the address of its server.

/** Everything with a scheme counts: a folder has none, and an unusable address is then reported as an address. */
export function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place)
}
