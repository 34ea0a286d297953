// The list of options: a line, or rows; with many rows, only the visible ones (docs/reference/lookup-field.md). Typing
// into an open list redraws it without reading layout from the browser, which would make it compute the layout twice.
import { make, set } from './dom.ts'
import { secondLine } from './options.ts'
import { point, row, type ListContent } from './row.ts'

/** Above this number of rows, or if more are to come, only the visible rows are in the document. */
const whole = 30
/** Number of rows drawn beyond the visible edge. */
const beyond = 4
/** The default maximum height of the list. */
const highest = 320

export interface OptionList {
  /** Replaces what was shown; keeps the scroll position if rows were only added. */
  show(shown: ListContent, added: boolean): void
  /** Shows one line instead of options; a press on it runs `act`. `still`: whether the list keeps its height. */
  showMessage(words: string, act?: () => void, still?: boolean): void
  /** Shows a line below the options; a press on it reports the end again. */
  foot(words: string): void
  /** Sets the record that is pointed at now. */
  point(value: string): void
  /** Makes an option active and scrolls it into view; -1 for none. Returns its element. */
  activate(at: number): Element | null
  /** How many rows fit into the visible list. */
  page(): number
  clear(): void
}

export interface ListEvents {
  choose(at: number): void
  /** The last rows became visible, and the source has more; `byHand`: whether the line below them was pressed. */
  end(byHand: boolean): void
}

export function optionList(box: HTMLElement, id: string, { choose, end }: ListEvents): OptionList {
  const rows = new Map<number, HTMLElement>()
  const inside = make('div', { role: 'none', class: 'rows' })
  let line: HTMLElement
  let foot: HTMLElement | undefined
  let current: ListContent | undefined
  /** The last measurement since the list was opened: the kind of its rows, and their height. */
  let measured = ''
  let rowHeight = 0
  /** Height of each row if only the visible ones are drawn; 0 if all are. */
  let height = 0
  /** The scroll position; NaN if it is not known. */
  let top = 0
  let view = highest
  let active = -1
  let act: (() => void) | undefined

  const inSight = (): [from: number, to: number] => {
    const { length } = current!.options
    if (height === 0) return [0, length]
    const from = Math.floor(top / height) - beyond
    return [Math.max(0, from), Math.min(length, Math.ceil((top + view) / height) + beyond)]
  }
  const draw = (): void => {
    if (!current) return
    const [from, to] = inSight()
    for (const [at, old] of rows)
      if ((at < from || at >= to) && at !== active) {
        old.remove()
        rows.delete(at)
      }
    let before: Element | null = null
    const put = (at: number): void => {
      let one = rows.get(at)
      if (!one) {
        rows.set(at, (one = row(`${id}-${at}`, at, current!)))
        if (height > 0) Object.assign(one.style, { top: `${at * height}px`, height: `${height}px` })
        if (at === active) one.setAttribute('aria-selected', 'true')
        if (!before) inside.prepend(one)
        else before.after(one)
      }
      before = one
    }
    // The active row stays drawn at any scroll position: the input refers to it.
    if (active >= 0 && active < from) put(active)
    for (let at = from; at < to; at += 1) put(at)
    if (active >= to) put(active)
  }
  const askAtEnd = (): void => {
    if (!current?.more) return
    const isAtEnd =
      height === 0
        ? box.scrollTop + box.clientHeight >= box.scrollHeight
        : top + view >= (current.options.length - beyond) * height
    if (isAtEnd) end(false)
  }
  const scroll = (to: number): void => {
    if (to === top) return
    box.scrollTop = to
    top = box.scrollTop
  }
  const drawVisible = (): void => {
    const { scrollTop, clientHeight } = box
    // A closed list has nothing to report.
    if (clientHeight === 0) return
    top = scrollTop
    view = clientHeight
    draw()
  }
  const reveal = (one: HTMLElement): void => {
    if (active === 0 && top === 0) return
    // Scrolled directly: scrollIntoView would scroll the page too.
    const [start, stop] = [one.offsetTop, one.offsetTop + one.offsetHeight + inside.offsetTop * 2]
    const { scrollTop, clientHeight } = box
    if (start < scrollTop) box.scrollTop = start
    else if (stop > scrollTop + clientHeight) box.scrollTop = stop - clientHeight
    drawVisible()
  }
  /** `still`: whether to keep the height until the next response. */
  const empty = (still = false): void => {
    // If the list shows a line, this is the height of the earlier rows. They may be newer than the last measurement.
    if (!still) box.style.height = ''
    else if (current) box.style.height = `${box.clientHeight || view}px`
    rows.clear()
    foot = current = act = undefined
    active = -1
    inside.replaceChildren()
    box.replaceChildren()
  }

  const handleScroll = (): void => {
    drawVisible()
    askAtEnd()
  }
  box.addEventListener('scroll', handleScroll)
  // A larger window shows more rows.
  new ResizeObserver(drawVisible).observe(box)
  box.addEventListener('click', (event) => {
    const on = event.target as Element
    const option = on.closest('[role=option]')
    const at = option?.getAttribute('aria-posinset')
    if (at) choose(Number(at) - 1)
    else if (option) act?.()
    else if (foot?.contains(on)) end(true)
  })

  return {
    show: (content, added) => {
      const { options, displayFields, total, more } = content
      const kind = options.some((option) => secondLine(option, displayFields) !== '') ? 'rows two' : 'rows'
      const lengthOf = (at: number): number => options[at]!.label.length
      const longest = options.reduce((most, _option, at) => (lengthOf(at) > lengthOf(most) ? at : most), 0)
      const size = kind + lengthOf(longest)
      // New rows can be higher: the same rows stay visible.
      const [was, to] = added ? [active, top / height] : [-1, 0]
      const before = added ? height : 0
      if (!added) empty()
      current = content
      if (!inside.parentNode) box.append(inside)
      const isLong = before > 0 || more || options.length > whole
      // All rows have the height of the one with the longest name: a long list can be measured without drawing it.
      if (isLong && measured !== size) {
        set(inside, { class: kind })
        // Added to the existing rows, one of which may be pressed at this moment.
        const one = row('', longest, content)
        inside.append(one)
        measured = size
        rowHeight = one.offsetHeight || 28
        one.remove()
        top = NaN
      }
      height = isLong ? rowHeight : 0
      set(inside, { class: isLong ? `${kind} windowed` : kind })
      if (height !== before) {
        rows.clear()
        inside.replaceChildren()
      }
      foot?.remove()
      foot = undefined
      active = was
      for (const one of rows.values()) set(one, { 'aria-setsize': total })
      inside.style.height = height > 0 ? `${height * options.length}px` : ''
      scroll(to * height)
      draw()
      askAtEnd()
    },
    showMessage: (text, does, still) => {
      empty(still)
      act = does
      line = make(
        'div',
        {
          role: 'option',
          class: 'line',
          'aria-selected': 'false',
          'aria-disabled': does ? null : 'true',
          id: `${id}-line`,
        },
        text,
      )
      box.append(line)
    },
    foot: (text) => {
      if (!foot) box.append((foot = make('div', { role: 'none', class: 'line foot' }, text)))
      else foot.textContent = text
    },
    point: (value) => {
      if (!current || current.value === value) return
      current = { ...current, value }
      for (const [at, one] of rows) point(one, current.options[at]!, value)
    },
    activate: (at) => {
      if (act) {
        set(line, { 'aria-selected': at < 0 ? 'false' : 'true' })
        return at < 0 ? null : line
      }
      rows.get(active)?.setAttribute('aria-selected', 'false')
      active = current && at < current.options.length ? at : -1
      if (active < 0) return null
      draw()
      const one = rows.get(active)!
      one.setAttribute('aria-selected', 'true')
      reveal(one)
      return one
    },
    page: () => {
      const one = inside.firstElementChild as HTMLElement | null
      return Math.max(1, Math.floor(box.clientHeight / Number(one?.offsetHeight)) - 1)
    },
    clear: () => {
      empty()
      measured = ''
      top = NaN
    },
  }
}
