// A comparison that is read page by page: states from digests alone, words and values only for the shown rows.
import { OverlayView } from '#kernel/change/overlay-view.ts'
import type { Digest } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type {
  ComparedChange,
  CompareRow,
  CompareState,
  Comparison,
  LocalSource,
  RemoteProblem,
} from '#wire/remotes.ts'
import type { Actor } from '../access/index.ts'
import { createYielder } from '../pipeline/index.ts'
import type { ListingKind, RemoteRow } from '../ports/remotes.ts'
import type { RemoteClient } from './client.ts'
import {
  compare,
  hasDrifted,
  hasLocalChange,
  type ComponentComparison,
  type ComparisonResult,
} from './compare.ts'
import { comparedChange } from './compared-change.ts'
import { fetchContents, type WantedContent } from './contents.ts'
import { readListing, type Listing } from './listing.ts'
import { localStateFingerprint, loadLocalState, type LocalState } from './local-state.ts'
import type { RemotesDeps } from './deps.ts'
import { problemOf } from './remote-error.ts'

export interface ComparisonQuery {
  local: LocalSource
  states?: readonly CompareState[] | undefined
  type?: string | undefined
  /** Text that is part of the id. */
  text?: string | undefined
  drift?: boolean | undefined
  after: ComponentId | null
  limit: number
}

export interface ComparisonData {
  local: LocalState
  seen: Listing
  listed: Listing
  all: ComparisonResult
}

export interface ComparisonService {
  /** @throws AlmanacError `remote.job_state` if the remote was never listed. */
  loadListing(remote: string, which: ListingKind): Promise<Listing>
  /** @throws AlmanacError `remote.job_state` if the remote was never listed. */
  loadComparison(by: Actor, remote: string, source: LocalSource): Promise<ComparisonData>
  loadPage(
    by: Actor,
    client: RemoteClient,
    ask: ComparisonQuery,
  ): Promise<Omit<Comparison, 'nextCursor'> & { next: string | null }>
}

/** Comparisons that are cached, so that the next page does not compare everything again. */
const maxCachedComparisons = 1

export function createComparisonService(deps: RemotesDeps): ComparisonService {
  const { store } = deps
  const cache: { mark: string; comparison: ComparisonData }[] = []

  const listingOf = async (remote: string, which: ListingKind): Promise<Listing> => {
    const listing = await readListing(deps, remote, which)
    if (listing !== undefined) return listing
    throw new AlmanacError(
      'remote.job_state',
      `The remote ${remote} has not been listed yet. Compare with it first.`,
    )
  }
  const loadComparison = async (by: Actor, remote: string, source: LocalSource): Promise<ComparisonData> => {
    const breathe = createYielder()
    const moments = store.read((reader) => [
      reader.remotes.revision(remote, 'seen'),
      reader.remotes.revision(remote, 'listed'),
    ])
    const mark = JSON.stringify([remote, localStateFingerprint(deps, by, source), moments])
    const found = cache.find((each) => each.mark === mark)
    if (found !== undefined) return found.comparison
    await breathe()
    const local = await loadLocalState(deps, by, source)
    const [seen, listed] = [await listingOf(remote, 'seen'), await listingOf(remote, 'listed')]
    const comparison = { local, seen, listed, all: await compare(local, seen, listed) }
    cache.unshift({ mark, comparison })
    cache.length = Math.min(cache.length, maxCachedComparisons)
    return comparison
  }

  return {
    loadListing: listingOf,
    loadComparison,
    loadPage: async (by, client, ask) => {
      const { local, seen, listed, all } = await loadComparison(by, client.row.key, ask.local)
      const breathe = createYielder()
      const rows: ComponentComparison[] = []
      for (const row of all.rows) {
        if (matchesQuery(row, ask)) rows.push(row)
        await breathe()
      }
      const from = ask.after === null ? 0 : rows.findIndex(({ id }) => id === ask.after) + 1
      const page = rows.slice(from, from + ask.limit)
      const problem = await fetchShown(deps, client, page, seen.generation, listed.generation)
      const view = new OverlayView(local.view)
      const pageRows: CompareRow[] = []
      for (const row of page) {
        pageRows.push(rowOf(deps, row, local, view))
        await breathe()
      }
      return {
        remote: client.row.key,
        local: { source: local.source, generation: local.generation, unread: local.unread },
        seen: { generation: seen.generation, at: seen.at },
        listed: { generation: listed.generation, at: listed.at },
        counts: all.counts,
        drift: all.drift,
        rows: pageRows,
        total: rows.length,
        next: from + ask.limit < rows.length ? page.at(-1)!.id : null,
        problem,
      }
    },
  }
}

function matchesQuery(row: ComponentComparison, { states, type, text, drift }: ComparisonQuery): boolean {
  return (
    (states === undefined || states.includes(row.state)) &&
    (type === undefined || row.id.startsWith(`${type}/`)) &&
    (text === undefined || row.id.includes(text)) &&
    (drift !== true || hasDrifted(row))
  )
}

/** Fetches what the shown rows need and is not stored here; the result contains why some of it is unavailable. */
async function fetchShown(
  deps: RemotesDeps,
  client: RemoteClient,
  rows: readonly ComponentComparison[],
  seenAt: number,
  listedAt: number,
): Promise<RemoteProblem | null> {
  const contentsOf = (of: 'seen' | 'listed'): WantedContent[] =>
    rows.flatMap((row) => {
      const needed = of === 'listed' ? row.state !== 'same' : hasDrifted(row)
      const digest = row[of]
      return needed && digest !== null ? [{ id: row.id, digest }] : []
    })
  try {
    await fetchContents(deps, client, listedAt, contentsOf('listed'))
    await fetchContents(deps, client, seenAt, contentsOf('seen'))
    return null
  } catch (error) {
    return problemOf(error, client.row.key)
  }
}

function rowOf(
  { store }: RemotesDeps,
  row: ComponentComparison,
  local: LocalState,
  view: OverlayView,
): CompareRow {
  const { id, state } = row
  const { type, key } = splitId(id)
  const heldOf = (digest: Digest | null): Component | null =>
    digest === null ? null : (store.read((reader) => reader.remotes.content(digest)) ?? null)
  const here = (local.view.get(type, key) as Component | undefined) ?? null
  const [remoteComponent, before] = [heldOf(row.listed), hasDrifted(row) ? heldOf(row.seen) : null]
  /** Null as well if the content is not stored here, because half of a change would look like a whole one. */
  const between = (
    [left, leftDigest]: readonly [Component | null, Digest | null],
    [right, rightDigest]: readonly [Component | null, Digest | null],
  ): ComparedChange | null => {
    const whole = (left === null) === (leftDigest === null) && (right === null) === (rightDigest === null)
    return whole ? comparedChange(left, right, view) : null
  }
  return {
    id,
    type,
    key,
    ...(type === 'config_entry' ? { set: key.slice(0, key.indexOf('.')) } : {}),
    state,
    drift: hasDrifted(row),
    moved: hasLocalChange(row),
    draft: local.drafts.has(id),
    push: state === 'same' ? null : between([remoteComponent, row.listed], [here, row.local]),
    theirs: hasDrifted(row) ? between([before, row.seen], [remoteComponent, row.listed]) : null,
  }
}

/** Returns the row of a remote, or throws an error that names it. @throws AlmanacError `remote.not_found`. */
export function requireRemote(deps: Pick<RemotesDeps, 'store'>, key: string): RemoteRow {
  const row = deps.store.read((reader) => reader.remotes.get(key))
  if (row !== undefined) return row
  throw new AlmanacError(
    'remote.not_found',
    `The remote "${key}" does not exist. Use "almanac remote list" to list the remotes.`,
  )
}
