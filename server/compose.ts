// The only wiring: storage, clock, ids, access and pipeline become one org (architecture: The house).
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  actorSight,
  authorise,
  createAccess,
  directoryOf,
  effectiveAccess,
  type Access,
} from './access/index.ts'
import { createClientSecrets, type ClientSecrets } from './clients/index.ts'
import { workerRunner } from './compose-worker-runner.ts'
import { createEvaluation, type EvaluationEngine } from './evaluation/index.ts'
import {
  applyFirstGeneration,
  createOrg,
  inlineRunner,
  type AccessChecks,
  type Fault,
  type JobRunner,
  type Org,
  type PipelineParts,
} from './pipeline/index.ts'
import type { OrgStore } from './ports/org-store.ts'
import type { SigningKeys } from './ports/signing-keys.ts'
import { createSqliteStore, openSqliteStore } from './storage/sqlite/index.ts'
import { fileSigningKeys, systemClock, systemIds, systemRandom, systemSha256 } from './system/index.ts'

export interface OpenOptions {
  /** Applies and plans run in a worker thread beside the readers: for a server. */
  worker?: boolean
  /** For crash tests; only without a worker. */
  faults?: Fault
  /** How long a writer waits for another process; 5,000 ms where left out. */
  busyMs?: number
}

export interface InitOptions {
  name: string
  /** dev, test, prod or any other name. */
  environment: string
}

/** Bytes of slices that one generation may take (completions 4). */
const sliceBudget = 64 * 1024 * 1024

export function orgFile(dir: string): string {
  return join(dir, 'org.sqlite')
}

/** @throws AlmanacError org.not_found, org.newer_schema */
export function openOrg(dir: string, options: OpenOptions = {}): Org {
  const parts = partsOf(openSqliteStore(orgFile(dir), { busyMs: options.busyMs }), options.faults)
  return options.worker === true ? createOrg(parts, workerRunner(dir)) : createOrg(parts)
}

/** Applies and plans over a connection of their own, without readers: the inside of the worker. */
export function openJobs(dir: string): JobRunner {
  const store = openSqliteStore(orgFile(dir))
  const runner = inlineRunner(partsOf(store))
  return { ...runner, close: async () => store.close() }
}

/** Makes an org in a folder, which is made where it is missing, and opens it. @throws AlmanacError org.exists */
export function initOrg(dir: string, { name, environment }: InitOptions, options: OpenOptions = {}): Org {
  if (existsSync(orgFile(dir))) throw orgExists(dir)
  mkdirSync(dir, { recursive: true })
  // Made aside and then named, so that an org that was interrupted in its making is none.
  const aside = `${orgFile(dir)}.${process.pid}.new`
  for (const suffix of ['', '-wal', '-shm']) rmSync(aside + suffix, { force: true })
  const facts = { lineage: systemIds.uuid(), name, environment, createdAt: systemClock.now(), sliceBudget }
  const store = createSqliteStore(aside, facts)
  try {
    applyFirstGeneration(partsOf(store))
  } finally {
    store.close()
  }
  signingKeysOf(dir).publicKey()
  nameFile(aside, dir)
  return openOrg(dir, options)
}

/** The engines that stand on an open org. */
export interface Engines {
  org: Org
  access: Access
  clientSecrets: ClientSecrets
  evaluation: EvaluationEngine
}

/** @param dir folder of the org, where its signing key lies */
export function enginesOf(org: Org, dir: string): Engines {
  const { store, clock, ids, sha256 } = org
  const random = systemRandom
  const keys = signingKeysOf(dir)
  const worlds = { active: () => org.pin(), at: (generation: number) => org.pin(generation) }
  return {
    org,
    access: createAccess({ store, write: org.write, clock, random }),
    clientSecrets: createClientSecrets({ store, write: org.write, clock, random }),
    evaluation: createEvaluation({ store, write: org.write, worlds, clock, ids, keys, sha256 }),
  }
}

/** Made with the org; also at first use, for one that was made before there were keys. */
function signingKeysOf(dir: string): SigningKeys {
  return fileSigningKeys(join(dir, 'signing.key'), systemRandom)
}

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

function orgExists(dir: string): AlmanacError {
  return new AlmanacError('org.exists', `There is an org in ${dir} already. Choose another folder.`)
}

function partsOf(store: OrgStore, faults?: Fault): PipelineParts {
  return { store, clock: systemClock, ids: systemIds, sha256: systemSha256, access: accessChecks, faults }
}

const accessChecks: AccessChecks = {
  principals: directoryOf,
  sight: (reader, actor) => {
    const view = reader.view(reader.activeGeneration())
    return actorSight(effectiveAccess(reader, actor, view), view)
  },
  authorise: (reader, actor, changes, base, candidate) => {
    // Rights count as they are before the change list, so that nobody grants them to themselves.
    const view = reader.view(reader.activeGeneration())
    return authorise(effectiveAccess(reader, actor, view), changes, base, candidate)
  },
}
