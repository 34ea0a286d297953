// People on a served org: a session of a browser, or a person's bearer token; both listed, both revocable (completions 6).
import { createHash } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SignInKind } from '#kernel/session/wire.ts'
import type { Clock, Ids } from '../ports/clock.ts'
import type { OrgReader, OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { SignInRow } from '../ports/sign-ins.ts'
import { demandOf, note, type By } from './by.ts'

export interface MadeSignIn {
  id: string
  /** The secret that the browser or the program shows from now on; given once, here. */
  secret: string
  user: string
  expiresAt: string
}

export interface Person {
  user: string
  /** The sign-in. */
  id: string
  expiresAt: string
}

export interface SignIns {
  /** For somebody whose password has been verified. @throws AlmanacError `auth.invalid` where they are not active. */
  openSession(by: By, label: string): Promise<MadeSignIn>
  /** A bearer token of `by.actor`; `lifetimeMs` is one hour where left out. @throws AlmanacError `auth.invalid`. */
  mintToken(by: By, label: string, lifetimeMs?: number): Promise<MadeSignIn>
  /** Whose live session, or whose live token, this secret is; null for anything else. */
  personOf(kind: SignInKind, secret: string): Person | null
  /** Newest first, without what has ended; of everybody where no user is named. */
  signIns(user?: string): SignInRow[]
  /** One's own, or with access.manage. Answers false where there is none. @throws AlmanacError `access.denied`. */
  endSignIn(by: By, id: string): Promise<boolean>
}

export interface SignInsParts {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  ids: Ids
  random: Randomness
}

export const personTokenPrefix = 'almanac_person_'

const minute = 60_000
/** A working day; and an hour without any request ends it before. */
const sessionMs = 12 * 60 * minute
const idleMs = 60 * minute
const tokenMs = 60 * minute

export function signInsOver({ store, write, clock, ids, random }: SignInsParts): SignIns {
  const open = (by: By, kind: SignInKind, label: string, lifetimeMs: number): Promise<MadeSignIn> => {
    const at = clock.now()
    const user = by.actor
    const prefix = kind === 'token' ? personTokenPrefix : ''
    const secret = prefix + Buffer.from(random.bytes(32)).toString('base64url')
    const expiresAt = new Date(Date.parse(at) + lifetimeMs).toISOString()
    const id = ids.uuid()
    return write((transactor) => {
      if (transactor.user(user)?.active !== true)
        throw new AlmanacError('auth.invalid', 'The user or the password is not right.')
      transactor.deleteEndedSignIns(at)
      const row: SignInRow = {
        id,
        hash: hashOf(secret),
        kind,
        user,
        label: label.slice(0, 200),
        createdAt: at,
        usedAt: at,
        expiresAt,
      }
      transactor.putSignIn(row)
      noted(transactor, by, at, 'sign_in.opened', row)
      return { id, secret, user, expiresAt }
    })
  }
  const noting = new Set<string>()
  const noteUse = (id: string, at: string): void => {
    if (noting.has(id)) return
    noting.add(id)
    write((transactor) => transactor.useSignIn(id, at))
      .catch(() => undefined)
      .finally(() => noting.delete(id))
  }
  const lives = (row: SignInRow, now: number): boolean =>
    Date.parse(row.expiresAt) > now && (row.kind === 'token' || Date.parse(row.usedAt) + idleMs > now)

  return {
    openSession: (by, label) => open(by, 'session', label, sessionMs),
    mintToken: (by, label, lifetimeMs = tokenMs) => open(by, 'token', label, lifetimeMs),
    personOf: (kind, secret) => {
      const at = clock.now()
      const row = store.read((reader) => liveRow(reader, kind, secret))
      if (row === null || !lives(row, Date.parse(at))) return null
      // A note of its use once a minute, which nobody waits for.
      if (Date.parse(at) - Date.parse(row.usedAt) >= minute) noteUse(row.id, at)
      return { user: row.user, id: row.id, expiresAt: row.expiresAt }
    },
    signIns: (user) => {
      const now = Date.parse(clock.now())
      return store.read((reader) => reader.signIns(user)).filter((row) => lives(row, now))
    },
    endSignIn: (by, id) =>
      write((transactor) => {
        const row = transactor.signIns().find((each) => each.id === id)
        if (row === undefined) return false
        if (row.user !== by.actor)
          demandOf(by, transactor, 'access.manage', `to end a sign-in of the user ${row.user}`)
        transactor.deleteSignIn(id)
        noted(transactor, by, clock.now(), 'sign_in.ended', row)
        return true
      }),
  }
}

function liveRow(reader: OrgReader, kind: SignInKind, secret: string): SignInRow | null {
  const row = reader.signIn(hashOf(secret))
  return row?.kind === kind && reader.user(row.user)?.active === true ? row : null
}

function noted(transactor: OrgTransactor, by: By, at: string, kind: string, row: SignInRow): void {
  const { hash: _hash, usedAt: _usedAt, ...shown } = row
  const opened = kind === 'sign_in.opened'
  note(transactor, by, at, {
    component: `user/${row.user}`,
    kind,
    before: opened ? null : { ...shown },
    after: opened ? { ...shown } : null,
  })
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
