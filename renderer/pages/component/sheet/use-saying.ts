// What the foot of a sheet says of what was done last.
import { shallowRef } from 'vue'

/** What was done last, as the foot tells it. */
export interface Said {
  words: string
  /** Offers to take it back. */
  undo: string | null
  wrong: boolean
  /** Answers to a question that the words ask. */
  choices: readonly Choice[]
}

export interface Choice {
  label: string
  choose: () => void
}

export type Saying = ReturnType<typeof useSaying>

export function useSaying() {
  const said = shallowRef<Said | null>(null)
  function say(
    words: string,
    undo: string | null = null,
    wrong = false,
    choices: readonly Choice[] = [],
  ): void {
    said.value = { words, undo, wrong, choices }
  }
  return { said, say }
}
