// The record that is pointed at, from the attributes, and the one that a reset restores
// (docs/reference/lookup-field.md).
import { set } from './dom.ts'

const names = ['value', 'display', 'href'] as const

type RecordReference = Record<(typeof names)[number], string | null>

export class SelectedRecord {
  readonly #field: HTMLElement
  /** Whether the element is writing its own attributes. */
  #own = false
  #first: RecordReference
  /** The id that was written last. */
  #value: string | null = null
  /** Names and URLs that the page set in this turn: they belong to the id that it sets with them. */
  #setNames: string[] = []
  /** Whether the user chose or cleared the record. */
  #isChanged = false

  constructor(field: HTMLElement) {
    this.#field = field
    this.#first = this.#now
  }

  get #now(): RecordReference {
    return Object.fromEntries(names.map((name) => [name, this.#field.getAttribute(name)])) as RecordReference
  }

  /** An attribute was written. Returns whether the page wrote it and it concerns the record. */
  handleAttributeChange(name: string, to: string | null): boolean {
    const isPageChange = !this.#own && names.includes(name as 'value')
    if (isPageChange) this.#handleChange(name, to)
    return isPageChange
  }

  /** The page sets a property, which reflects the attribute. */
  setFromPage(name: keyof RecordReference, value: string | null): void {
    // Ids are numbers in many pages.
    const to = value == null ? null : String(value)
    if (this.#field.getAttribute(name) === to) this.#handleChange(name, to)
    else set(this.#field, { [name]: to })
  }

  /** A reset restores what the page set for its own record, not what the user chose. */
  #handleChange(name: string, to: string | null): void {
    const was = this.#first
    if (name !== 'value') {
      this.#setNames.push(name)
      queueMicrotask(() => (this.#setNames = []))
    } else if ((to ?? '') !== (this.#value ?? '')) {
      // A different record must not keep the previous one's name or URL.
      const isBack = to === was.value
      const stale = names.slice(1).filter((each) => !this.#setNames.includes(each))
      if (isBack || this.#value)
        this.#write(Object.fromEntries(stale.map((each) => [each, isBack ? was[each] : null])))
      this.#isChanged = false
    }
    this.#value = this.#field.getAttribute('value')
    if (name === 'value' || this.#value === was.value) this.#first = this.#now
  }

  #write(change: Partial<RecordReference>): void {
    this.#own = true
    set(this.#field, change)
    this.#own = false
  }

  /** The user chose or cleared a record. */
  setByUser(record: RecordReference): void {
    this.#isChanged = true
    this.#value = record.value
    this.#write(record)
  }

  /** The source knows the name of the record, and perhaps its URL. */
  setResolvedName(display: string, href: string | undefined): void {
    this.#write(href && !this.#now.href ? { display, href } : { display })
    // A reset to this record needs no second request.
    if (this.#value === this.#first.value) this.#first = this.#now
  }

  reset(): void {
    this.setByUser(this.#first)
    this.#isChanged = false
  }

  /** The state for a restored page: null unless the user changed the record, because the page may have a newer one. */
  get savedState(): string | null {
    return this.#isChanged ? JSON.stringify(this.#now) : null
  }
  set savedState(state: unknown) {
    if (typeof state !== 'string') return
    try {
      this.setByUser(JSON.parse(state) as RecordReference)
    } catch {
      // Stored by something other than this element.
    }
  }
}
