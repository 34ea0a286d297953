// Reads again when a bulk job has advanced: at most twice a second, because a job reports each of its batches.
import { onBeforeUnmount } from 'vue'
import { useLive } from '../../../stores/live.ts'

const restMs = 500

/** @param isShown whether a job is shown, by its id */
export function useIngestEvents(isShown: (id: string) => boolean, read: () => unknown): void {
  const live = useLive()
  let timer: number | undefined
  const stops = [
    live.on('ingest', ({ id }) => {
      if (!isShown(id)) return
      timer ??= window.setTimeout(() => {
        timer = undefined
        void read()
      }, restMs)
    }),
    live.onReconnect(() => void read()),
  ]
  onBeforeUnmount(() => {
    window.clearTimeout(timer)
    for (const stop of stops) stop()
  })
}
