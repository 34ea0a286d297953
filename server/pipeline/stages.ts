// The stages of an apply, in order, as data (docs/reference/pipeline-and-approvals.md). A fault hook is called at the
// start of each.

export const stages = [
  /** The change list is read: a directory, drafts, a request, an older generation. */
  'read',
  'candidate',
  'validate',
  'plan',
  'authorise',
  /** The write transaction is open and the base is still the active generation. */
  'begin',
  /** Half of the versions are written. */
  'write_versions',
  /** All versions are written; references and set facts follow. */
  'write_facts',
  /** Everything is written, nothing is committed. */
  'commit',
  /** Committed and durable; readers still have the generation before. */
  'flip',
  /** The caller can be informed. */
  'acknowledge',
] as const

export type Stage = (typeof stages)[number]

/** For crash tests: called at the start of each stage. */
export type FaultHook = (stage: Stage) => void
