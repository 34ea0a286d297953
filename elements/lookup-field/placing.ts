// Where the open list is drawn: in the top layer, so that nothing clips it; below its field where that is not known.

const gap = 4
/** With less room below it opens above, whatever it holds: it must not jump as it is filled. */
const least = 160
/** A list beside a narrower field is wider than it, to be read. */
const narrowest = 240

/** Keeps the list beside its field until it is called off. */
export function placed(list: HTMLElement, field: HTMLElement): () => void {
  const hasLayer = typeof list.showPopover === 'function'
  // Its own page's: it may have been moved into a frame.
  const page = field.ownerDocument.defaultView!
  if (hasLayer) {
    list.popover = 'manual'
    if (list.isConnected) list.showPopover()
  }
  list.hidden = false
  const place = (): void => {
    if (!hasLayer) return
    const { left, right, top, bottom, width } = field.getBoundingClientRect()
    // Lengths of a list in what is zoomed are its own.
    const zoom = (list as { currentCSSZoom?: number }).currentCSSZoom ?? 1
    const own = (length: number): string => `${length / zoom}px`
    const away = gap * zoom
    const [from, to] = seen(page)
    const [below, above] = [to - bottom - away * 2, top - from - away * 2]
    const up = below < least && above > below
    const { style } = list
    const { innerWidth, innerHeight } = page
    const wide = Math.min(innerWidth, Math.max(width, narrowest * zoom))
    const start = getComputedStyle(list).direction === 'rtl' ? right - wide : left
    style.left = own(Math.max(0, Math.min(start, innerWidth - wide)))
    style.width = own(wide)
    style.maxHeight = own(Math.max(60, Math.min(320 * zoom, up ? above : below)))
    style.top = up ? 'auto' : own(bottom + away)
    style.bottom = up ? own(innerHeight - top + away) : 'auto'
  }
  place()
  // Scrolling anywhere, also inside of what clips the field, moves it.
  const options = { capture: true, passive: true }
  const moving = around(field, page)
  for (const each of moving) for (const type of moves) each.addEventListener(type, place, options)
  const observer = new ResizeObserver(place)
  observer.observe(field)
  // Nothing hangs in the air where the field was scrolled out of what clips it.
  const sight = new IntersectionObserver(([last]) => {
    list.style.visibility = last!.isIntersecting ? '' : 'hidden'
  })
  sight.observe(field)
  return () => {
    for (const each of moving) for (const type of moves) each.removeEventListener(type, place, options)
    observer.disconnect()
    sight.disconnect()
    list.style.visibility = ''
    if (hasLayer && list.isConnected && list.matches(':popover-open')) list.hidePopover()
    list.hidden = true
  }
}

const moves = ['scroll', 'resize'] as const

/** What is seen of the page, from above: a keyboard on the screen covers the rest, and the page does not get smaller. */
function seen({ visualViewport, innerHeight }: Window): [from: number, to: number] {
  const { offsetTop = 0, height = innerHeight } = visualViewport ?? {}
  return [offsetTop, offsetTop + height]
}

/** The window, what is seen of it, and the shadow roots around the element, out of which no scroll event comes. */
function around(field: HTMLElement, page: Window): EventTarget[] {
  const found: EventTarget[] = [page]
  if (page.visualViewport) found.push(page.visualViewport)
  const own = field.getRootNode() as ShadowRoot
  for (let at = own.host.getRootNode(); at instanceof ShadowRoot; at = at.host.getRootNode()) found.push(at)
  return found
}
