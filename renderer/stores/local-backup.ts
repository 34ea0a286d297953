// Copies, in the browser, of what the server does not have yet. Several users can share a browser: each has separate
// copies.

let owner = ''
let settle: () => void
const settled = new Promise<void>((done) => (settle = done))

/** Records who is signed in here, as the server reports. */
export function setBackupOwner(user: string): void {
  owner = user
  settle()
}

/** Resolves once the user is known; nothing is restored before. */
export const whenBackupOwnerKnown = (): Promise<void> => settled

/** The place of a copy of the current user, in either store of the browser. */
export const backupKey = (name: string): string => `almanac.unsaved.${encodeURIComponent(owner)}/${name}`
