// Opens and creates orgs: the store, the pipeline over it, and where applies run.
import { existsSync, rmSync } from 'node:fs'
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import { requireSigningKey, signingKeySetting, signingKeyText } from '../check/index.ts'
import { evidenceOf, type EvidenceBuilder } from '../evaluation/index.ts'
import { makeFolder } from '../files/index.ts'
import {
  applyFirstGeneration,
  createOrg,
  inlineRunner,
  snapshotAt,
  type FaultHook,
  type Org,
  type PipelineDeps,
  type SliceLoader,
  type WriteRunner,
} from '../pipeline/index.ts'
import type { Clock, OrgClock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import { createSqliteStore, openSqliteStore } from '../storage/sqlite/index.ts'
import {
  limitGcPauses,
  restrictPermissions,
  systemClock,
  systemIds,
  systemSha256,
  withPrivateUmask,
} from '../system/index.ts'
import { openRecords, openRecordsWithWorker, type OpenedRecords } from './open-records.ts'
import { nameFile, orgFile, requireNoOrg, signingKeysOf } from './org-folder.ts'
import { depsOf } from './pipeline-deps.ts'
import { newThreads, type Threads } from './threads.ts'
import { workerRunner, type Jobs } from './worker-runner.ts'

export interface OpenOptions {
  /** Applies and plans run in a worker thread next to the readers: for a server. */
  worker?: boolean
  /** Where its thread comes from; if omitted, it is a new one. */
  threads?: Threads
  /** For crash tests; only without a worker. */
  faultHook?: FaultHook
  /** How long a writer waits for a different process; if omitted, 5,000 ms. An apply in a worker always waits that long. */
  busyMs?: number | undefined
  /** For tests; only without a worker. */
  clock?: Clock
  /** What writers wait for; only without a worker. */
  writeQueue?: WriteRunner
}

export interface InitOptions {
  name: string
  /** dev, test, prod or any other name. */
  environment: string
}

/** Bytes of slices that one generation may take. */
const sliceBudget = 64 * 1024 * 1024

export interface OpenedOrg extends Org {
  /** The folder of the org. */
  readonly dir: string
  readonly clock: OrgClock
  /** For what others have signed, whose clocks do not follow the org's if that is ahead. */
  readonly machineClock: Clock
  readonly buildEvidence: EvidenceBuilder
  readonly records: OpenedRecords
}

/** @throws AlmanacError org.not_found, org.newer_schema */
export function openOrg(dir: string, options: OpenOptions = {}): OpenedOrg {
  if (options.worker === true) limitGcPauses()
  const parts = depsOf(openPrivately(dir, { busyMs: options.busyMs }), options)
  const { clock: machineClock = systemClock } = options
  if (options.worker !== true) {
    const org = createOrg(parts, inlineRunner(parts), options.writeQueue)
    return withRecords(org, openRecords(dir, org, options), {
      ...{ dir, clock: parts.clock, machineClock },
      buildEvidence: evidenceIn(dir, parts.store),
    })
  }
  const { threads = newThreads } = options
  const jobs = workerRunner(dir, threads)
  const org = createOrg(parts, jobs)
  return withRecords(org, openRecordsWithWorker(dir, org, threads, options), {
    ...{ dir, clock: parts.clock, machineClock },
    buildEvidence: jobs.buildEvidence,
  })
}

function withRecords(
  org: Org,
  records: OpenedRecords,
  rest: Pick<OpenedOrg, 'dir' | 'clock' | 'machineClock' | 'buildEvidence'>,
): OpenedOrg {
  const close = async (): Promise<void> => {
    await records.close()
    await org.close()
  }
  return { ...org, ...rest, records, close }
}

/** Applies and plans over a separate connection, without readers: used inside the worker. */
export function openJobs(dir: string): Jobs {
  const store = openPrivately(dir)
  const runner = inlineRunner(depsOf(store))
  const slice: SliceLoader = async (generation, set) => snapshotAt(store, generation).sets.get(set)
  return {
    ...runner,
    loadSlice: slice,
    buildEvidence: evidenceIn(dir, store),
    close: async () => store.close(),
  }
}

function evidenceIn(dir: string, store: OrgStore): EvidenceBuilder {
  const keys = signingKeysOf(dir)
  const at = lastOf((generation): EvaluationSnapshot => snapshotAt(store, generation))
  const digestsAt = lastOf((generation) => store.read(({ components }) => components.digests(generation)))
  return async (result) => {
    requireSigningKey(store, keys)
    return evidenceOf({ store, snapshotAt: at, digestsAt, keys, sha256: systemSha256 }, result)
  }
}

/** A job makes evidence of one generation many times. The result is kept until its memory is needed. */
function lastOf<T extends object>(make: (generation: number) => T): (generation: number) => T {
  let last: { generation: number; made: WeakRef<T> } | null = null
  return (generation) => {
    const known = last?.generation === generation ? last.made.deref() : undefined
    if (known !== undefined) return known
    const made = make(generation)
    last = { generation, made: new WeakRef(made) }
    return made
  }
}

/** The parts of the pipeline, over a separate connection: for long reads. The caller closes its store. */
export function openDeps(dir: string): PipelineDeps {
  return depsOf(openPrivately(dir))
}

/** Creates an org in a folder, creating the folder if needed, and opens it. @throws AlmanacError org.exists */
export function initOrg(
  dir: string,
  { name, environment }: InitOptions,
  options: OpenOptions = {},
): OpenedOrg {
  requireNoOrg(dir)
  makeFolder(dir, 0o700)
  // Created under a temporary name and then renamed, so that an interrupted creation leaves no org.
  const aside = `${orgFile(dir)}.${process.pid}.new`
  for (const suffix of ['', '-wal', '-shm']) rmSync(aside + suffix, { force: true })
  const { clock = systemClock } = options
  const facts = { lineage: systemIds.uuid(), name, environment, createdAt: clock.now(), sliceBudget }
  try {
    withPrivateUmask(() => {
      const store = createSqliteStore(aside, facts)
      try {
        applyFirstGeneration(depsOf(store, { clock }))
        const key = signingKeyText(signingKeysOf(dir))
        store.write((transactor) => transactor.settings.put(signingKeySetting, key))
      } finally {
        store.close()
      }
    })
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(aside + suffix, { force: true })
    throw error
  }
  nameFile(aside, dir)
  return openOrg(dir, options)
}

/** Every connection is opened here: files that other users of the machine could read are first made private. */
function openPrivately(dir: string, options: { busyMs?: number | undefined } = {}): OrgStore {
  if (existsSync(orgFile(dir))) restrictPermissions(dir)
  return withPrivateUmask(() => openSqliteStore(orgFile(dir), options))
}
