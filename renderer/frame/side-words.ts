// Where a page stands, for the names of its regions: with two sides, the same page may be on both.
import { inject, type ComputedRef, type InjectionKey } from 'vue'

/** Empty on the left and where there is one side; otherwise `, right side`. */
export const sideWords: InjectionKey<ComputedRef<string>> = Symbol('sideWords')
export const useSideWords = (): ComputedRef<string> | null => inject(sideWords, null)
