// Moves the focus to an element that is not ready yet: on a page that is opening, or a button whose list is loading.

const pause = 100
const longest = 5000

/** Focuses the element with this id as soon as possible; a key or a press in the meantime cancels that. */
export function focusWhenReady(id: string): void {
  const until = performance.now() + longest
  const stop = new AbortController()
  // Twice: an element that closes in the meantime, such as the palette, returns the focus to where it was.
  let focusedTicks = 0
  const look = (): void => {
    const element = document.getElementById(id)
    if (element !== null && document.activeElement === element) focusedTicks += 1
    else element?.focus()
    if (focusedTicks === 2 || performance.now() > until) stop.abort()
  }
  const timer = window.setInterval(look, pause)
  stop.signal.addEventListener('abort', () => window.clearInterval(timer))
  for (const eventName of ['keydown', 'pointerdown'])
    window.addEventListener(eventName, () => stop.abort(), { capture: true, signal: stop.signal })
}
