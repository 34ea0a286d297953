// The list of options: lines, rows, and above some hundreds only the rows that are in sight (specification 2.9, 3.4).
import { make, set } from './dom.ts'
import { matches } from './fold.ts'
import { secondLine } from './options.ts'
import type { LookupOption } from './types.ts'

/** Above so many, only the rows in sight are in the document. */
const whole = 200
/** Padding of the list above and below its rows, where the token is not set. */
const edge = 4
/** Rows beyond the edge of what is in sight. */
const beyond = 4

export interface Shown {
  options: readonly LookupOption[]
  query: string
  displayFields: readonly string[]
  /** Id of the record that is pointed at. */
  value: string
  total: number
}

export interface OptionList {
  /** Takes the place of what was shown; keeps the place where it was scrolled to where rows were only added. */
  show(shown: Shown, added: boolean): void
  /** One line instead of options; a press on it does `act`. */
  say(words: string, act?: () => void): void
  /** A line below the options; a press on it asks for the end again. */
  foot(words: string): void
  /** Makes an option the active one, in sight; -1 for none. Answers its element. */
  activate(at: number): Element | null
  /** How many rows fit. */
  page(): number
  clear(): void
}

export interface ListEvents {
  choose(at: number): void
  /** The last rows have come in sight. */
  end(): void
}

export function optionList(box: HTMLElement, id: string, { choose, end }: ListEvents): OptionList {
  const rows = new Map<number, HTMLElement>()
  const inside = make('div', { role: 'none', class: 'rows' })
  let foot: HTMLElement | null = null
  let shown: Shown | null = null
  let height = 0
  let active = -1
  let act: (() => void) | undefined

  const isWindowed = (): boolean => (shown?.options.length ?? 0) > whole
  const row = (at: number): HTMLElement => {
    const { options, query, displayFields, value, total } = shown!
    const option = options[at]!
    const second = secondLine(option, displayFields)
    const label = make('span', { class: 'name' }, ...marked(option.label, query))
    const made = make(
      'div',
      {
        part: 'option',
        role: 'option',
        id: `${id}-${at}`,
        'aria-selected': at === active ? 'true' : 'false',
        'aria-setsize': total,
        'aria-posinset': at + 1,
        // The id that is pointed at now.
        'aria-current': option.value === value && value !== '' ? 'true' : null,
      },
      label,
    )
    const caption = option.group
    if (caption !== undefined && options[at - 1]?.group !== caption)
      made.append(' ', make('span', { class: 'group' }, caption))
    if (second !== '') made.append(' ', make('small', {}, ...marked(second, query)))
    made.dataset['at'] = String(at)
    return made
  }
  const draw = (): void => {
    if (shown === null) return
    const { length } = shown.options
    let [from, to] = [0, length]
    if (isWindowed() && height > 0) {
      from = Math.max(0, Math.floor(box.scrollTop / height) - beyond)
      to = Math.min(length, Math.ceil((box.scrollTop + box.clientHeight) / height) + beyond)
    }
    for (const [at, old] of rows)
      if ((at < from || at >= to) && at !== active) {
        old.remove()
        rows.delete(at)
      }
    let before: Element | null = null
    const put = (at: number): void => {
      let one = rows.get(at)
      if (one === undefined) {
        rows.set(at, (one = row(at)))
        if (before === null) inside.prepend(one)
        else before.after(one)
        place(one, at)
      }
      before = one
    }
    // The active one stays, wherever the list was scrolled to: the input points at it.
    if (active >= 0 && active < from) put(active)
    for (let at = from; at < to; at += 1) put(at)
    if (active >= to) put(active)
    if (to === length && (!isWindowed() || to > from)) atEnd()
  }
  const place = (one: HTMLElement, at: number): void => {
    if (isWindowed()) one.style.insetBlockStart = `${at * height}px`
  }
  const atEnd = (): void => {
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - height * beyond) end()
  }
  const empty = (): void => {
    rows.clear()
    foot = null
    shown = null
    act = undefined
    active = -1
    inside.replaceChildren()
    inside.style.blockSize = ''
    box.replaceChildren()
  }

  box.addEventListener('scroll', draw, { passive: true })
  // The input keeps the focus while options are pressed.
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('click', (event) => {
    const target = (event.target as Element).closest<HTMLElement>('[role=option]')
    if (target === null) {
      if (foot?.contains(event.target as Node)) end()
    } else if (target.dataset['at'] !== undefined) choose(Number(target.dataset['at']))
    else act?.()
  })

  return {
    show: (given, added) => {
      const [top, was] = [box.scrollTop, active]
      empty()
      shown = given
      box.append(inside)
      const second = given.options.some((option) => secondLine(option, given.displayFields) !== '')
      set(inside, { class: `rows${second ? ' two' : ''}${isWindowed() ? ' windowed' : ''}` })
      if (isWindowed()) {
        // All rows are as high as the first: the list of a reader need not be drawn to be measured.
        inside.append(row(0))
        height = (inside.firstElementChild as HTMLElement).offsetHeight
        inside.replaceChildren()
        inside.style.blockSize = `${height * given.options.length}px`
      } else height = 0
      box.scrollTop = added ? top : 0
      active = added ? was : -1
      draw()
    },
    say: (text, does) => {
      empty()
      act = does
      const given = {
        role: 'option',
        class: 'line',
        'aria-selected': 'false',
        'aria-disabled': does ? null : 'true',
      }
      box.append(make('div', { ...given, id: `${id}-line` }, text))
    },
    foot: (text) => {
      if (foot === null) box.append((foot = make('div', { role: 'none', class: 'line foot' }, text)))
      else foot.textContent = text
    },
    activate: (at) => {
      const line = box.querySelector(':scope > .line[role=option]')
      if (line !== null && act !== undefined) {
        set(line, { 'aria-selected': at < 0 ? 'false' : 'true' })
        return at < 0 ? null : line
      }
      rows.get(active)?.setAttribute('aria-selected', 'false')
      active = shown !== null && at < shown.options.length ? at : -1
      if (active < 0) return null
      if (isWindowed()) draw()
      const one = rows.get(active)!
      one.setAttribute('aria-selected', 'true')
      // By hand: the element's own way would scroll the page too.
      const [top, bottom] = [one.offsetTop, one.offsetTop + one.offsetHeight + edge * 2]
      if (top < box.scrollTop) box.scrollTop = top
      else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight
      if (isWindowed()) draw()
      return one
    },
    page: () => {
      const one = rows.values().next().value
      return one === undefined ? 1 : Math.max(1, Math.floor(box.clientHeight / one.offsetHeight) - 1)
    },
    clear: empty,
  }
}

function marked(text: string, query: string): (Node | string)[] {
  const pieces: (Node | string)[] = []
  let at = 0
  for (const [start, end] of matches(text, query)) {
    pieces.push(text.slice(at, start), make('b', {}, text.slice(start, end)))
    at = end
  }
  return [...pieces, text.slice(at)]
}
