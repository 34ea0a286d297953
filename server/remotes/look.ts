// The first steps of every job: contact the remote, list its contents, store the list.
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { breather } from '../pipeline/index.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import { noteContact, reach, type Reached } from './contact.ts'
import { dropUnlisted, fetchContents } from './contents.ts'
import { generationsSince, oursOver } from './history.ts'
import type { JobRun } from './job-run.ts'
import { dropLooseParts, fetchListing, keepListing, readListing, type Listing } from './listing.ts'
import type { RemotesParts } from './parts.ts'

export interface Looked {
  reached: Reached
  listed: Listing
}

/** Lists the remote as it is now. The first list also becomes its last seen state. */
export async function look(parts: RemotesParts, run: JobRun): Promise<Looked> {
  const { client, hasty, remote } = run
  run.at('contact')
  const reached = await noteContact(parts, remote.key, reach(parts, hasty))
  run.at('list', 0, null)
  const { generation } = reached.contact
  const listed = await fetchListing(client, generation, parts.clock.now(), (done) =>
    run.at('list', done, null),
  )
  const isFirst = parts.store.read((reader) => reader.remoteMoment(remote.key, 'seen')) === undefined
  await keepListing(parts, remote.key, isFirst ? ['listed', 'seen'] : ['listed'], listed)
  return { reached, listed }
}

/** Fetches every listed content that is not stored here, and makes the list the last seen state. */
export async function retrieve(parts: RemotesParts, run: JobRun): Promise<void> {
  const { listed } = await look(parts, run)
  const wanted = [...listed.digests].map(([id, digest]) => ({ id, digest }))
  const fetched = await fetchContents(parts, run.client, listed.generation, wanted, (done, total) =>
    run.at('fetch', done, total),
  )
  run.at('finish')
  await acknowledge(parts, run.remote.key)
  await dropOthers(parts)
  run.job.outcome = { generation: listed.generation, changes: 0, fetched }
}

/** Makes the current list the last seen state; returns its generation, null if nothing was listed. */
export async function acknowledge({ write }: RemotesParts, key: string): Promise<number | null> {
  return write((transactor) => {
    const row = transactor.remoteListing(key, 'listed')
    if (row === undefined) return null
    transactor.putRemoteListing({ ...row, which: 'seen' })
    const remote = transactor.remote(key)
    if (remote?.contact.state === 'reached' && remote.contact.generation === row.generation)
      transactor.putRemote({ ...remote, contact: { ...remote.contact, moved: 0 } })
    return row.generation
  })
}

/**
 * Updates the last seen state of what was done there from here; changes by others stay as last seen.
 * @param touched returns what the job did
 */
export async function advanceSeen(
  parts: RemotesParts,
  run: JobRun,
  before: Listing,
  now: Listing,
  touched: Iterable<string>,
): Promise<void> {
  const seen = (await readListing(parts, run.remote.key, 'seen')) ?? before
  const breathe = breather()
  const digests = new Map<ComponentId, Digest>()
  for (const [id, digest] of seen.digests) {
    digests.set(id, digest)
    await breathe()
  }
  for (const id of touched as Iterable<never>) {
    const digest = now.digests.get(id)
    if (digest === undefined) digests.delete(id)
    else digests.set(id, digest)
    await breathe()
  }
  const ours = oursOver(parts, run.remote.key)
  const since = await generationsSince(run.client, seen.generation)
  const alone = since.every((each) => ours(each) || each.generation === run.job.outcome?.generation)
  const moment = alone
    ? { generation: now.generation, at: now.at }
    : { generation: seen.generation, at: seen.at }
  await keepListing(parts, run.remote.key, ['seen'], { ...moment, digests })
}

/** Contents of other listings stay. */
export async function dropOthers(parts: RemotesParts): Promise<void> {
  const { store } = parts
  const keys = store.read((reader) => reader.remotes()).map(({ key }: RemoteRow) => key)
  const kept = new Set<string>()
  const breathe = breather()
  for (const key of keys)
    for (const which of ['seen', 'listed'] as const) {
      const listing = await readListing(parts, key, which)
      for (const digest of listing?.digests.values() ?? []) {
        kept.add(digest)
        await breathe()
      }
    }
  await dropUnlisted(parts, kept)
  await dropLooseParts(parts)
}
