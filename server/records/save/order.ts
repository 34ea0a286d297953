// The save order (docs/architecture.md): the phases of each kind of save, in their order.
import { adjust } from './adjust.ts'
import type { SaveNext } from './automation-run.ts'
import { clearReferences } from './clear-references.ts'
import { enterMarks } from './enter-marks.ts'
import { effectsPhase } from './effects.ts'
import { enterErased, enterValues, eraseInputs } from './enter-values.ts'
import { loadTo } from './load.ts'
import { recomputeReadersPhase, rollUpPhase, type SaveRelated } from './related-saves.ts'
import type { Phase, SaveItem } from './save.ts'
import { shape } from './shape.ts'
import { validate } from './validate.ts'
import { remove, write } from './write.ts'

export type SaveKind = SaveItem['op'] | 'related'

export interface SaveOrder {
  /** What computes and checks the record. */
  prepare: readonly Phase[]
  /** Whether the save ends here if nothing has changed, bindings included or not. */
  endsUnchanged: 'never' | 'by_values' | 'by_bindings'
  /** What writes it, and what follows from it. */
  commit: readonly Phase[]
}

export function saveOrders(
  saveRelated: SaveRelated,
  saveNext: SaveNext,
): Readonly<Record<SaveKind, SaveOrder>> {
  const [rollUp, recomputeReaders] = [rollUpPhase(saveRelated), recomputeReadersPhase(saveRelated)]
  const written = [write, rollUp, recomputeReaders, effectsPhase(saveNext)]
  const related: SaveOrder = {
    prepare: [loadTo('update'), shape],
    endsUnchanged: 'by_values',
    commit: [validate, ...written],
  }
  return {
    insert: {
      prepare: [enterValues, shape],
      endsUnchanged: 'never',
      commit: [validate, adjust, ...written],
    },
    update: {
      prepare: [loadTo('update'), enterValues, shape],
      endsUnchanged: 'never',
      commit: [validate, adjust, ...written],
    },
    recompute: {
      prepare: [loadTo('update'), shape],
      endsUnchanged: 'by_bindings',
      commit: [validate, ...written],
    },
    fill: {
      prepare: [loadTo('update'), clearReferences, shape],
      endsUnchanged: 'by_bindings',
      commit: [write, rollUp, recomputeReaders],
    },
    erase: {
      prepare: [loadTo('update'), enterErased, shape, eraseInputs],
      endsUnchanged: 'by_values',
      commit: [write, rollUp, recomputeReaders],
    },
    archive: { prepare: [loadTo('update'), enterMarks], endsUnchanged: 'never', commit: [write] },
    follow: related,
    related,
    delete: { prepare: [loadTo('delete')], endsUnchanged: 'never', commit: [remove, rollUp] },
  }
}
