// Copies of what the server does not have yet lie in the browser, which several people may use: each finds their own again.

const unsaved = 'almanac.unsaved.'
const person = 'almanac.person'
const put = (user: string): string => `almanac.left.${user}.`

let settle: (user: string) => void
const settled = new Promise<string>((done) => (settle = done))

/** Who is signed in, as soon as this browser's copies are theirs: nothing is brought back before. */
export const ownerOfCopies = (): Promise<string> => settled

/** The server said who is signed in here. */
export function ownCopies(user: string): void {
  try {
    takeOver(localStorage, user)
  } catch {
    // A full local store keeps what it has; nobody else's is shown for that.
  }
  settle(user)
}

/** Somebody is signed in here; what another person left is put by for them, and what this one left is taken back. */
export function takeOver(store: Storage, user: string): void {
  const before = store.getItem(person)
  if (before !== null && before !== user) move(store, unsaved, put(before))
  if (before !== user) move(store, put(user), unsaved)
  store.setItem(person, user)
}

function move(store: Storage, from: string, to: string): void {
  const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? '')
  for (const name of names.filter((each) => each.startsWith(from))) {
    const copy = store.getItem(name)
    store.removeItem(name)
    if (copy !== null) store.setItem(to + name.slice(from.length), copy)
  }
}
