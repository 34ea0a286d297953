// Lets the overview next to the list scroll the list to one of its groups.
import { onBeforeUnmount } from 'vue'

const listeners = new Set<(group: string) => void>()

/** Scrolls a group into sight in every list that shows it. */
export function jumpTo(group: string): void {
  for (const listener of listeners) listener(group)
}

/** Listens while the component is mounted. */
export function useJump(listener: (group: string) => void): void {
  listeners.add(listener)
  onBeforeUnmount(() => listeners.delete(listener))
}
