// The stages of an apply as data: each stage is a file beside this one (docs/architecture.md).
import { activate } from './activate.ts'
import { admit } from './admit.ts'
import { authorise } from './authorise.ts'
import { load } from './load.ts'
import { merge } from './merge.ts'
import { partition } from './partition.ts'
import { plan } from './plan.ts'
import { validate } from './validate.ts'
import { write } from './write.ts'

/** The stages that check a change list, in one read. A plan, an impact and a change request end here. */
export const checkStages = [load, partition, merge, validate, authorise, plan] as const

/** All stages of an apply. `admit` and `write` run in the transaction, `activate` after its commit. */
export const applyStages = [...checkStages, admit, write, activate] as const

export { activate, type Activation } from './activate.ts'
export { admit, deployError, requireReviewedDigest } from './admit.ts'
export { faultPoints, type FaultHook, type FaultPoint } from './names.ts'
export type { StageInput } from './load.ts'
export { runStages, type After } from './stage.ts'
export { write, type WriteInput } from './write.ts'
