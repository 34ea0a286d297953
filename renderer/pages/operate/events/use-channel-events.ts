// The events of a channel around a point, live at the newest end: while the list is held, newer ones are only counted.
import { computed, onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import { fetchEvents, type EventPage, type EventPlace } from '../../../api/events.ts'
import { loadFailureMessage } from '../../../api/request.ts'
import { useLive } from '../../../stores/live.ts'
import { useLatest } from '../../../stores/use-latest.ts'
import type { ChannelFields } from './channel-query.ts'
import { addNewer, addOlder, openWindow, type EventWindow } from './event-window.ts'

const pageSize = 100
/** Pages that are read at once to find an event that the user can see. */
const mostPages = 20
/** Seconds that a request waits for the next event. */
const waitSeconds = 20
/** Newer events that a held list counts; then it stops to read. */
const mostWaiting = 500
const retryMs = 2000

export function useChannelEvents(
  channel: Ref<string>,
  fields: Ref<Pick<ChannelFields, 'point' | 'at' | 'partition'>>,
  { isHeld, isWanted }: { isHeld: () => boolean; isWanted: () => boolean },
) {
  const shown = shallowRef<EventWindow | null>(null)
  /** With the newer events that the list does not show yet. */
  const grown = shallowRef<EventWindow | null>(null)
  const failure = ref('')
  const reading = ref<'' | 'all' | 'older' | 'newer'>('')
  /** The last pages had only events that the user cannot see. */
  const isSearching = ref(false)
  const latest = useLatest()
  const live = useLive()
  const partition = (): number | undefined =>
    fields.value.partition === '' ? undefined : Number(fields.value.partition)

  /** Reads on until the user can see an event, or nothing is left. */
  async function read(place: EventPlace, signal?: AbortSignal): Promise<EventPage> {
    let page = await fetchEvents(channel.value, { ...place, partition: partition(), limit: pageSize }, signal)
    const first = page
    for (let pages = 1; page.events.length === 0 && !page.isAtEnd && pages < mostPages; pages += 1) {
      const next = place.before === undefined ? { after: page.cursor } : { before: page.cursor }
      page = await fetchEvents(channel.value, { ...next, partition: partition(), limit: pageSize }, signal)
    }
    isSearching.value = page.events.length === 0 && !page.isAtEnd
    return { ...page, start: first.start, gap: page.gap ?? first.gap }
  }

  const onError = (error: unknown): unknown => (failure.value = loadFailureMessage(error))
  const onEnd = (): unknown => (reading.value = '')
  function load(): Promise<void> {
    stopTail()
    shown.value = grown.value = null
    failure.value = ''
    const { point, at } = fields.value
    if (!isWanted() || ((point === 'time' || point === 'sequence') && at === '')) {
      latest.cancel()
      return Promise.resolve()
    }
    reading.value = 'all'
    const direction = point === 'latest' ? 'older' : 'newer'
    const place = point === 'latest' ? { before: 'latest' } : { from: point === 'earliest' ? 'earliest' : at }
    return latest.run((signal) => read(place, signal), {
      onResult(page) {
        shown.value = openWindow(page, direction)
        void tail()
      },
      ...{ onError, onEnd },
    })
  }
  function extend(direction: 'older' | 'newer'): Promise<void> {
    const from = shown.value
    if (from === null || reading.value !== '') return Promise.resolve()
    reading.value = direction
    failure.value = ''
    const place = direction === 'older' ? { before: from.older } : { after: from.newer }
    return latest.extend((signal) => read(place, signal), {
      onResult(page) {
        const present = shown.value ?? from
        shown.value = direction === 'older' ? addOlder(present, page) : addNewer(present, page)
        if (direction === 'newer' || shown.value.hasNewer) grown.value = null
        void tail()
      },
      ...{ onError, onEnd },
    })
  }

  const waiting = computed(() =>
    grown.value === null || shown.value === null ? 0 : countNewer(grown.value, shown.value),
  )
  function showNewer(): void {
    if (grown.value !== null) shown.value = grown.value
    grown.value = null
    void tail()
  }

  let tailing: AbortController | null = null
  function stopTail(): void {
    tailing?.abort()
    tailing = null
  }
  const canTail = (): boolean =>
    isWanted() &&
    shown.value !== null &&
    !shown.value.hasNewer &&
    waiting.value < mostWaiting &&
    !document.hidden &&
    live.state !== 'lost'

  /** One request waits for the next events, for as long as the list reaches to the newest one. */
  async function tail(): Promise<void> {
    if (tailing !== null || !canTail()) return
    const own = new AbortController()
    tailing = own
    while (tailing === own && canTail()) {
      const from = grown.value ?? shown.value!
      const query = { after: from.newer, partition: partition(), limit: pageSize, wait: waitSeconds }
      try {
        const page = await fetchEvents(channel.value, query, own.signal)
        if (own.signal.aborted) return
        failure.value = ''
        take(page, from)
      } catch (error) {
        if (own.signal.aborted) return
        onError(error)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    if (tailing === own) tailing = null
  }
  function take(page: EventPage, from: EventWindow): void {
    // The list has changed in the meantime: what was read belongs to a different end.
    if ((grown.value ?? shown.value)?.newer !== from.newer) return
    // What follows a full page is read at once, so it is not something that the user has to ask for.
    const next = { ...addNewer(grown.value ?? shown.value!, page), hasNewer: false }
    if (page.events.length > 0 && isHeld()) return void (grown.value = next)
    if (grown.value === null || page.events.length > 0) {
      shown.value = next
      grown.value = null
    } else grown.value = next
  }

  watch([channel, () => JSON.stringify([fields.value, isWanted()])], load, { immediate: true })
  const onVisible = (): void => {
    if (document.hidden) stopTail()
    else void tail()
  }
  document.addEventListener('visibilitychange', onVisible)
  const stopLive = live.onReconnect(() => void tail())
  onBeforeUnmount(() => {
    document.removeEventListener('visibilitychange', onVisible)
    stopLive()
    stopTail()
  })
  const isLive = computed(() => live.state !== 'lost' && shown.value !== null && !shown.value.hasNewer)
  return { shown, failure, reading, isSearching, waiting, isLive, load, extend, showNewer }
}

function countNewer({ events }: EventWindow, { events: known }: EventWindow): number {
  const first = known[0]?.eventId
  const at = events.findIndex(({ eventId }) => eventId === first)
  return at < 0 ? events.length : at
}
