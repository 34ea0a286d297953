// Generations in storage: their rows, what each changed, and the view of the components of one.
import type { Digest } from '#kernel/change/digest.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ApplyHints, ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import type { GenerationRow } from '#wire/index.ts'
import type { ComponentIdentity } from './identities.ts'

/** A generation as stored; a viewer can be shown less. */
export interface StoredGeneration extends GenerationRow {
  changeDigest: string
}

export interface GenerationChanges {
  /** Components that it changed, except entries. */
  definitions: ComponentId[]
  /** Sets and flags whose definition or entries it changed. */
  sets: string[]
}

/** One change to one component. Its audit row, with before and after, is derived from it. */
export interface VersionWrite {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: ComponentId
  /** The previous id, if the component is renamed. */
  renamedFrom: ComponentId | null
  /** The identity of an added component that existed before, as in a rollback; if omitted, it gets a new one. */
  identity?: ComponentIdentity | undefined
  /** Null if the component is removed. */
  component: Component | null
  digest: Digest | null
  hints: ApplyHints
}

/** All outgoing edges of one component from now on; for an entry, without the edge to its set. */
export interface ReferenceWrite {
  from: ComponentId
  edges: readonly GraphReference[]
}

export interface GenerationWrite {
  row: Omit<StoredGeneration, 'generation'>
  /** Read once, in order, so a hundred thousand need not be in memory. */
  versions: Iterable<VersionWrite>
  /** Contains only components whose edges differ from the previous generation. */
  references: Iterable<ReferenceWrite>
  /** The older generation whose fields of objects a rollback or a revert brings back; null otherwise. */
  restoresFrom?: number | null
}

export interface GenerationReader {
  /** The number of the active generation. */
  active(): number
  get(generation: number): StoredGeneration | undefined
  /** Newest first. */
  list(options?: { before?: number; limit?: number }): StoredGeneration[]
  /**
   * Reads components on demand. A generation never changes, so the view can be used after the read.
   * @throws AlmanacError generation.not_found
   */
  view(generation: number): ComponentView
  /** What each of the generations changed. */
  changesOf(generations: readonly number[]): Map<number, GenerationChanges>
  /** Generations that changed an entry of this key, or the definition of its set or flag; newest first. */
  ofKey(set: string, businessKey: string | null): number[]
}

export interface GenerationTransactor extends GenerationReader {
  /** Writes versions, generation row and audit rows, and activates the generation. Returns its number. */
  write(write: GenerationWrite): number
  /** Deletes versions and generation rows older than `generation` that nothing binds. Throws deploy.history_bound. */
  purgeBefore(generation: number): { generations: number; versions: number }
}
