// The message in the foot of a sheet about the last action.
import { shallowRef } from 'vue'

/** The message about the last action. */
export interface StatusMessage {
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

export type SheetStatus = ReturnType<typeof useSheetStatus>

export function useSheetStatus() {
  const status = shallowRef<StatusMessage | null>(null)
  function setStatus(
    words: string,
    undo: string | null = null,
    wrong = false,
    choices: readonly Choice[] = [],
  ): void {
    status.value = { words, undo, wrong, choices }
  }
  return { status, setStatus }
}
