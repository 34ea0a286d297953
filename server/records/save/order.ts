// The save order (docs/architecture.md): the phases of each kind of save, in their order.
import { adjust } from './adjust.ts'
import { effectsPhase, type SaveNext } from './effects.ts'
import { enterValues } from './enter-values.ts'
import { loadTo } from './load.ts'
import { recomputeReadersPhase, rollUpPhase, type SaveRelated } from './related-saves.ts'
import type { Phase, SaveItem } from './save.ts'
import { shape } from './shape.ts'
import { validate } from './validate.ts'
import { remove, write } from './write.ts'

export type SaveKind = SaveItem['op'] | 'related'

export interface SaveOrder {
  /** What computes and checks the record. A save of a related record that changes nothing ends here. */
  prepare: readonly Phase[]
  /** What writes it, and what follows from it. */
  commit: readonly Phase[]
}

export function saveOrders(
  saveRelated: SaveRelated,
  saveNext: SaveNext,
): Readonly<Record<SaveKind, SaveOrder>> {
  const [rollUp, recomputeReaders] = [rollUpPhase(saveRelated), recomputeReadersPhase(saveRelated)]
  const written = [write, rollUp, recomputeReaders, effectsPhase(saveNext)]
  return {
    insert: { prepare: [enterValues, shape], commit: [validate, adjust, ...written] },
    update: { prepare: [loadTo('update'), enterValues, shape], commit: [validate, adjust, ...written] },
    related: { prepare: [loadTo('update'), shape], commit: [validate, ...written] },
    delete: { prepare: [loadTo('delete')], commit: [remove, rollUp] },
  }
}
