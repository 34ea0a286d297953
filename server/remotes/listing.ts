// The contents of a remote, by id and digest: listed page by page, stored in parts, read as one map.
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { createYielder } from '../pipeline/index.ts'
import type { ListingKind } from '../ports/remotes.ts'
import type { RemoteClient } from './client.ts'
import type { RemotesDeps } from './deps.ts'
import { remoteError } from './remote-error.ts'

export interface Listing {
  generation: number
  at: string
  digests: ReadonlyMap<ComponentId, Digest>
}

const digestPrefix = 'jcs1:sha256:'

/** Maximum number of pages in one listing: a valid listing ends. */
const maxPages = 10_000

/**
 * Lists everything that we can see of a remote's generation.
 * @throws AlmanacError class integration. The caller checks for conflict.lineage_changed.
 */
export async function fetchListing(
  client: RemoteClient,
  generation: number,
  at: string,
  progress: (done: number) => void,
): Promise<Listing> {
  const digests = new Map<ComponentId, Digest>()
  const breathe = createYielder()
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await client.digests(generation, cursor)
    if (answer.lineage !== client.row.org.lineage || answer.generation !== generation)
      throw remoteError(
        client.row,
        'integration.unreadable',
        'responded for an org or generation other than the requested one.',
      )
    for (const [id, digest] of Object.entries(answer.digests)) {
      digests.set(id as ComponentId, digest)
      await breathe()
    }
    progress(digests.size)
    if (answer.nextCursor === null) return { generation, at, digests }
    cursor = answer.nextCursor
  }
  throw remoteError(client.row, 'integration.too_large', 'returned a list of components that does not end.')
}

/** Components per part; each part is written separately. */
const partSize = 2000

/** Stores a listing part by part; it is valid once all of it is written. */
export async function saveListing(
  { write, ids }: Pick<RemotesDeps, 'write' | 'ids'>,
  remote: string,
  which: readonly ListingKind[],
  { generation, at, digests }: Listing,
): Promise<void> {
  const row = { remote, generation, at, listing: ids.uuid() }
  await write((transactor) => transactor.remotes.putListing({ ...row, which: 'incoming' }))
  const breathe = createYielder()
  let place = 0
  let lines: string[] = []
  const flush = async (): Promise<void> => {
    const text = lines.join('\n')
    lines = []
    await write((transactor) => transactor.remotes.putListingPart(row.listing, place++, text))
    await breathe()
  }
  for (const [id, digest] of digests) {
    lines.push(`${digest.slice(digestPrefix.length)} ${id}`)
    if (lines.length === partSize) await flush()
    else await breathe()
  }
  if (lines.length > 0) await flush()
  await write((transactor) => {
    for (const each of which) transactor.remotes.putListing({ ...row, which: each })
    transactor.remotes.deleteIncomingListing(remote)
  })
  await deleteOrphanedParts({ write })
}

/** Parts of listings that were replaced. */
export async function deleteOrphanedParts({ write }: Pick<RemotesDeps, 'write'>): Promise<void> {
  while (await write((transactor) => transactor.remotes.deleteOrphanedListingPart())) continue
}

/** Undefined if the remote was never listed. */
export async function readListing(
  { store }: Pick<RemotesDeps, 'store'>,
  remote: string,
  which: ListingKind,
): Promise<Listing | undefined> {
  for (;;) {
    const row = store.read((reader) => reader.remotes.listing(remote, which))
    if (row === undefined) return undefined
    const digests = await readParts(store, row.listing)
    // The listing may have been replaced during the read, and its parts deleted.
    const now = store.read((reader) => reader.remotes.listing(remote, which))
    if (now?.listing === row.listing) return { generation: row.generation, at: row.at, digests }
  }
}

async function readParts(
  store: RemotesDeps['store'],
  listing: string,
): Promise<ReadonlyMap<ComponentId, Digest>> {
  const digests = new Map<ComponentId, Digest>()
  const breathe = createYielder()
  for (let place = 0; ; place += 1) {
    const lines = store.read((reader) => reader.remotes.listingPart(listing, place))
    if (lines === undefined) return digests
    for (let from = 0; from < lines.length;) {
      const found = lines.indexOf('\n', from)
      const end = found < 0 ? lines.length : found
      const line = lines.slice(from, end)
      const space = line.indexOf(' ')
      digests.set(line.slice(space + 1) as ComponentId, `${digestPrefix}${line.slice(0, space)}` as Digest)
      from = end + 1
      await breathe()
    }
  }
}
