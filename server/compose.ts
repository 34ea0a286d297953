// The only wiring: storage, clock, ids, access and pipeline become one org.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  viewerFor,
  authorise,
  createAccess,
  directoryOf,
  effectiveAccess,
  followAssignments,
  lockoutFindings,
  type Access,
  type SessionLimits,
} from './access/index.ts'
import { signingKeySetting, signingKeyText } from './check/index.ts'
import { createClientSecrets, followClients, type ClientSecrets } from './clients/index.ts'
import { workerRunner, type Jobs } from './compose-worker-runner.ts'
import {
  createEvaluation,
  evidenceOf,
  type EvaluationEngine,
  type EvidenceBuilder,
} from './evaluation/index.ts'
import {
  applyFirstGeneration,
  createOrg,
  inlineRunner,
  snapshotAt,
  type AccessChecks,
  type FaultHook,
  type Org,
  type PipelineDeps,
  type SliceLoader,
  type WriteRunner,
} from './pipeline/index.ts'
import type { Clock } from './ports/clock.ts'
import type { OrgStore } from './ports/org-store.ts'
import type { CustodyChannel } from './ports/secret-custody.ts'
import type { SigningKeys } from './ports/signing-keys.ts'
import { makeFolder } from './files/index.ts'
import { importCompanionWriters, moveImportRecords } from './import/index.ts'
import { createRemotes, defaultRemoteOptions, type Remotes, type RemoteOptions } from './remotes/index.ts'
import { createApprovalPolicy, createChangeRequests, type ChangeRequests } from './requests/index.ts'
import { copySqliteFile, createSqliteStore, openSqliteStore } from './storage/sqlite/index.ts'
import {
  addressRule,
  fileCustody,
  fileSigningKeys,
  limitGcPauses,
  restrictPermissions,
  orgClock,
  parentCustody,
  withPrivateUmask,
  systemClock,
  systemIds,
  systemRandom,
  systemSha256,
  timeRecordingStore,
  undiciOutbound,
} from './system/index.ts'

export interface OpenOptions {
  /** Applies and plans run in a worker thread next to the readers: for a server. */
  worker?: boolean
  /** For crash tests; only without a worker. */
  faultHook?: FaultHook
  /** How long a writer waits for a different process; if omitted, 5,000 ms. */
  busyMs?: number
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

export function orgFile(dir: string): string {
  return join(dir, 'org.sqlite')
}

export interface OpenedOrg extends Org {
  /** The folder of the org. */
  readonly dir: string
  readonly buildEvidence: EvidenceBuilder
}

/** @throws AlmanacError org.not_found, org.newer_schema */
export function openOrg(dir: string, options: OpenOptions = {}): OpenedOrg {
  const parts = depsOf(openPrivately(dir, { busyMs: options.busyMs }), options)
  if (options.worker !== true)
    return {
      ...createOrg(parts, inlineRunner(parts), options.writeQueue),
      dir,
      buildEvidence: evidenceIn(dir, parts.store),
    }
  limitGcPauses()
  const jobs = workerRunner(dir)
  return { ...createOrg(parts, jobs), dir, buildEvidence: jobs.buildEvidence }
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
  const at = (generation: number): EvaluationSnapshot => snapshotAt(store, generation)
  return async (result) => evidenceOf({ store, snapshotAt: at, keys, sha256: systemSha256 }, result)
}

/** The parts of the pipeline, over a separate connection: for long reads. The caller closes its store. */
export function openDeps(dir: string): PipelineDeps {
  return depsOf(openPrivately(dir))
}

/** Copies the file of an org, also while it is in use. */
export async function copyOrgFile(dir: string, target: string): Promise<void> {
  if (!existsSync(orgFile(dir)))
    throw new AlmanacError('org.not_found', `No org was found in ${dir}. Check the path of --org.`)
  await copySqliteFile(orgFile(dir), orgFile(target))
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

/** The engines over an open org. */
export interface Engines {
  org: Org
  access: Access
  clientSecrets: ClientSecrets
  evaluation: EvaluationEngine
  requests: ChangeRequests
  remotes: Remotes
}

export interface EngineOptions {
  /** The channel to the process with the keychain; without it, secrets are files in the org's folder. */
  custody?: CustodyChannel
  /** The addresses that remotes may have; if omitted, any, as for a user of this machine. */
  reach?: { isOwnMachine: boolean; allowed: readonly string[] }
  /** How long sessions of the one-time link last. */
  linkLimits?: SessionLimits | undefined
  /** Timeouts and retries for remotes. */
  terms?: Partial<RemoteOptions>
  /** Receives unexpected errors of a job. */
  onError?: (error: unknown) => void
}

export function enginesOf(org: OpenedOrg, options: EngineOptions = {}): Engines {
  const { store, clock, ids, sha256, buildEvidence } = org
  const random = systemRandom
  const outbound = undiciOutbound(addressRule(options.reach ?? { isOwnMachine: true, allowed: [] }))
  const snapshots = { active: () => org.pin(), at: (generation: number) => org.pin(generation) }
  return {
    org,
    access: createAccess({ store, write: org.write, clock, ids, random, linkLimits: options.linkLimits }),
    clientSecrets: createClientSecrets({ store, write: org.write, clock, random }),
    evaluation: createEvaluation({
      store,
      write: org.write,
      snapshots,
      clock,
      ids,
      buildEvidence,
      sha256,
    }),
    requests: createChangeRequests({ store, write: org.write, org, clock, ids }),
    remotes: createRemotes({
      ...{ store, write: org.write, org, clock, ids, sha256, outbound },
      loadViewer: accessChecks.viewer,
      custody:
        options.custody === undefined
          ? fileCustody(join(org.dir, 'secrets'))
          : parentCustody(options.custody),
      options: { ...defaultRemoteOptions, ...options.terms },
      ...(options.onError === undefined ? {} : { onError: options.onError }),
    }),
  }
}

/** Created with the org; also on first use, for an org from before keys existed. */
function signingKeysOf(dir: string): SigningKeys {
  return fileSigningKeys(keyFile(dir), systemRandom)
}

/** The org's signing key. */
export const keyFile = (dir: string): string => join(dir, 'signing.key')

function nameFile(aside: string, dir: string): void {
  try {
    linkSync(aside, orgFile(dir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw orgExists(dir)
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
  const folder = openSync(dir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** @throws AlmanacError org.exists */
export function requireNoOrg(dir: string): void {
  if (existsSync(orgFile(dir))) throw orgExists(dir)
}

/** Moves a closed org to a folder without one; its file last. @throws AlmanacError org.exists */
export function moveOrg(from: string, dir: string): void {
  for (const name of readdirSync(from)) {
    const path = join(dir, name)
    if (name === basename(orgFile(from))) continue
    // Another process is creating an org there with a different key.
    if (existsSync(path) && !readFileSync(path).equals(readFileSync(join(from, name)))) throw orgExists(dir)
    renameSync(join(from, name), path)
  }
  nameFile(orgFile(from), dir)
}

function orgExists(dir: string): AlmanacError {
  return new AlmanacError('org.exists', `An org already exists in ${dir}. Choose a different folder.`)
}

function depsOf(
  opened: OrgStore,
  { faultHook, clock: machine = systemClock }: OpenOptions = {},
): PipelineDeps {
  const clock = orgClock({ machine, store: opened, elapsed: () => performance.now() })
  const store = timeRecordingStore(opened, clock)
  const gate = createApprovalPolicy({ clock, random: systemRandom, sha256: systemSha256 })
  return {
    ...{ store, clock, ids: systemIds, sha256: systemSha256 },
    ...{ access: accessChecks, approvalPolicy: gate, followers, faultHook },
    companionWriters: importCompanionWriters(accessChecks.viewer),
  }
}

const followers = [followAssignments, followClients, moveImportRecords]

const accessChecks: AccessChecks = {
  principals: directoryOf,
  viewer: (reader, actor) => {
    const generation = reader.generations.active()
    const view = reader.generations.view(generation)
    return viewerFor(effectiveAccess(reader, actor, view), { generation, view })
  },
  authorise: (reader, actor, changes, base, candidate) => {
    // Uses the rights from before the change list, so that users cannot grant rights to themselves.
    const view = reader.generations.view(reader.generations.active())
    return authorise(effectiveAccess(reader, actor, view), changes, base, candidate)
  },
  lockoutFindings,
}
