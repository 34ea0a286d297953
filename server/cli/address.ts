// Whether an org, or a remote, is named by the address of its server.

/** Whatever has a scheme: a folder has none, and an address that cannot be used is named as one. */
export function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place)
}
