// Decides whether an org or a remote is named by the URL of its server.

/** Everything with a scheme counts: a folder has none, and an unusable URL is then reported as a URL. */
export function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place)
}
