// The targets, in the order in which a fault is easiest to understand.
import { engineTarget } from './engine-target.ts'
import { httpTarget } from './http-target.ts'
import { kernelTarget } from './kernel-target.ts'
import type { SpecTarget } from './target.ts'

export const targets: readonly SpecTarget[] = [kernelTarget, engineTarget, httpTarget]
