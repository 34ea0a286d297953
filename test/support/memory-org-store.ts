// The SQLite store in memory, for tests of engines: whole generations are added as lists of components.
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { componentDigest } from '#kernel/change/component-digest.ts'
import { nobleSha256 } from '#kernel/change/sha256.ts'
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import { buildGraph } from '#kernel/graph/index.ts'
import type { AuditRow } from '#wire/index.ts'
import type { VersionWrite } from '../../server/ports/generations.ts'
import type { OrgProperties } from '../../server/ports/org-properties.ts'
import type { OrgSnapshots } from '../../server/ports/org-snapshots.ts'
import type { OrgReader, OrgStore, OrgTransactor } from '../../server/ports/org-store.ts'
import type { UserRow } from '../../server/ports/people.ts'
import { changedReferences } from '../../server/pipeline/org-graph.ts'
import { createMemoryStore } from '../../server/storage/sqlite/index.ts'
import { snapshotOver } from './snapshot.ts'

const at = '2026-01-01T00:00:00.000Z'
/** Identifies the audit rows of the generations that a test adds. */
const addedByTest = 'added-by-test'

export class MemoryOrgStore implements OrgStore {
  readonly #store: OrgStore
  readonly #worlds = new Map<number, EvaluationSnapshot>()

  constructor(properties: Partial<OrgProperties> = {}) {
    this.#store = createMemoryStore({
      lineage: '0197d0e4-0000-7000-8000-000000000001',
      name: 'acme',
      environment: 'dev',
      createdAt: at,
      sliceBudget: 64 * 1024 * 1024,
      ...properties,
    })
  }

  position(): number {
    return this.#store.position()
  }

  /** What engines audited, oldest first; without the changes of the generations that a test added. */
  get audit(): AuditRow[] {
    return this.read((reader) => reader.audit.list({ limit: 10_000 }))
      .filter(({ correlationId }) => correlationId !== addedByTest)
      .reverse()
  }

  /** Adds the next generation as a whole. Returns its number. */
  addGeneration(components: Iterable<Component>, actor = 'admin'): number {
    return this.write((transactor) => {
      const active = transactor.generations.active()
      const before = new MemoryView(transactor.generations.view(active).all())
      const after = new MemoryView(components)
      const versions = [...versionsBetween(before, after)]
      const countOf = (kind: VersionWrite['kind']): number =>
        versions.filter((each) => each.kind === kind).length
      const generation = transactor.generations.write({
        row: {
          ...{ kind: 'apply', at, actor, rationale: '', correlationId: addedByTest, sliceBytes: 0 },
          changeDigest: `change ${active + 1}`,
          counts: {
            added: countOf('added'),
            changed: countOf('changed'),
            renamed: 0,
            removed: countOf('removed'),
          },
        },
        versions,
        references: changedReferences(buildGraph(before), buildGraph(after)),
      })
      const sets = [...snapshotOver(after.all(), generation).slice.sets].map(([set, { digest, bytes }]) => ({
        set,
        digest,
        bytes,
      }))
      const removed = versions.flatMap(({ id, kind }) =>
        kind === 'removed' && isSet(id) ? [splitId(id).key] : [],
      )
      const changed = sets.filter(
        ({ set, digest }) => transactor.sets.summary(active, set)?.digest !== digest,
      )
      transactor.sets.putSummaries(generation, { sets: changed, removed })
      return generation
    })
  }

  putUser(row: Partial<UserRow> & { key: string }): void {
    const blank = {
      ...{ name: row.key, active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: [] },
    }
    this.write((transactor) => transactor.people.putUser({ ...blank, ...row }))
  }

  /** A generation with its slice. @throws AlmanacError `generation.not_found`. */
  snapshotAt(generation: number): EvaluationSnapshot {
    const view = this.read((reader) => reader.generations.view(generation))
    const known = this.#worlds.get(generation)
    if (known !== undefined) return known
    const world = snapshotOver(view.all(), generation)
    this.#worlds.set(generation, world)
    return world
  }

  snapshots(): OrgSnapshots {
    return {
      active: () => this.snapshotAt(this.read((reader) => reader.generations.active())),
      at: (generation) => this.snapshotAt(generation),
    }
  }

  /** Purges a generation and those before it. */
  forget(generation: number): void {
    this.write((transactor) => transactor.generations.purgeBefore(generation + 1))
  }

  read<T>(work: (reader: OrgReader) => T): T {
    return this.#store.read(work)
  }

  write<T>(work: (transactor: OrgTransactor) => T): T {
    return this.#store.write(work)
  }

  probe(): void {
    this.#store.probe()
  }

  verifyActive(): void {
    this.#store.verifyActive()
  }

  checkIntegrity(): ReturnType<OrgStore['checkIntegrity']> {
    return this.#store.checkIntegrity()
  }

  close(): void {
    this.#store.close()
  }
}

function* versionsBetween(before: MemoryView, after: MemoryView): Iterable<VersionWrite> {
  const old = digestsOf(before)
  for (const component of after.all()) {
    const id = idOf(component)
    const digest = componentDigest(component, nobleSha256)
    const known = old.get(id)
    old.delete(id)
    if (known === digest) continue
    yield {
      kind: known === undefined ? 'added' : 'changed',
      id,
      renamedFrom: null,
      component,
      digest,
      hints: {},
    }
  }
  for (const id of old.keys())
    yield { kind: 'removed', id, renamedFrom: null, component: null, digest: null, hints: {} }
}

function digestsOf(view: MemoryView): Map<ComponentId, string> {
  return new Map([...view.all()].map((each) => [idOf(each), componentDigest(each, nobleSha256)]))
}

function isSet(id: ComponentId): boolean {
  return id.startsWith('config_set/') || id.startsWith('feature_flag/')
}
