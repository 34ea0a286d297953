// The targets, ordered by how easy a fault is to understand.
import { engineTarget } from './engine-target.ts'
import { httpTarget } from './http-target.ts'
import { kernelTarget } from './kernel-target.ts'
import type { SpecTarget } from './target.ts'

export const targets: readonly SpecTarget[] = [kernelTarget, engineTarget, httpTarget]
