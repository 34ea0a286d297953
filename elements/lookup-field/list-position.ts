// Places the open list: in the top layer, so that nothing clips it; below its field if that is not supported.

const gap = 4
/** With less room below, the list opens above, regardless of its content, so that it does not jump while it fills. */
const minHeightBelow = 160
/** Below a narrower field, the list has at least this width, so that it can be read. */
const minWidth = 240

/** Keeps the list next to its field until it is stopped. */
export function keepPositioned(list: HTMLElement, field: HTMLElement): () => void {
  const hasLayer = typeof list.showPopover === 'function'
  // The window of its own document: the field may have been moved into a frame.
  const page = field.ownerDocument.defaultView!
  if (hasLayer) {
    list.popover = 'manual'
    if (list.isConnected) list.showPopover()
  }
  list.hidden = false
  const place = (): void => {
    const { left, right, top, bottom, width } = field.getBoundingClientRect()
    // Without the page's scroll bars.
    const { clientWidth, clientHeight } = page.document.scrollingElement ?? page.document.documentElement
    // An on-screen keyboard covers the rest, and the page does not get smaller.
    const { offsetTop: from = 0, height = clientHeight } = page.visualViewport ?? {}
    const to = from + height
    const { direction } = getComputedStyle(list)
    // Lengths of a list inside a zoomed element are in its own units.
    const zoom = (list as { currentCSSZoom?: number }).currentCSSZoom ?? 1
    const own = (length: number): string => `${length / zoom}px`
    const away = gap * zoom
    const [below, above] = [to - bottom - away * 2, top - from - away * 2]
    const up = below < minHeightBelow && above > below
    const { style } = list
    const wide = Math.min(clientWidth, Math.max(width, minWidth * zoom))
    const start = direction === 'rtl' ? right - wide : left
    style.left = own(Math.max(0, Math.min(start, clientWidth - wide)))
    style.width = own(wide)
    style.maxHeight = own(Math.max(60, Math.min(320 * zoom, up ? above : below)))
    style.top = up ? 'auto' : own(bottom + away)
    style.bottom = up ? own(clientHeight - top + away) : 'auto'
  }
  // Follows everything that moves the field: scrolling, insertions above, a dialog that slides in. Not in each frame,
  // because key presses would wait for it.
  let timer: ReturnType<typeof setInterval> | undefined
  if (hasLayer) {
    place()
    timer = setInterval(place, 30)
    page.addEventListener('scroll', place, true)
  }
  // The list is hidden if the field was scrolled out of its container.
  const sight = new IntersectionObserver(([last]) => {
    list.style.visibility = last!.isIntersecting ? '' : 'hidden'
  })
  sight.observe(field)
  return () => {
    clearInterval(timer)
    page.removeEventListener('scroll', place, true)
    sight.disconnect()
    list.style.visibility = ''
    if (hasLayer && list.isConnected && list.matches(':popover-open')) list.hidePopover()
    list.hidden = true
  }
}
