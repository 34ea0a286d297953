// Reads again and again while a page is shown and visible: what operators watch changes all the time.
import { onBeforeUnmount } from 'vue'
import { useLive } from '../../stores/live.ts'

const everyMs = 3000

export function usePolling(read: () => unknown): void {
  const live = useLive()
  const timer = window.setInterval(() => {
    if (!document.hidden && live.state !== 'lost') void read()
  }, everyMs)
  const stop = live.onReconnect(() => void read())
  onBeforeUnmount(() => {
    window.clearInterval(timer)
    stop()
  })
}
