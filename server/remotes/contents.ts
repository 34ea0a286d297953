// Fetches contents of a remote by digest: stored contents are never fetched again, and each received content is
// verified.
import { appendAll } from '#kernel/append-all.ts'
import { componentDigest, type Digest, type Sha256 } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { createYielder } from '../pipeline/index.ts'
import type { RemoteClient } from './client.ts'
import type { Listing } from './listing.ts'
import type { RemotesDeps } from './deps.ts'
import { remoteError } from './remote-error.ts'

export interface WantedContent {
  id: ComponentId
  digest: Digest
}

/** The digests that a listing has for these. */
export function wantedOf(ids: readonly ComponentId[], { digests }: Listing): WantedContent[] {
  return ids.flatMap((id) => {
    const digest = digests.get(id)
    return digest === undefined ? [] : [{ id, digest }]
  })
}

/** Number of components that are requested at once. */
const batch = 500

/**
 * Fetches and stores those that are not stored here. Returns the number fetched. What the remote no longer has under
 * that generation is omitted. @throws AlmanacError class integration.
 */
export async function fetchContents(
  { store, write, sha256 }: Pick<RemotesDeps, 'store' | 'write' | 'sha256'>,
  client: RemoteClient,
  generation: number,
  contents: readonly WantedContent[],
  progress: (done: number, total: number) => void = () => {},
): Promise<number> {
  const breathe = createYielder()
  const missing: WantedContent[] = []
  for (let from = 0; from < contents.length; from += batch) {
    const some = contents.slice(from, from + batch)
    appendAll(
      missing,
      store.read((reader) => some.filter(({ digest }) => !reader.remotes.hasContent(digest))),
    )
    await breathe()
  }
  let fetched = 0
  progress(0, missing.length)
  for (let from = 0; from < missing.length; from += batch) {
    const chunk = missing.slice(from, from + batch)
    const digestsById = new Map(chunk.map(({ id, digest }) => [id, digest]))
    const { components } = await client.contents(generation, [...digestsById.keys()])
    const held: [Digest, Component][] = []
    for (const { id, digest, component } of components) {
      if (digestsById.get(id) === digest)
        held.push([digest, validateContent(client, id, digest, component, sha256)])
      await breathe()
    }
    await write((transactor) => {
      for (const [digest, component] of held) transactor.remotes.putFetchedContent(digest, component)
    })
    fetched += held.length
    progress(Math.min(from + batch, missing.length), missing.length)
  }
  return fetched
}

/** Requires a component under its own name with its own digest, in a form that this Almanac understands. */
function validateContent(
  { row }: RemoteClient,
  id: ComponentId,
  digest: Digest,
  json: unknown,
  sha256: Sha256,
): Component {
  const { component } = parseComponent(json, id)
  if (component === null)
    throw remoteError(
      row,
      'integration.other_version',
      `has ${id} in a format that this version of Almanac does not understand. Update both sides to the same version.`,
    )
  if (idOf(component) !== id || componentDigest(json as Component, sha256) !== digest)
    throw remoteError(
      row,
      'integration.unreadable',
      `returned content for ${id} that does not match its listing. Compare again; if the error persists, do not trust it.`,
    )
  return json as Component
}

/** Deletes contents that are no longer in any listing. */
export async function deleteUnlistedContents(
  { store, write }: Pick<RemotesDeps, 'store' | 'write'>,
  listed: ReadonlySet<string>,
): Promise<void> {
  const breathe = createYielder()
  for (let after = ''; ;) {
    const page = store.read((reader) => reader.remotes.fetchedDigests(after, 1000))
    const gone = page.filter((digest) => !listed.has(digest))
    if (gone.length > 0)
      await write((transactor) => {
        for (const digest of gone) transactor.remotes.deleteFetchedContent(digest)
      })
    if (page.length === 0) return
    after = page.at(-1)!
    await breathe()
  }
}
