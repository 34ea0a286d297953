// What the foot of a sheet says of what was done last.
import { shallowRef } from 'vue'

/** What was done last, as the foot tells it. */
export interface Said {
  words: string
  /** Offers to take it back. */
  undo: string | null
  wrong: boolean
}

export type Saying = ReturnType<typeof useSaying>

export function useSaying() {
  const said = shallowRef<Said | null>(null)
  function say(words: string, undo: string | null = null, wrong = false): void {
    said.value = { words, undo, wrong }
  }
  return { said, say }
}
