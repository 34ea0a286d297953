// Activate: gives readers the generation that was written, and informs the listeners.
import type { SnapshotCache } from '../snapshot-cache.ts'
import type { Stage } from './stage.ts'

export interface Activation {
  generation: number
}

interface Needs {
  snapshots: SnapshotCache
  listeners: ReadonlySet<(activation: Activation) => void>
}

export interface ActivateResult {
  /** Resolves once readers have the generation. */
  activated: Promise<void>
}

export const activate: Stage<'activate', Needs, ActivateResult> = {
  name: 'activate',
  run: ({ snapshots, listeners }) => ({ activated: activateNewest(snapshots, listeners) }),
}

async function activateNewest(snapshots: SnapshotCache, listeners: Needs['listeners']): Promise<void> {
  if (!(await snapshots.activate())) return
  for (const listener of [...listeners]) listener({ generation: snapshots.active().generation })
}
