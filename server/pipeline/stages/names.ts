// The names of the stages of an apply, in order, and the fault points that crash tests stop at.

export const stageNames = [
  /** Reads the change list: components, a directory, drafts, an older generation, a change request. */
  'load',
  /** Separates what the author can see from what they cannot. */
  'partition',
  /** Merges the list over the active generation, and builds the candidate. */
  'merge',
  /** Checks the candidate against all rules. */
  'validate',
  /** Compares what each change needs with the rights of the author. */
  'authorise',
  /** Computes digests, counts and the slice budget, and collects all findings. */
  'plan',
  /** Refuses a list with faults, or one that requires approvals. */
  'admit',
  /** Writes versions, generation and audit in one transaction. */
  'write',
  /** Gives the new generation to readers. */
  'activate',
] as const

export type StageName = (typeof stageNames)[number]

/** All points at which a crash is tested, in order: the stages, and the steps of the write. */
export const faultPoints = [
  ...stageNames.slice(0, stageNames.indexOf('activate')),
  /** Half of the versions are written. */
  'write_versions',
  /** All versions are written; references and set summaries follow. */
  'write_facts',
  /** Everything is written, nothing is committed. */
  'commit',
  /** Committed and durable; readers still have the generation before. */
  'activate',
  /** The caller can be informed. */
  'acknowledge',
] as const

export type FaultPoint = (typeof faultPoints)[number]

/** For crash tests: called when a point is reached. */
export type FaultHook = (point: FaultPoint) => void
