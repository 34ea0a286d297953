// An open org: the generations that readers use, and the operations that change it
// (docs/reference/pipeline-and-approvals.md).
import type { Sha256 } from '#kernel/change/index.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import type { Viewer } from '../access/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { GenerationKind } from '#wire/index.ts'
import type { OrgProperties } from '../ports/org-properties.ts'
import { carriedDescription } from './carried-description.ts'
import { descriptionPathOf, fileText, pathOf } from './directory-layout.ts'
import { createDraftOperations, type DraftOperations } from './draft-operations.ts'
import { inlineRunner } from './inline-runner.ts'
import { GraphCache } from './org-graph.ts'
import type { PipelineDeps } from './deps.ts'
import type {
  ApplyOutcome,
  ApplyRequest,
  ChangeSource,
  JobRunner,
  PlanOutcome,
  ChangeRequestTerms,
} from './request.ts'
import { narrowView, viewerAt } from './id-visibility.ts'
import { WriteQueue, type WriteRunner } from './write-queue.ts'
import { activate, type Activation } from './stages/index.ts'
import { SnapshotCache, type Snapshot } from './snapshot-cache.ts'
import { writeDirectory, type RetrieveOutcome } from './write-directory.ts'

export interface RetrievedFile {
  path: string
  text: string
}

export interface RetrieveOptions {
  /** If omitted, the active one. */
  generation?: number | undefined
  /** What the viewer can see; if omitted or null, everything is written. */
  viewer?: Viewer | null
  progress?: (done: number) => void
}

export interface Org extends DraftOperations {
  readonly store: OrgStore
  readonly clock: Clock
  readonly ids: IdGenerator
  readonly sha256: Sha256
  facts(): OrgProperties
  /** See `OrgStore.position`. */
  position(): number
  /** The generation that readers get. */
  activeGeneration(): number
  /** Pins a generation for reading; if omitted, the active one. @throws AlmanacError generation.not_found */
  pin(generation?: number): Snapshot
  /** Resolves once a set of a generation can be read quickly. */
  load(snapshot: Snapshot, set: string): Promise<void>
  /** The reference graph of the active generation. */
  graph(): ReferenceGraph
  /**
   * Gives readers what another process activated, and returns the position that they have at least: at once, by one read
   * of one number, unless a generation was activated since.
   */
  refresh(): number | Promise<number>
  /** Builds all slices now and at each activation, in pieces; used by a server. */
  materialise(): Promise<void>
  /** Returns candidate, findings, plan and denials; writes nothing. */
  plan(request: ApplyRequest): Promise<PlanOutcome>
  /**
   * Reads everything that the active generation serves. @throws AlmanacError storage.damaged naming the first component
   * that was altered
   */
  verify(): Promise<void>
  /** Resolves once the generation is durable and readers have it. */
  apply(request: ApplyRequest, kind?: GenerationKind, companion?: CompanionWrite): Promise<ApplyOutcome>
  /** Checks a change list and saves it as a change request that waits for approvals. */
  submit(request: ApplyRequest, terms: ChangeRequestTerms): Promise<PlanOutcome>
  /** Applies an older generation's content like any other change list. */
  rollback(generation: number, request: Omit<ApplyRequest, 'source'>): Promise<ApplyOutcome>
  /** All component files of a generation, ordered by type and key. */
  files(generation?: number): Iterable<RetrievedFile>
  /** Writes the files of a generation below `dir`, as far as the viewer can see them. */
  retrieve(dir: string, options?: RetrieveOptions): RetrieveOutcome
  /** Writes runtime state; waits for a running write without blocking readers. */
  write<T>(work: (transactor: OrgTransactor) => T): Promise<T>
  /** Writers of other threads wait here together with those of this one. */
  readonly writeQueue: WriteRunner
  /**
   * Called when an apply has its turn, which waits for the listener before it writes. The listener does not reject.
   * Returns a function that removes it.
   */
  onApplyTurn(listener: () => Promise<void>): () => void
  /** Called after each activation. Returns a function that removes the listener. */
  onActivation(listener: (activation: Activation) => void): () => void
  close(): Promise<void>
}

/**
 * @param runner where applies and plans run; in this thread if omitted
 * @param writeQueue where writers wait; a new one if omitted
 */
export function createOrg(
  deps: PipelineDeps,
  runner: JobRunner = inlineRunner(deps),
  writeQueue: WriteRunner = new WriteQueue(),
): Org {
  const { store, clock, ids, sha256 } = deps
  const snapshots = new SnapshotCache(store, runner.loadSlice)
  const graphs = new GraphCache()
  const listeners = new Set<(activation: Activation) => void>()
  const turnListeners = new Set<() => Promise<void>>()

  let applying = 0
  let following: Promise<void> | null = null
  /** The position at which readers had the active generation. */
  let followed = -1

  const isBehind = (): boolean =>
    store.read((reader) => reader.generations.active()) !== snapshots.active().generation
  /** Concurrent callers share one build, and each generation is reported once. */
  const follow = async (): Promise<void> => {
    while (isBehind())
      await (following ??= activate.run({ snapshots, listeners }).activated.finally(() => {
        following = null
      }))
  }
  /** The turn of an apply: its write, and until readers have the generation. */
  const applyTurn: WriteRunner = {
    run: (work) =>
      writeQueue.run(async () => {
        applying += 1
        try {
          for (const listener of turnListeners) await listener()
          const result = await work()
          deps.faultHook?.(activate.name)
          await follow()
          return result
        } finally {
          applying -= 1
        }
      }),
  }
  const runApply = async (
    request: ApplyRequest,
    kind: GenerationKind,
    companion?: CompanionWrite,
  ): Promise<ApplyOutcome> => {
    const outcome = await runner.commit(applyTurn, request, kind, companion)
    deps.faultHook?.('acknowledge')
    return outcome
  }
  const write = <T>(work: (transactor: OrgTransactor) => T): Promise<T> =>
    writeQueue.run(() => store.write(work))

  return {
    store,
    clock,
    ids,
    sha256,
    facts: () => store.read((reader) => reader.properties.get()),
    position: () => store.position(),
    activeGeneration: () => snapshots.active().generation,
    pin: (generation) => (generation === undefined ? snapshots.active() : snapshots.at(generation)),
    load: (snapshot, set) => snapshots.load(snapshot, set),
    graph: () => store.read((reader) => graphs.at(reader, snapshots.active().generation)),
    // Our own apply is acknowledged only after readers have it, so there is nothing to wait for here.
    refresh: () => {
      const position = store.position()
      if (applying > 0 || position === followed) return position
      const followedAt = (): number => (followed = position)
      return isBehind() ? follow().then(followedAt) : followedAt()
    },
    materialise: () => snapshots.materialise(),
    plan: (request) => runner.plan(request),
    verify: () => runner.verify(),
    apply: (request, kind = kindOf(request.source), companion) => runApply(request, kind, companion),
    submit: (request, terms) => runner.submit(writeQueue, request, terms),
    rollback: (generation, request) =>
      runApply({ ...request, source: { kind: 'generation', generation } }, 'rollback'),
    files: (generation) => filesOf(store, snapshots, generation),
    retrieve: (dir, { generation = snapshots.active().generation, viewer = null, progress } = {}) =>
      store.read((reader) => {
        const view = narrowView(reader.generations.view(generation), viewerAt(reader, viewer, generation))
        return writeDirectory(reader, { generation, view }, dir, progress)
      }),
    ...createDraftOperations({ clock, ids, sha256, companionWriters: deps.companionWriters, write }),
    write,
    writeQueue,
    onApplyTurn: (listener) => {
      turnListeners.add(listener)
      return () => void turnListeners.delete(listener)
    },
    onActivation: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      // Its jobs may still need a turn.
      await runner.close()
      await writeQueue.run(() => store.close())
    },
  }
}

function kindOf({ kind }: ChangeSource): GenerationKind {
  return kind === 'generation' ? 'rollback' : kind === 'revert' ? 'revert' : 'apply'
}

function* filesOf(
  store: OrgStore,
  snapshots: SnapshotCache,
  generation: number | undefined,
): Iterable<RetrievedFile> {
  const { view } = generation === undefined ? snapshots.active() : snapshots.at(generation)
  for (const component of view.all()) {
    yield { path: pathOf(component.type, component.key), text: fileText(component) }
    const text = store.read((reader) => carriedDescription(reader, component))
    if (text !== null) yield { path: descriptionPathOf(component.key), text }
  }
}
