// Whether an org, or a remote, is named by the address of its server.

export function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}
