// The record that is pointed at, as the attributes tell it, and what a reset goes back to (specification 2.9).

export type Pointed = readonly [value: string | null, display: string | null, href: string | null]

const names = ['value', 'display', 'href'] as const

type Given = Partial<Record<(typeof names)[number], string | null | undefined>>

export class Pointing {
  readonly #field: HTMLElement
  /** While the element writes its own attributes. */
  #own = false
  #first: Pointed = [null, null, null]
  /** The id that the element itself wrote, and which of its name and address are still the element's own. */
  #value: string | null = null
  #mine: ('display' | 'href')[] = []

  constructor(field: HTMLElement) {
    this.#field = field
  }

  get now(): Pointed {
    return names.map((name) => this.#field.getAttribute(name)) as unknown as Pointed
  }

  /** An attribute was changed: what the page writes is what a reset goes back to. */
  heard(name: string, to: string | null): void {
    const at = names.indexOf(name as 'value')
    if (at < 0 || this.#own) return
    this.#first = this.#first.map((was, index) => (index === at ? to : was)) as unknown as Pointed
    this.#told(names[at]!, to)
  }

  /** What the page tells by a property leaves what a reset goes back to. */
  tell(given: Given): void {
    this.#write(given)
    for (const [name, to] of Object.entries(given)) this.#told(name as keyof Given, to)
  }

  /** Another record is no more called, and stands no more, as the one that was chosen before. */
  #told(name: keyof Given, to: unknown): void {
    if (name !== 'value') this.#mine = this.#mine.filter((each) => each !== name)
    else if (String(to ?? '') !== (this.#value ?? '')) {
      this.#write(Object.fromEntries(this.#mine.map((each) => [each, null])))
      this.#mine = []
    }
  }

  #write(given: Given): void {
    this.#own = true
    for (const [name, to] of Object.entries(given)) {
      if (to === null || to === undefined) this.#field.removeAttribute(name)
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
    this.to(...this.#first)
    this.#mine = []
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
