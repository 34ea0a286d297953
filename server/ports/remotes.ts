// Remote orgs as this org remembers them: what they are, what was listed of them, what was done with them (completions 4).
import type { Component } from '#kernel/components/body-types.ts'
import type {
  RemoteColour,
  RemoteContact,
  RemoteJob,
  RemoteJobBrief,
  RemoteJobState,
  RemoteProofKind,
} from '#kernel/remotes/wire.ts'

/** Never a secret: that is in custody, under the remote's key. */
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
  /** Pinned at first contact; another lineage is refused until a person pins it anew. */
  org: { name: string; environment: string; lineage: string }
  addedAt: string
  contact: RemoteContact
}

/** `seen`: what comparisons stand on. `listed`: what was there at the last look. */
export type ListingKind = 'seen' | 'listed'

/** `incoming`: its parts are still being written. */
export type KeptListingKind = ListingKind | 'incoming'

export interface ListingRow {
  remote: string
  which: KeptListingKind
  generation: number
  at: string
  /** Names its parts; two kinds may have the same. */
  listing: string
}

export interface RemoteJobRow {
  id: string
  remote: string
  state: RemoteJobState
  job: RemoteJob
  /** What it needs to go on where it was interrupted. */
  work: unknown
}

export interface RemoteReads {
  remote(key: string): RemoteRow | undefined
  /** By key, ascending. */
  remotes(): RemoteRow[]
  remoteListing(remote: string, which: ListingKind): ListingRow | undefined
  /** From place 0. A line for each component: its digest without the prefix of the recipe, a space, its id. */
  listingPart(listing: string, place: number): string | undefined
  /** The same without the name of its parts. */
  remoteMoment(remote: string, which: ListingKind): Pick<ListingRow, 'generation' | 'at'> | undefined
  /** A component's content by digest: of any generation that is held here, or fetched from a remote. */
  contentOf(digest: string): Component | undefined
  hasContent(digest: string): boolean
  /** In order, after one. */
  fetchedDigests(after: string, limit: number): string[]
  remoteJob(id: string): RemoteJobRow | undefined
  /** Generations of a remote that its last done jobs made, at most `limit` of them. */
  generationsMadeThere(remote: string, limit: number): ReadonlySet<number>
  /** The same as `remoteJobs`, without plans and what they need to go on, which may be megabytes. */
  remoteJobBriefs(filter: {
    remote: string
    states: readonly RemoteJobState[]
    limit: number
  }): RemoteJobBrief[]
  /** Newest first; of every remote where none is named, in every state where none is. */
  remoteJobs(filter: { remote?: string; states?: readonly RemoteJobState[]; limit: number }): RemoteJobRow[]
}

export interface RemoteWrites {
  putRemote(row: RemoteRow): void
  /** With its listings and jobs. */
  deleteRemote(key: string): void
  putRemoteListing(row: ListingRow): void
  deleteRemoteListings(remote: string): void
  deleteIncomingListing(remote: string): void
  putListingPart(listing: string, place: number, lines: string): void
  /** Deletes a part that no listing has any more; false if there is none. */
  deleteLooseListingPart(): boolean
  putFetchedContent(digest: string, component: Component): void
  deleteFetchedContent(digest: string): void
  putRemoteJob(row: RemoteJobRow): void
}
