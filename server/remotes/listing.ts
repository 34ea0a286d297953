// What a remote holds, by id and digest: listed page by page, kept as one text, read as one map (completions 4).
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { breather } from '../pipeline/index.ts'
import type { ListingKind, ListingRow } from '../ports/remotes.ts'
import type { RemoteClient } from './client.ts'
import { remoteError } from './remote-error.ts'

export interface Listing {
  generation: number
  at: string
  digests: ReadonlyMap<ComponentId, Digest>
}

const recipe = 'jcs1:sha256:'

/** Pages that one listing takes at most: a remote that never ends is none of ours. */
const mostPages = 10_000

/**
 * Everything that we may see of a remote's generation.
 * @throws AlmanacError conflict.lineage_changed is the caller's to check; class integration.
 */
export async function fetchListing(
  client: RemoteClient,
  generation: number,
  at: string,
  progress: (done: number) => void,
): Promise<Listing> {
  const digests = new Map<ComponentId, Digest>()
  const breathe = breather()
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await client.digests(generation, cursor)
    if (answer.lineage !== client.row.org.lineage || answer.generation !== generation)
      throw remoteError(
        client.row,
        'integration.unreadable',
        'answered for another org or generation than it was asked for.',
      )
    for (const [id, digest] of Object.entries(answer.digests)) {
      digests.set(id as ComponentId, digest)
      await breathe()
    }
    progress(digests.size)
    if (answer.nextCursor === null) return { generation, at, digests }
    cursor = answer.nextCursor
  }
  throw remoteError(client.row, 'integration.too_large', 'lists components without end.')
}

export async function listingRow(remote: string, which: ListingKind, listing: Listing): Promise<ListingRow> {
  const breathe = breather()
  const lines: string[] = []
  for (const [id, digest] of listing.digests) {
    lines.push(`${digest.slice(recipe.length)} ${id}`)
    await breathe()
  }
  return { remote, which, generation: listing.generation, at: listing.at, listing: lines.join('\n') }
}

export async function readListing({ generation, at, listing }: ListingRow): Promise<Listing> {
  const digests = new Map<ComponentId, Digest>()
  const breathe = breather()
  for (let from = 0; from < listing.length;) {
    const end = listing.indexOf('\n', from)
    const line = listing.slice(from, end < 0 ? undefined : end)
    const space = line.indexOf(' ')
    digests.set(line.slice(space + 1) as ComponentId, `${recipe}${line.slice(0, space)}` as Digest)
    if (end < 0) break
    from = end + 1
    await breathe()
  }
  return { generation, at, digests }
}
