// The user's actions on the field, and their effects.
import { namesIn, numberIn } from './dom.ts'
import type { Field } from './field.ts'
import { nameLookup } from './name-lookup.ts'
import { Picker } from './picker.ts'
import type { SelectedRecord } from './selected-record.ts'
import type { ListQuery } from './list-query.ts'
import { linkOf, render } from './render.ts'
import { Announcer } from './announcer.ts'
import type { LookupChange, LookupOption } from './types.ts'
import { viewIn, type View } from './view.ts'
import { words } from './words.ts'

export class EditController {
  readonly root: ShadowRoot
  readonly view: View
  readonly picker: Picker
  /** Announces the message, independently of the list. */
  readonly announcer: Announcer
  readonly field: Field
  readonly id: string
  readonly #internals: ElementInternals
  readonly #selected: SelectedRecord
  readonly #name: () => void
  /** Whether the box contains typed text. */
  keepsText = false
  /** Whether the next focus does not open the list. */
  #quiet = false
  /** Whether edit mode was entered by a press on the trigger of read mode. */
  #visited = false
  #fieldsetOff = false
  #complaint = ''

  constructor(field: Field, root: ShadowRoot, internals: ElementInternals, selected: SelectedRecord) {
    this.field = field
    this.root = root
    this.#internals = internals
    this.#selected = selected
    const { view, id } = viewIn(root)
    this.view = view
    this.id = id
    const report = (error: unknown): void => {
      // eslint-disable-next-line no-console -- this is where the developer of the page looks
      if (this.#fire('error', { error })) console.error(error)
    }
    this.picker = new Picker(view, id, {
      listQuery: () => this.#listQuery(),
      take: (option) => this.#take(option),
      report,
    })
    this.announcer = new Announcer(view.liveRegion)
    this.#name = nameLookup(field, selected, report)
  }

  get isOff(): boolean {
    return this.field.hasAttribute('disabled') || this.#fieldsetOff
  }
  get isEdit(): boolean {
    return this.field.getAttribute('mode') === 'edit' || this.#visited
  }
  /** Whether the box contains typed text, and not the name of the record. */
  get isTyped(): boolean {
    return this.keepsText && this.view.input.value !== this.displayText
  }
  get labels(): NodeList {
    return this.#internals.labels
  }
  get displayText(): string {
    return this.field.display || this.field.value || ''
  }
  set fieldsetOff(off: boolean) {
    this.#fieldsetOff = off
    if (off) this.picker.quit()
    this.render()
  }

  /** The page's custom validity message; empty by default. */
  set customMessage(complaint: string) {
    this.#complaint = complaint
    this.render()
  }

  render(): void {
    const { field, view, isEdit, isOff } = this
    const { value } = field
    render(this)
    this.picker.point(value ?? '')
    this.#internals.setFormValue(value || null, this.#selected.savedState)
    // A field that cannot be changed is not validated.
    const [complaint, isOpen] = [this.#complaint, isEdit && !isOff]
    this.#internals.setValidity(
      {
        valueMissing: isOpen && !value && field.hasAttribute('required'),
        customError: isOpen && complaint !== '',
      },
      complaint || words.missing,
      view.input,
    )
    this.#name()
  }

  /** Focuses the typeahead, whose query is searched again; in read mode the link. */
  focus(options?: FocusOptions): void {
    if (!this.isEdit) return this.#link.focus(options)
    const { input } = this.view
    const had = this.root.activeElement === input
    input.focus(options)
    if (had && (this.keepsText || !this.picker.open)) this.picker.ask(0)
  }

  /** The input got the focus. */
  handleFocus(): void {
    // A label of the page may have been added after the field.
    this.render()
    if (this.#quiet) this.#quiet = false
    else {
      this.selectName()
      this.picker.ask(0)
    }
  }

  /** Typing replaces the name. */
  selectName(): void {
    if (!this.keepsText) this.view.input.select()
  }

  /** The user changed the text; `whole`: whether no input method is composing. */
  handleInput(whole: boolean): void {
    this.keepsText = true
    this.picker.cancelCreation()
    this.render()
    if (whole) this.search()
  }

  /** Searches once the typing pauses. */
  search(): void {
    this.picker.release()
    this.picker.ask(numberIn(this.field.getAttribute('search-delay'), 150))
  }

  /** Read mode's trigger was pressed. */
  enterEditMode(): void {
    if (this.isOff) return
    this.#visited = true
    // The focused element must not disappear before the focus has moved.
    this.view.combo.hidden = false
    this.focus()
    this.render()
  }

  /** The page changed the mode: the new half takes over the focus of the old one, which is drawn until then. */
  switchMode(): void {
    this.#visited = false
    if (!this.root.activeElement) return
    if (this.isEdit) {
      this.view.combo.hidden = false
      this.#enter()
    } else {
      this.keepsText = false
      this.#follow()
    }
  }

  /** Undoes what was typed, or else returns to read mode's link; returns whether it did either. */
  undo(): boolean {
    const { isTyped } = this
    this.keepsText = false
    if (isTyped) this.render()
    else if (this.#visited) this.#back()
    else return false
    return true
  }

  /** Puts the name of the record back into the box. */
  restore(): void {
    this.keepsText = false
    this.render()
  }

  /** Resets the field to what the page started with. */
  reset(): void {
    this.picker.quit()
    this.#selected.reset()
    this.restore()
  }

  /** Another window came to the front: typed text stays until the user returns. */
  pause(): void {
    this.#quiet = this.root.activeElement === this.view.input
    this.picker.close()
  }

  leave(): void {
    this.picker.close()
    this.restore()
    this.#quiet = false
    this.#back(false)
  }

  clear(): void {
    const had = this.field.value !== null
    const { input } = this.view
    this.picker.quit()
    this.#selected.setByUser({ value: null, display: null, href: null })
    this.keepsText = false
    input.value = ''
    this.render()
    if (this.root.activeElement !== input) this.#enter()
    if (had) this.#fire('clear')
  }

  /** Focuses the typeahead, which stays closed. */
  #enter(): void {
    this.#quiet = true
    this.view.input.focus()
    this.#quiet = false
  }

  /** Focuses the link. */
  #follow(): void {
    this.#link.hidden = false
    this.#link.focus()
  }

  get #link(): HTMLElement {
    return linkOf(this.field, this.view)
  }

  /** Draws the link again. */
  #back(focus = true): void {
    if (!this.#visited) return
    this.#visited = false
    if (focus) this.#follow()
    this.render()
  }

  /** The current query of the list; null if the source must not be called. */
  #listQuery(): ListQuery | null {
    if (this.isOff || !this.isEdit) return null
    const { field } = this
    return {
      // The name of the record is not a query.
      query: this.keepsText ? this.view.input.value : '',
      search: field.search,
      minChars: numberIn(field.getAttribute('min-chars'), 0),
      matchFields: namesIn(field.getAttribute('match-fields')),
      displayFields: namesIn(field.getAttribute('display-fields')),
    }
  }

  #take({ value, label, href }: LookupOption): void {
    this.#selected.setByUser({ value, display: label, href: href ?? null })
    this.picker.close()
    this.restore()
    const { input } = this.view
    input.setSelectionRange(input.value.length, input.value.length)
    const detail: LookupChange = { value, label }
    this.#back()
    this.#fire('change', detail)
  }

  /** Events bubble around the element, and out of a shadow root. Returns whether no listener cancelled it. */
  #fire(name: string, detail?: unknown): boolean {
    return this.field.dispatchEvent(
      new CustomEvent(`svc-lookup-${name}`, {
        detail,
        bubbles: true,
        composed: true,
        cancelable: name === 'error',
      }),
    )
  }
}
