// Copies of what the server does not have yet lie in the browser, which several people may use: each has their own.

let owner = ''
let settle: () => void
const settled = new Promise<void>((done) => (settle = done))

/** The server said who is signed in here. */
export function ownCopies(user: string): void {
  owner = user
  settle()
}

/** Resolves once it is known whose copies they are; nothing is brought back before. */
export const copiesOwned = (): Promise<void> => settled

/** Where whoever is signed in has a copy, in either store of the browser. */
export const copyPlace = (name: string): string => `almanac.unsaved.${encodeURIComponent(owner)}/${name}`
