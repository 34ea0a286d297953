// Viewer-dependent scopes resolve per request, remembered by (generation, user) (specification 2.7.10).
import type { ScopePath } from '../components/scopes.ts'
import { viewerDependent } from '../components/scopes.ts'
import { resolveFast } from './resolve.ts'
import type { GenerationSlice } from './slice.ts'
import type { SetSlice, SliceRow } from './slice-types.ts'

/** True where reading this set depends on who asks. */
export function isViewerDependent(set: SetSlice): boolean {
  return set.chain.some((kind) => viewerDependent[kind])
}

/** What one person sees of one generation; rows found once are kept for as long as the view is. */
export class Viewer {
  readonly slice: GenerationSlice
  readonly path: ScopePath
  readonly #rows = new Map<string, SliceRow | null>()

  constructor(slice: GenerationSlice, path: ScopePath) {
    this.slice = slice
    this.path = path
  }

  /** The row for a key (`''` for a singleton or flag) on a day; null where there is none. */
  row(set: SetSlice, key: string, day: number): SliceRow | null {
    if (!isViewerDependent(set)) return resolveFast(set, key, this.path, day)
    const at = `${set.set}\n${set.dated ? day : ''}\n${key}`
    const known = this.#rows.get(at)
    if (known !== undefined) return known
    const row = resolveFast(set, key, this.path, day)
    this.#rows.set(at, row)
    return row
  }
}

/** A bounded store of viewers; the longest unused goes first. */
export class Viewers {
  readonly #byKey = new Map<string, Viewer>()
  readonly #limit: number

  constructor(limit = 1000) {
    this.#limit = limit
  }

  of(slice: GenerationSlice, path: ScopePath): Viewer {
    const key = `${slice.generation}\n${JSON.stringify([path.user, path.permission_set, path.locale, path.app, path.environment])}`
    const known = this.#byKey.get(key)
    this.#byKey.delete(key)
    const viewer = known?.slice === slice ? known : new Viewer(slice, path)
    this.#byKey.set(key, viewer)
    if (this.#byKey.size > this.#limit) this.#byKey.delete(this.#byKey.keys().next().value!)
    return viewer
  }
}
