// The side of a page, for the names of its regions: with two sides, the same page can be on both.
import { inject, type ComputedRef, type InjectionKey } from 'vue'

/** Empty on the left and if there is only one side; otherwise `, right pane`. */
export const sideWords: InjectionKey<ComputedRef<string>> = Symbol('sideWords')
export const useSideWords = (): ComputedRef<string> | null => inject(sideWords, null)
