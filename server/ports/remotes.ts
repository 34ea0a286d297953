// Remote orgs in storage: their settings, listings and jobs.
import type { Component } from '#kernel/components/body-types.ts'
import type {
  RemoteColour,
  RemoteContact,
  RemoteJob,
  RemoteJobSummary,
  RemoteJobState,
  RemoteProofKind,
} from '#wire/remotes.ts'

/** Does not contain the secret, which is in custody under the remote's key. */
export interface RemoteRow {
  key: string
  name: string
  /** Origin of the server, `https://almanac.example.org`. */
  url: string
  colour: RemoteColour
  proof: {
    kind: RemoteProofKind
    principal: string | null
    custody: 'file' | 'keychain'
    expiresAt: string | null
  }
  /** Pinned at first contact; a different lineage is refused until a user pins it. */
  org: { name: string; environment: string; lineage: string }
  addedAt: string
  contact: RemoteContact
}

/** `seen`: the listing that comparisons use. `listed`: the most recent listing. */
export type ListingKind = 'seen' | 'listed'

/** `incoming`: its parts are still being written. */
export type StoredListingKind = ListingKind | 'incoming'

export interface ListingRow {
  remote: string
  which: StoredListingKind
  generation: number
  at: string
  /** Id of its parts; two kinds can share them. */
  listing: string
}

export interface RemoteJobRow {
  id: string
  remote: string
  state: RemoteJobState
  job: RemoteJob
  /** The state that it needs to resume after an interruption. */
  work: unknown
}

export interface RemoteReader {
  get(key: string): RemoteRow | undefined
  /** By key, ascending. */
  list(): RemoteRow[]
  listing(remote: string, which: ListingKind): ListingRow | undefined
  /** From index 0. A line for each component: its digest without the prefix, a space, its id. */
  listingPart(listing: string, place: number): string | undefined
  /** A listing without the id of its parts. */
  revision(remote: string, which: ListingKind): Pick<ListingRow, 'generation' | 'at'> | undefined
  /** A component's content by digest, from any local generation or fetched from a remote. */
  content(digest: string): Component | undefined
  hasContent(digest: string): boolean
  /** In order, after a digest. */
  fetchedDigests(after: string, limit: number): string[]
  job(id: string): RemoteJobRow | undefined
  /** Generations of a remote that its most recent completed jobs created, at most `limit` of them. */
  generationsMadeByJobs(remote: string, limit: number): ReadonlySet<number>
  /** The same as `jobs`, without plans and the state to resume, which can be megabytes. */
  jobSummaries(filter: {
    remote: string
    states: readonly RemoteJobState[]
    limit: number
  }): RemoteJobSummary[]
  /** Newest first; of every remote and in every state if omitted. */
  jobs(filter: { remote?: string; states?: readonly RemoteJobState[]; limit: number }): RemoteJobRow[]
}

export interface RemoteTransactor extends RemoteReader {
  put(row: RemoteRow): void
  /** Deletes its listings and jobs too. */
  delete(key: string): void
  putListing(row: ListingRow): void
  deleteListings(remote: string): void
  deleteIncomingListing(remote: string): void
  putListingPart(listing: string, place: number, lines: string): void
  /** Deletes one part that no listing uses; returns false if every part is used. */
  deleteOrphanedListingPart(): boolean
  putFetchedContent(digest: string, component: Component): void
  deleteFetchedContent(digest: string): void
  putJob(row: RemoteJobRow): void
}
