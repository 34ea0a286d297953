// What the tables of the specification run against: the kernel, the engine in this process, the engine over HTTP.
import type { Finding } from '#kernel/errors/finding.ts'

export interface SpecRequest {
  components?: readonly unknown[]
  removals?: readonly string[]
  /** A user of the org; `admin` if omitted. */
  actor?: string
  base?: number
  changeDigest?: string
  rationale?: string
}

export type SpecOutcome =
  | { ok: true; generation: number; findings: Finding[] }
  | { ok: false; code: string; message: string; details: unknown[] }

export interface SpecOrg {
  apply(request: SpecRequest): Promise<SpecOutcome>
  /** The digest of the change list, to be passed to an apply. */
  plan(request: SpecRequest): Promise<string>
  addUser(key: string, permissionSets: readonly string[]): Promise<void>
  activeGeneration(): Promise<number>
  close(): Promise<void>
}

export interface SpecTarget {
  name: string
  /** `kernel`: checks change lists and has no generations, plans or users. */
  reach: 'kernel' | 'engine'
  /** A new org with the user `admin`, who holds the permission set `administrator`. */
  start(): Promise<SpecOrg>
}
