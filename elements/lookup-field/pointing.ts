// The record that is pointed at, as the attributes tell it, and what a reset goes back to (specification 2.9).

export type Pointed = readonly [value: string | null, display: string | null, href: string | null]

const names = ['value', 'display', 'href'] as const

type Given = Partial<Record<(typeof names)[number], string | null>>

type Own = 'display' | 'href'

export class Pointing {
  readonly #field: HTMLElement
  /** While the element writes its own attributes. */
  #own = false
  #first: [was: Pointed, mine: readonly Own[]] = [[null, null, null], []]
  /** The id that was written last, and which of its name and address are still the element's own. */
  #value: string | null = null
  #mine: readonly Own[] = []

  constructor(field: HTMLElement) {
    this.#field = field
  }

  get now(): Pointed {
    return names.map((name) => this.#field.getAttribute(name)) as unknown as Pointed
  }

  /** An attribute was changed. Answers whether the page tells something new. */
  heard(name: string, to: string | null): boolean {
    const at = names.indexOf(name as 'value')
    if (at < 0 || this.#own) return false
    this.#told(names[at]!, to)
    return true
  }

  /** The page tells a property, which is the attribute. Answers whether that is something new. */
  tell(name: keyof Given, given: string | null): boolean {
    const was = this.#field.getAttribute(name)
    // Ids are numbers in many a page.
    const to = given === null || given === undefined ? null : String(given)
    this.#write({ [name]: to })
    this.#told(name, to)
    return was !== to
  }

  /** What the page says, and not what a person chose, is what a reset goes back to. */
  #told(name: keyof Given, to: string | null): void {
    if (name !== 'value') this.#mine = this.#mine.filter((each) => each !== name)
    else if ((to ?? '') !== (this.#value ?? '')) {
      if (to === this.#first[0][0]) this.reset()
      else {
        // Another record is no more called, and stands no more, as the one that was chosen before.
        this.#write(Object.fromEntries(this.#mine.map((each) => [each, null])))
        this.#mine = []
      }
    }
    this.#value = this.#field.getAttribute('value')
    this.#first = [this.now, this.#mine]
  }

  #write(given: Given): void {
    this.#own = true
    for (const [name, to] of Object.entries(given)) {
      if (to === null) this.#field.removeAttribute(name)
      else this.#field.setAttribute(name, to)
    }
    this.#own = false
  }

  to(...[value, display, href]: Pointed): void {
    this.#write({ value, display, href })
    this.#value = value
    this.#mine = ['display', 'href']
  }

  reset(): void {
    this.to(...this.#first[0])
    this.#mine = this.#first[1]
  }

  /** For a page that comes back. */
  get kept(): string {
    return JSON.stringify(this.now)
  }
  set kept(state: unknown) {
    if (typeof state !== 'string') return
    try {
      this.to(...(JSON.parse(state) as Pointed))
    } catch {
      // Kept by something else than this element.
    }
  }
}
