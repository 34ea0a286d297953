// The record that is pointed at, as the attributes tell it, and what a reset goes back to (specification 2.9).
import { set } from './dom.ts'

const names = ['value', 'display', 'href'] as const

type Pointed = Record<(typeof names)[number], string | null>

type Own = 'display' | 'href'

export class Pointing {
  readonly #field: HTMLElement
  /** While the element writes its own attributes. */
  #own = false
  #first: [was: Pointed, mine: readonly Own[]]
  /** The id that was written last, and which of its name and address are still the element's own. */
  #value: string | null = null
  #mine: readonly Own[] = []

  constructor(field: HTMLElement) {
    this.#field = field
    this.#first = [this.#now, []]
  }

  get #now(): Pointed {
    return Object.fromEntries(names.map((name) => [name, this.#field.getAttribute(name)])) as Pointed
  }

  /** An attribute was changed. Answers whether the page tells something new. */
  heard(name: string, to: string | null): boolean {
    const at = names.indexOf(name as 'value')
    if (at < 0 || this.#own) return false
    this.#told(names[at]!, to)
    return true
  }

  /** The page tells a property, which is the attribute. Answers whether that is something new. */
  tell(name: keyof Pointed, given: string | null): boolean {
    const was = this.#field.getAttribute(name)
    // Ids are numbers in many a page.
    const to = given === null || given === undefined ? null : String(given)
    this.#write({ [name]: to })
    this.#told(name, to)
    return was !== to
  }

  /** What the page says of its own record, and not what a person chose, is what a reset goes back to. */
  #told(name: keyof Pointed, to: string | null): void {
    const [was, mine] = this.#first
    if (name !== 'value') this.#mine = this.#mine.filter((each) => each !== name)
    else if ((to ?? '') !== (this.#value ?? '')) {
      // Another record is no more called, and stands no more, as the one that was chosen before.
      const isBack = to === was.value
      this.#write(Object.fromEntries(this.#mine.map((each) => [each, isBack ? was[each] : null])))
      this.#mine = this.#mine.filter((each) => isBack && mine.includes(each))
    }
    this.#value = this.#field.getAttribute('value')
    if (name === 'value' || this.#value === was.value) this.#first = [this.#now, this.#mine]
  }

  #write(given: Partial<Pointed>): void {
    this.#own = true
    set(this.#field, given)
    this.#own = false
  }

  /** Somebody chose, or dropped, a record. */
  to(given: Pointed): void {
    this.#write(given)
    this.#value = given.value
    this.#mine = ['display', 'href']
  }

  reset(): void {
    this.to(this.#first[0])
    this.#mine = this.#first[1]
  }

  /** For a page that comes back. */
  get kept(): string {
    return JSON.stringify(this.#now)
  }
  set kept(state: unknown) {
    if (typeof state !== 'string') return
    try {
      this.to(JSON.parse(state) as Pointed)
    } catch {
      // Kept by something else than this element.
    }
  }
}
