// What both threads open of the records of an org, and how they read the org.
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import { effectiveAccess, recordAccess, type EffectiveAccess } from '../access/index.ts'
import type { Org } from '../pipeline/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { RecordStore } from '../ports/record-store.ts'
import {
  createRecordSnapshots,
  type AccessOf,
  type EraseDeps,
  type ObjectHistory,
  type RecordSnapshots,
} from '../records/index.ts'
import { openRecordStore } from '../storage/sqlite/index.ts'
import { withPrivateUmask } from '../system/index.ts'
import { orgFile } from './org-folder.ts'
import { rowsThread } from './rows-thread.ts'
import type { Threads } from './threads.ts'

export type OrgParts = Pick<Org, 'store' | 'clock' | 'ids' | 'pin' | 'position'>

export interface OpenOptions {
  /** How long a writer waits for a different process, in milliseconds. */
  busyMs?: number | undefined
}

interface RecordParts {
  store(): RecordStore
  deps(): EraseDeps
  close(): Promise<void>
}

interface PartsOptions extends OpenOptions {
  /** Starts a thread that writes what saves of many records have computed; omitted without one. */
  threads?: Threads
}

export function openParts(dir: string, org: OrgParts, { threads, busyMs }: PartsOptions = {}): RecordParts {
  let opened: RecordStore | null = null
  const file = orgFile(dir)
  const writingThread = threads === undefined ? undefined : rowsThread(threads, file, busyMs)
  const store = (): RecordStore =>
    (opened ??= withPrivateUmask(() => openRecordStore(file, { busyMs, writingThread })))
  let known: EraseDeps | null = null
  return {
    store,
    deps: () => {
      const { clock, ids } = org
      return (known ??= {
        ...{ store: store(), snapshots: snapshotsOf(org), clock, ids, accessOf: accessOf(org) },
        ...objectHistory(org),
      })
    },
    close: async () => opened?.close(),
  }
}

export function objectHistory({ store }: Pick<OrgParts, 'store'>): ObjectHistory {
  const identityOf = (object: ObjectId): ComponentIdentity => object as unknown as ComponentIdentity
  return {
    versionsOf: (object) => store.read(({ identities }) => identities.objectVersions(identityOf(object))),
    keysOf: (object) => store.read(({ identities }) => identities.keysOf(identityOf(object))),
  }
}

export function snapshotsOf({ store, pin }: OrgParts): RecordSnapshots {
  const at = (generation?: number): EvaluationSnapshot => pin(generation)
  return createRecordSnapshots(store, { active: () => at(), at })
}

/** Rights are read again once anything was written to the org. */
export function accessOf(org: OrgParts): AccessOf {
  const snapshots = snapshotsOf(org)
  let position = -1
  const known = new Map<string, EffectiveAccess>()
  return (user, generation, scopePath) => {
    const snapshot = snapshots.at(generation)
    if (org.position() !== position) known.clear()
    position = org.position()
    const place = `${generation} ${user}`
    let access = known.get(place)
    if (access === undefined) {
      access = org.store.read((reader) => effectiveAccess(reader, user, snapshot.view))
      known.set(place, access)
    }
    return recordAccess(access, { snapshot, scopePath })
  }
}
