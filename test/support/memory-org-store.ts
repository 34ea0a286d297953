// A store in memory, for tests of engines: whole generations as lists; a transaction is rolled back by restoring a
// copy.
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { componentDigest } from '#kernel/change/component-digest.ts'
import { nobleSha256 } from '#kernel/change/sha256.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type {
  AuditRow,
  StoredGeneration,
  OrgProperties,
  OrgReader,
  OrgStore,
  OrgTransactor,
  StoredResult,
  TokenRow,
  GroupRow,
  UserRow,
  VersionRow,
} from '../../server/ports/org-store.ts'
import type { ComponentIdentity, KeyPeriod } from '../../server/ports/identities.ts'
import type { InvitationRow, SignInRow } from '../../server/ports/sign-ins.ts'
import type { OrgSnapshots } from '../../server/ports/org-snapshots.ts'
import { worldOver } from './world.ts'

interface Generation {
  view: MemoryView
  actor: string
}

export class MemoryOrgStore implements OrgStore {
  readonly audit: AuditRow[] = []
  readonly #generations: Generation[] = []
  readonly #forgotten = new Set<number>()
  readonly #worlds = new Map<number, EvaluationSnapshot>()
  readonly #users = new Map<string, UserRow>()
  readonly #groups = new Map<string, GroupRow>()
  readonly #tokens = new Map<string, TokenRow>()
  readonly #signIns = new Map<string, SignInRow>()
  readonly #invitations = new Map<string, InvitationRow>()
  readonly #results = new Map<string, StoredResult>()
  readonly #settings = new Map<string, JsonValue>()
  readonly #facts: OrgProperties

  constructor(facts: Partial<OrgProperties> = {}) {
    this.#facts = {
      lineage: '0197d0e4-0000-7000-8000-000000000001',
      name: 'acme',
      environment: 'dev',
      createdAt: '2026-01-01T00:00:00.000Z',
      sliceBudget: 64 * 1024 * 1024,
      ...facts,
    }
  }

  /** Adds the next generation as a whole. Returns its number. */
  addGeneration(components: Iterable<Component>, actor = 'admin'): number {
    this.#generations.push({ view: new MemoryView(components), actor })
    return this.#generations.length
  }

  putUser(row: Partial<UserRow> & { key: string }): void {
    const blank = {
      name: row.key,
      active: true,
      locale: null,
      passwordHash: null,
      groups: [],
      permissionSets: [],
    }
    this.#users.set(row.key, { ...blank, ...row })
  }

  read<T>(work: (reader: OrgReader) => T): T {
    return work(this.#transactor())
  }

  write<T>(work: (transactor: OrgTransactor) => T): T {
    return work(this.#transactor())
  }

  probe(): void {}

  verifyActive(): void {
    // Nothing outside can change it.
  }

  checkIntegrity(): [] {
    return []
  }

  close(): void {}

  #generation(generation: number): Generation {
    const found = this.#held(generation)
    if (found === undefined)
      throw new AlmanacError('generation.not_found', `Generation ${generation} does not exist.`)
    return found
  }

  /** A generation with its slice. @throws AlmanacError `generation.not_found`. */
  worldAt(generation: number): EvaluationSnapshot {
    const { view } = this.#generation(generation)
    const known = this.#worlds.get(generation)
    if (known !== undefined) return known
    const snapshot = worldOver(view.all(), generation)
    this.#worlds.set(generation, snapshot)
    return snapshot
  }

  worlds(): OrgSnapshots {
    return {
      active: () => this.worldAt(this.#generations.length),
      at: (generation) => this.worldAt(generation),
    }
  }

  /** Forgets a generation, as a purge does. It is still known which component had which key. */
  forget(generation: number): void {
    this.#forgotten.add(generation)
  }

  #held(generation: number): Generation | undefined {
    return this.#forgotten.has(generation) ? undefined : this.#generations[generation - 1]
  }

  #row(generation: number): StoredGeneration | undefined {
    const found = this.#held(generation)
    if (found === undefined) return undefined
    const counts = { added: 0, changed: 0, renamed: 0, removed: 0 }
    const at = '2026-01-01T00:00:00.000Z'
    return {
      generation,
      kind: 'apply',
      at,
      actor: found.actor,
      rationale: '',
      correlationId: '',
      changeDigest: `change ${generation}`,
      counts,
      sliceBytes: 0,
    }
  }

  #at(generation: number, id: ComponentId): VersionRow | undefined {
    return this.#versions(id).find(({ from, to }) => from <= generation && (to === null || generation < to))
  }

  #versions(id: ComponentId): VersionRow[] {
    const rows: VersionRow[] = []
    for (const [index, { view, actor }] of this.#generations.entries()) {
      const [type, key] = [id.slice(0, id.indexOf('/')), id.slice(id.indexOf('/') + 1)]
      const component = view.get(type as Component['type'], key) as Component | undefined
      const digest = component === undefined ? null : componentDigest(component, nobleSha256)
      const last = rows.at(-1)
      if (last?.to === null && last.digest === digest) continue
      if (last?.to === null) last.to = index + 1
      if (digest !== null)
        rows.push({ id, digest, from: index + 1, to: null, at: '2026-01-01T00:00:00.000Z', actor })
    }
    return rows
  }

  #spells(id: ComponentId): KeyPeriod[] {
    const spells: KeyPeriod[] = []
    for (const { from, to } of this.#versions(id)) {
      const last = spells.at(-1)
      if (last?.to === from) last.to = to
      else spells.push({ id, from, to })
    }
    return spells
  }

  #transactor(): OrgTransactor {
    const known: Partial<OrgTransactor> = {
      properties: () => this.#facts,
      activeGeneration: () => this.#generations.length,
      view: (generation) => this.#generation(generation).view,
      generation: (generation) => this.#row(generation),
      generations: () => this.#generations.map((_, index) => this.#row(index + 1)!).reverse(),
      digests: (generation) =>
        new Map(
          [...this.#generation(generation).view.all()].map((each) => [
            idOf(each),
            componentDigest(each, nobleSha256),
          ]),
        ),
      digestOf: (generation, id) => this.#at(generation, id)?.digest,
      setSummary: (generation, set) => {
        const slice = this.worldAt(generation).slice.sets.get(set)
        return slice === undefined ? undefined : { set, digest: slice.digest, bytes: slice.bytes }
      },
      verifiedSetSummary: (generation, set) => known.setSummary!(generation, set),
      versions: (id) => this.#versions(id),
      versionAt: (generation, id) => this.#at(generation, id),
      changedComponentsBetween: (from, to) => {
        const ids = new Set(
          [from, to].flatMap((at) => [...this.#generation(at).view.all()].map((each) => idOf(each))),
        )
        return [...ids].filter((id) => this.#at(from, id)?.digest !== this.#at(to, id)?.digest)
      },
      generationChanges: (generations) =>
        new Map(
          generations.map((generation) => {
            const now = [...this.#generation(generation).view.all()]
            const ids =
              generation === 1
                ? now.map((each) => idOf(each))
                : known.changedComponentsBetween!(generation - 1, generation)
            const entry = (id: ComponentId): boolean => id.startsWith('config_entry/')
            return [
              generation,
              {
                definitions: ids.filter((id) => !entry(id)),
                sets: [...new Set(ids.filter(entry).map((id) => splitId(id).key.split('.')[0]!))],
              },
            ]
          }),
        ),
      user: (key) => this.#users.get(key),
      users: () => [...this.#users.values()],
      group: (key) => this.#groups.get(key),
      groups: () => [...this.#groups.values()],
      token: (hash) => this.#tokens.get(hash),
      result: (id) => this.#results.get(id),
      results: ({ before, limit = 50 } = {}) =>
        [...this.#results.values()]
          .reverse()
          .filter(({ id }) => before === undefined || id < before)
          .slice(0, limit),
      setting: (name) => this.#settings.get(name),
      audit: () => this.audit,
      auditSummaries: () => this.audit.map((row) => ({ ...row, label: null, formerKey: null })),
      appendAudit: (row) => void this.audit.push({ id: String(this.audit.length + 1), ...row }),
      putUser: (row) => this.putUser(row),
      putGroup: (row) => void this.#groups.set(row.key, row),
      putToken: (row) => void this.#tokens.set(row.hash, row),
      deleteTokensOf: (user) => {
        for (const [hash, token] of this.#tokens) if (token.user === user) this.#tokens.delete(hash)
      },
      deleteExpiredTokens: (now) => {
        for (const [hash, { expiresAt }] of this.#tokens) if (expiresAt <= now) this.#tokens.delete(hash)
      },
      lastSignIns: () => new Map([...this.#signIns.values()].map(({ user, createdAt }) => [user, createdAt])),
      invitation: (hash) => [...this.#invitations.values()].find((row) => row.hash === hash),
      invitations: () => [...this.#invitations.values()],
      putInvitation: (row) => void this.#invitations.set(row.user, row),
      deleteInvitationOf: (user) => void this.#invitations.delete(user),
      deleteInvitationsMadeBy: (maker) => {
        for (const row of this.#invitations.values())
          if (row.madeBy === maker) this.#invitations.delete(row.user)
      },
      signIn: (hash) => [...this.#signIns.values()].find((row) => row.hash === hash),
      signIns: (user) =>
        [...this.#signIns.values()].reverse().filter((row) => user === undefined || row.user === user),
      putSignIn: (row) => void this.#signIns.set(row.id, row),
      recordSignInUse: (id, usedAt) => void this.#signIns.set(id, { ...this.#signIns.get(id)!, usedAt }),
      deleteSignIn: (id) => void this.#signIns.delete(id),
      deleteSignInsOf: (user, but) => {
        for (const row of this.#signIns.values())
          if (row.user === user && row.id !== but) this.#signIns.delete(row.id)
      },
      deleteExpiredSignIns: (now) => {
        for (const row of this.#signIns.values()) if (row.expiresAt <= now) this.#signIns.delete(row.id)
      },
      putResult: (row) => void this.#results.set(row.id, row),
      moveTokens: (moves) => {
        for (const [hash, row] of this.#tokens) {
          const client = moves.get(row.client)
          if (client === null) this.#tokens.delete(hash)
          else if (client !== undefined) this.#tokens.set(hash, { ...row, client })
        }
      },
      // Nothing is ever renamed here, so a key and the generation in which it was added are an identity.
      identityOf: (generation, id) => {
        const at = this.#spells(id).find(
          ({ from, to }) => from <= generation && (to === null || generation < to),
        )
        return at === undefined ? undefined : (`${id}@${at.from}` as ComponentIdentity)
      },
      keyPeriodsOf: (identity) => {
        const at = identity.lastIndexOf('@')
        const id = identity.slice(0, at) as ComponentId
        return this.#spells(id).filter(({ from }) => from === Number(identity.slice(at + 1)))
      },
      holdersOf: (id) =>
        this.#spells(id).map(({ from, to }) => ({
          identity: `${id}@${from}` as ComponentIdentity,
          from,
          to,
        })),
      keyMovesBetween: () => new Map(),
      deleteSetting: (name) => void this.#settings.delete(name),
      putSetting: (name, value) => void this.#settings.set(name, value),
    }
    return new Proxy(known as OrgTransactor, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as unknown
        if (method === undefined) throw new Error(`The store in memory does not have ${String(name)}.`)
        return method
      },
    })
  }
}
