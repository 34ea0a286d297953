// The message in the foot of a sheet about the last action.
import { shallowRef } from 'vue'

/** The message about the last action. */
export interface Said {
  words: string
  /** The step that the message offers to undo. */
  undo: string | null
  wrong: boolean
  /** The choices for a question in the message. */
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
