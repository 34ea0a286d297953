// The first steps of every job: contact the remote, list its contents, store the list.
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { createYielder } from '../pipeline/index.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import { recordContact, contactRemote, type ContactResult } from './contact.ts'
import { deleteUnlistedContents, fetchContents } from './contents.ts'
import { generationsSince, ownGenerationFilter } from './history.ts'
import type { JobRun } from './job-run.ts'
import { deleteOrphanedParts, fetchListing, saveListing, readListing, type Listing } from './listing.ts'
import type { RemotesDeps } from './deps.ts'

export interface RefreshedListing {
  reached: ContactResult
  listed: Listing
}

/** Lists the remote as it is now. The first list also becomes its last seen state. */
export async function refreshListing(deps: RemotesDeps, run: JobRun): Promise<RefreshedListing> {
  const { client, clientWithoutRetries, remote } = run
  run.reportStep('contact')
  const reached = await recordContact(deps, remote.key, contactRemote(deps, clientWithoutRetries))
  run.reportStep('list', 0, null)
  const { generation } = reached.contact
  const listed = await fetchListing(client, generation, deps.clock.now(), (done) =>
    run.reportStep('list', done, null),
  )
  const isFirst = deps.store.read((reader) => reader.remotes.revision(remote.key, 'seen')) === undefined
  await saveListing(deps, remote.key, isFirst ? ['listed', 'seen'] : ['listed'], listed)
  return { reached, listed }
}

/** Fetches every listed content that is not stored here, and makes the list the last seen state. */
export async function retrieveContents(deps: RemotesDeps, run: JobRun): Promise<void> {
  const { listed } = await refreshListing(deps, run)
  const wanted = [...listed.digests].map(([id, digest]) => ({ id, digest }))
  const fetched = await fetchContents(deps, run.client, listed.generation, wanted, (done, total) =>
    run.reportStep('fetch', done, total),
  )
  run.reportStep('finish')
  await acknowledgeListing(deps, run.remote.key)
  await deleteUnusedContents(deps)
  run.job.outcome = { generation: listed.generation, changes: 0, fetched }
}

/** Makes the current list the last seen state; returns its generation, null if nothing was listed. */
export async function acknowledgeListing({ write }: RemotesDeps, key: string): Promise<number | null> {
  return write((transactor) => {
    const row = transactor.remotes.listing(key, 'listed')
    if (row === undefined) return null
    transactor.remotes.putListing({ ...row, which: 'seen' })
    const remote = transactor.remotes.get(key)
    if (remote?.contact.state === 'reached' && remote.contact.generation === row.generation)
      transactor.remotes.put({ ...remote, contact: { ...remote.contact, moved: 0 } })
    return row.generation
  })
}

/**
 * Updates the last seen state of what was done there from here; changes by others stay as last seen.
 * @param touched returns what the job did
 */
export async function advanceLastSeen(
  deps: RemotesDeps,
  run: JobRun,
  before: Listing,
  now: Listing,
  touched: Iterable<string>,
): Promise<void> {
  const seen = (await readListing(deps, run.remote.key, 'seen')) ?? before
  const breathe = createYielder()
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
  const ours = ownGenerationFilter(deps, run.remote.key)
  const since = await generationsSince(run.client, seen.generation)
  const alone = since.every((each) => ours(each) || each.generation === run.job.outcome?.generation)
  const moment = alone
    ? { generation: now.generation, at: now.at }
    : { generation: seen.generation, at: seen.at }
  await saveListing(deps, run.remote.key, ['seen'], { ...moment, digests })
}

/** Contents of other listings stay. */
export async function deleteUnusedContents(deps: RemotesDeps): Promise<void> {
  const { store } = deps
  const keys = store.read((reader) => reader.remotes.list()).map(({ key }: RemoteRow) => key)
  const usedDigests = new Set<string>()
  const breathe = createYielder()
  for (const key of keys)
    for (const which of ['seen', 'listed'] as const) {
      const listing = await readListing(deps, key, which)
      for (const digest of listing?.digests.values() ?? []) {
        usedDigests.add(digest)
        await breathe()
      }
    }
  await deleteUnlistedContents(deps, usedDigests)
  await deleteOrphanedParts(deps)
}
