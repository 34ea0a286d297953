// Users on a served org: a browser session, or a user's bearer token; both are listed and revocable.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SignInKind } from '#wire/session.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgReader, OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { SignInRow } from '../ports/sign-ins.ts'
import { requireActorPermission, recordAudit, type Actor } from './actor.ts'
import { requirePermission, type EffectiveAccess } from './effective-access.ts'
import { hashSecret } from './secret-hash.ts'

export interface IssuedSignIn {
  id: string
  /** The secret that the browser or the program presents from now on; shown only once, here. */
  secret: string
  user: string
  expiresAt: string
}

export interface ActiveSignIn {
  user: string
  /** The sign-in. */
  id: string
  expiresAt: string
  /** The operating-system user who acts through it. */
  operator: string | null
  /** Opened by the one-time link of this start of the server. */
  isLinkSession: boolean
  /** Until when this holds without another lookup if nothing is written, in milliseconds since 1970. */
  validUntil: number
}

export interface SignIns {
  /** For a user whose password has been verified. @throws AlmanacError `auth.invalid` if the user is not active. */
  openSession(by: Actor, label: string): Promise<IssuedSignIn>
  /**
   * For the one-time link: a session that also ends with this start of the server. @throws AlmanacError `auth.invalid`.
   */
  openLinkSession(by: Actor, label: string): Promise<IssuedSignIn>
  /**
   * Creates a bearer token for `by.actor`; if omitted, `lifetimeMs` is one hour. @throws AlmanacError `auth.invalid`.
   */
  issuePersonToken(by: Actor, label: string, lifetimeMs?: number): Promise<IssuedSignIn>
  /** The owner of the live session or live token with this secret; null for anything else. */
  findActiveSignIn(kind: SignInKind, secret: string): ActiveSignIn | null
  /**
   * Lists the active sign-ins of a user, or of all users (null), newest first. Those of other users need
   * access.manage. @throws AlmanacError `access.denied`
   */
  signIns(caller: EffectiveAccess, user: string | null): SignInRow[]
  /**
   * Ends a sign-in of the caller, or with access.manage of any user. Returns false if it does not exist. @throws
   * AlmanacError `access.denied`.
   */
  endSignIn(by: Actor, id: string): Promise<boolean>
  /**
   * Ends the sessions, the tokens or both of the caller, or with access.manage of any user. Returns how many
   * ended. @throws AlmanacError `access.denied`, `user.not_found`.
   */
  endSignInsOf(by: Actor, user: string, kind?: SignInKind): Promise<number>
  /** Ends the sessions of the one-time link, when the server stops. */
  endLinkSessions(): Promise<void>
}

/** The lifetime of a session. */
export interface SessionLimits {
  /** Maximum time between two requests, in milliseconds. */
  idleMs: number
  /** Maximum total time, in milliseconds. */
  maxMs: number
}

export interface SignInsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  ids: IdGenerator
  random: Randomness
  /** Limits for sessions of the one-time link; if omitted, the limits of all sessions. */
  linkLimits?: SessionLimits | undefined
}

export const personTokenPrefix = 'almanac_person_'

const minute = 60_000
const hour = 60 * minute
const sessionLimits: SessionLimits = { idleMs: 12 * hour, maxMs: 7 * 24 * hour }
const tokenMs = hour

export function createSignIns(deps: SignInsDeps): SignIns {
  const { store, write, clock, ids, random, linkLimits = sessionLimits } = deps
  const serverStart = ids.uuid()
  const open = (
    by: Actor,
    kind: SignInKind,
    label: string,
    lifetimeMs: number,
    start: string | null = null,
  ): Promise<IssuedSignIn> => {
    const at = clock.now()
    const user = by.actor
    const prefix = kind === 'token' ? personTokenPrefix : ''
    const secret = prefix + Buffer.from(random.bytes(32)).toString('base64url')
    const expiresAt = new Date(Date.parse(at) + lifetimeMs).toISOString()
    const id = ids.uuid()
    return write((transactor) => {
      if (transactor.people.user(user)?.active !== true)
        throw new AlmanacError('auth.invalid', 'The user or the password is incorrect.')
      transactor.signIns.deleteExpired(at)
      const row: SignInRow = {
        id,
        hash: hashSecret(secret),
        kind,
        user,
        label: label.slice(0, 200),
        createdAt: at,
        usedAt: at,
        expiresAt,
        operator: by.operatorName ?? null,
        serverStart: start,
      }
      transactor.signIns.put(row)
      recordSignIn(transactor, by, at, 'sign_in.opened', row)
      return { id, secret, user, expiresAt }
    })
  }
  const pendingIds = new Set<string>()
  const noteUse = (id: string, at: string): void => {
    if (pendingIds.has(id)) return
    pendingIds.add(id)
    write((transactor) => transactor.signIns.recordUse(id, at))
      .catch(() => undefined)
      .finally(() => pendingIds.delete(id))
  }
  /** When a sign-in ends unless it is used again, in milliseconds. */
  const endOf = (row: SignInRow): number => {
    const expiresAt = Date.parse(row.expiresAt)
    if (row.kind === 'token') return expiresAt
    if (row.serverStart !== null && row.serverStart !== serverStart) return -Infinity
    const { idleMs } = row.serverStart === null ? sessionLimits : linkLimits
    return Math.min(expiresAt, Date.parse(row.usedAt) + idleMs)
  }

  return {
    openSession: (by, label) => open(by, 'session', label, sessionLimits.maxMs),
    openLinkSession: (by, label) => open(by, 'session', label, linkLimits.maxMs, serverStart),
    issuePersonToken: (by, label, lifetimeMs = tokenMs) => open(by, 'token', label, lifetimeMs),
    findActiveSignIn: (kind, secret) => {
      const at = clock.now()
      const now = Date.parse(at)
      const row = store.read((reader) => liveRow(reader, kind, secret))
      if (row === null || endOf(row) <= now) return null
      // Records the use once a minute; no caller waits for this.
      if (now - Date.parse(row.usedAt) >= minute) noteUse(row.id, at)
      const { id, user, expiresAt, operator } = row
      const validUntil = kind === 'token' ? endOf(row) : Math.min(endOf(row), now + minute)
      return { id, user, expiresAt, operator, isLinkSession: row.serverStart !== null, validUntil }
    },
    signIns: (caller, user) => {
      if (user !== caller.user) requirePermission(caller, 'access.manage', 'to see the sign-ins of others')
      const now = Date.parse(clock.now())
      return store.read((reader) => reader.signIns.list(user ?? undefined)).filter((row) => endOf(row) > now)
    },
    endSignIn: (by, id) =>
      write((transactor) => {
        const row = transactor.signIns.list().find((each) => each.id === id)
        if (row === undefined) return false
        if (row.user !== by.actor)
          requireActorPermission(by, transactor, 'access.manage', `to end a sign-in of the user ${row.user}`)
        transactor.signIns.delete(id)
        recordSignIn(transactor, by, clock.now(), 'sign_in.ended', row)
        return true
      }),
    endSignInsOf: (by, user, kind) =>
      write((transactor) => {
        if (user !== by.actor)
          requireActorPermission(by, transactor, 'access.manage', `to end the sign-ins of the user ${user}`)
        if (transactor.people.user(user) === undefined)
          throw new AlmanacError('user.not_found', `The user "${user}" does not exist in this org.`)
        const rows = transactor.signIns.list(user).filter((row) => kind === undefined || row.kind === kind)
        const at = clock.now()
        for (const row of rows) {
          transactor.signIns.delete(row.id)
          recordSignIn(transactor, by, at, 'sign_in.ended', row)
        }
        return rows.length
      }),
    endLinkSessions: async () => {
      const isOwn = (row: SignInRow): boolean => row.serverStart === serverStart
      // Most servers have no such sessions; a write would wait for the disk.
      if (!store.read((reader) => reader.signIns.list()).some(isOwn)) return
      await write((transactor) => {
        for (const row of transactor.signIns.list()) if (isOwn(row)) transactor.signIns.delete(row.id)
      })
    },
  }
}

function liveRow(reader: OrgReader, kind: SignInKind, secret: string): SignInRow | null {
  const row = reader.signIns.get(hashSecret(secret))
  return row?.kind === kind && reader.people.user(row.user)?.active === true ? row : null
}

function recordSignIn(transactor: OrgTransactor, by: Actor, at: string, kind: string, row: SignInRow): void {
  const { hash: _hash, usedAt: _usedAt, serverStart: _start, ...publicRow } = row
  const opened = kind === 'sign_in.opened'
  recordAudit(transactor, by, at, {
    component: `user/${row.user}`,
    kind,
    before: opened ? null : { ...publicRow },
    after: opened ? { ...publicRow } : null,
  })
}
