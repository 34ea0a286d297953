// The overview beside the list asks the list for one of its groups.
import { onBeforeUnmount } from 'vue'

const listeners = new Set<(group: string) => void>()

/** Brings a group into sight wherever the list is shown. */
export function jumpTo(group: string): void {
  for (const listener of listeners) listener(group)
}

/** Listens while the component is there. */
export function useJump(listener: (group: string) => void): void {
  listeners.add(listener)
  onBeforeUnmount(() => listeners.delete(listener))
}
