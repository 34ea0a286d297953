// Reads records again when they change: by this window, by other users, or while the connection was lost.
import { onScopeDispose, watch } from 'vue'
import { useLive } from '../../stores/live.ts'
import { createSharedRead } from '../../stores/shared-read.ts'
import { useRecordChanges } from './record-changes.ts'

/**
 * @param object the key of the object whose records are shown
 * @param read never overlaps itself; also called for changes of this window
 */
export function useLiveRecords(object: () => string, read: () => Promise<void>): void {
  const live = useLive()
  const changes = useRecordChanges()
  /** A page that nobody sees reads when it is shown again. */
  let isOutdated = false
  const readOnce = createSharedRead(read)
  const readIfSeen = (): void => {
    isOutdated = document.hidden
    if (!isOutdated) void readOnce()
  }
  const seen = new AbortController()
  document.addEventListener(
    'visibilitychange',
    () => {
      if (isOutdated) readIfSeen()
    },
    { signal: seen.signal },
  )
  watch(() => changes.at, readIfSeen)
  const stops = [
    live.on('records', (event) => {
      if (event.object === object()) readIfSeen()
    }),
    live.onReconnect(readIfSeen),
    () => seen.abort(),
  ]
  onScopeDispose(() => stops.forEach((stop) => stop()))
}
