// The steps of edits in grids of records, by object: they can be undone after the grid has shown other pages.
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { UndoStack } from '../../component/sheet/undo-stack.ts'
import type { TypedCell } from './cell-saver.ts'

/** By field of one record. A value gets its stored form once it is saved. */
export type StepCells = Record<string, TypedCell>

export const useGridSteps = defineStore('grid-steps', () => {
  const stacks = new Map<string, UndoStack<StepCells>>()
  /** Grows with every step, because the stacks are not reactive. */
  const changes = ref(0)

  function of(object: string): UndoStack<StepCells> {
    const stack = stacks.get(object) ?? new UndoStack<StepCells>()
    stacks.set(object, stack)
    return stack
  }
  return { of, changes, note: (): void => void (changes.value += 1) }
})
