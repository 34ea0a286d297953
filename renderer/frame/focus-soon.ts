// The focus for what is on its way: a page that is being opened, a button that can be pressed once its list is read.

const pause = 100
const longest = 5000

/** Gives it to the element of this id as soon as it can have it; a key or a press meanwhile calls that off. */
export function focusSoon(id: string): void {
  const until = performance.now() + longest
  const off = new AbortController()
  // Twice: what closes meanwhile, as the palette does, gives the focus back to what had it before.
  let held = 0
  const look = (): void => {
    const wanted = document.getElementById(id)
    if (wanted !== null && document.activeElement === wanted) held += 1
    else wanted?.focus()
    if (held === 2 || performance.now() > until) off.abort()
  }
  const timer = window.setInterval(look, pause)
  off.signal.addEventListener('abort', () => window.clearInterval(timer))
  for (const deed of ['keydown', 'pointerdown'])
    window.addEventListener(deed, () => off.abort(), { capture: true, signal: off.signal })
}
