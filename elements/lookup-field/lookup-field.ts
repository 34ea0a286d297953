// <svc-lookup-field>: a reference to one record, read as a link and changed by typing (docs/reference/lookup-field.md).
import { set } from './dom.ts'
import { EditController } from './edit-controller.ts'
import { attachEventHandlers } from './event-handlers.ts'
import { SelectedRecord } from './selected-record.ts'
import type { LookupSearch } from './types.ts'
import { dress } from './view.ts'
import { drawn } from './words.ts'

/** A server that renders the page has no HTMLElement, but can still import the package. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/**
 * A reference to one record: read as a link, changed by typing.
 *
 * @tagname svc-lookup-field
 *
 * @attr {'read' | 'edit'} [mode=read] - Which half is drawn: the link or the typeahead. Any other value is `read`.
 * @attr {string} match-fields - Fields that the typed text is matched against, comma-separated; passed to the source.
 * @attr {string} display-fields - Fields of a result on its second line, comma-separated, in the order given.
 * @attr {number} [min-chars=0] - Characters typed before the source is asked.
 * @attr {number} [search-delay=150] - Milliseconds after the last keystroke before the source is asked.
 * @attr {string} value - Id of the record pointed at; written back when one is chosen, removed on clear.
 * @attr {string} display - Name of the linked record. Without it the source is asked, if it has a `resolve`; until it answers, the id is shown.
 * @attr {string} href - Target of the read-mode link. Without it the name is a button that starts editing.
 * @attr {string} label - Name of the field: drawn above, bound to the input, and the accessible name.
 * @attr {string} [placeholder=Search…] - Hint in the empty typeahead; in read mode, the text if nothing is linked.
 * @attr {boolean} [required=false] - Draws an asterisk next to the label; the form is not sent until an option is chosen.
 * @attr {boolean} [disabled=false] - Greys the typeahead and refuses focus. No effect on read mode.
 * @attr {boolean} [invalid=false] - Red outline and message; marks the input invalid.
 * @attr {string} message - Line under the control: muted help, or the red reason if `invalid` is set.
 * @attr {boolean} [inline=false] - Without box, label and message, for a row of a record.
 * @attr {string} name - Name under which a form sends the value.
 * @attr {string} form - Id of the form that the field belongs to, if it is not inside that form.
 *
 * @fires {CustomEvent<LookupChange>} svc-lookup-change - An option was chosen: the id now pointed at and the name shown.
 * @fires {CustomEvent<null>} svc-lookup-clear - The clear control was pressed; the link is dropped.
 * @fires {CustomEvent<LookupError>} svc-lookup-error - The source threw. Unless the event is cancelled, the error is written to the console.
 *
 * @csspart label - The field's name above the control.
 * @csspart link - What read mode draws.
 * @csspart combo - The box of edit mode.
 * @csspart icon - The search glyph.
 * @csspart input - The text box.
 * @csspart clear - The control that drops the link.
 * @csspart listbox - The list of results.
 * @csspart option - One result.
 * @csspart message - The line under the control.
 *
 * @cssprop [--svc-font=system-ui, sans-serif] - Typeface.
 * @cssprop [--svc-text-body=13px] - Size of the text.
 * @cssprop [--svc-text-row=13px] - Size of the text of an option.
 * @cssprop [--svc-space-1=4px] - Smallest space: padding of the list.
 * @cssprop [--svc-space-2=8px] - Space inside the control.
 * @cssprop [--svc-space-3=12px] - Padding of an option.
 * @cssprop [--svc-space-4=16px] - Size of the search glyph.
 * @cssprop [--svc-space-5=24px] - Size of the clear control.
 * @cssprop [--svc-radius=4px] - Corners of the control and the list.
 * @cssprop [--svc-radius-sm=2px] - Corners of the clear control and the focused link.
 * @cssprop [--svc-color-border=GrayText] - Line around the list.
 * @cssprop [--svc-color-border-strong=GrayText] - Line around the control.
 * @cssprop [--svc-color-surface=Canvas] - Background of control and list.
 * @cssprop [--svc-color-surface-2=ButtonFace] - Background of a disabled control, and of an option under the pointer.
 * @cssprop [--svc-color-text=CanvasText] - Text.
 * @cssprop [--svc-color-text-muted=color-mix(in srgb, CanvasText 65%, Canvas)] - Second lines, hints and help.
 * @cssprop [--svc-color-accent=LinkText] - The link, and the control that has the focus.
 * @cssprop [--svc-color-accent-strong=LinkText] - What the typed text matched.
 * @cssprop [--svc-accent-wash=color-mix(in srgb, LinkText 12%, Canvas)] - Background of the active option.
 * @cssprop [--svc-focus-ring=0 0 0 2px LinkText] - Shadow around the focused element.
 * @cssprop [--svc-shadow-float=0 0 0 1px GrayText, 0 8px 24px #0003] - Shadow of the list.
 * @cssprop [--svc-color-danger=color-mix(in srgb, red 70%, CanvasText)] - Asterisk, outline and reason of what is invalid.
 */
export class SvcLookupField extends Base {
  /** @internal */
  static readonly formAssociated = true
  /** @internal */
  static readonly observedAttributes = [
    'mode',
    'match-fields',
    'display-fields',
    'min-chars',
    'search-delay',
    'value',
    'display',
    'href',
    'label',
    'placeholder',
    'required',
    'disabled',
    'invalid',
    'message',
    'inline',
    'dir',
    'aria-label',
    'aria-labelledby',
    'aria-describedby',
    'title',
  ]

  readonly #internals = this.attachInternals()
  readonly #selected = new SelectedRecord(this)
  readonly #controller: EditController
  #search: LookupSearch | null = null

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    this.#controller = new EditController(this, root, this.#internals, this.#selected)
    attachEventHandlers(this.#controller)
  }

  /** Id of the record pointed at; null for none. */
  get value(): string | null {
    return this.getAttribute('value')
  }
  set value(value: string | null) {
    this.#selected.setFromPage('value', value)
  }

  /** Name of the linked record; what read mode draws. */
  get display(): string | null {
    return this.getAttribute('display')
  }
  set display(display: string | null) {
    this.#selected.setFromPage('display', display)
  }

  /** Result source: `(query, request) => options`, or a promise of them. */
  get search(): LookupSearch | null {
    return this.#search
  }
  set search(search: LookupSearch | null) {
    if (search === this.#search) return
    this.#search = typeof search === 'function' ? search : null
    this.#controller.picker.cancelCreation()
    if (this.open) this.#controller.picker.ask(0)
    this.#controller.render()
  }

  /** Whether the results list is showing. */
  get open(): boolean {
    return this.#controller.picker.open
  }

  /** The form that the field belongs to. Given an id, as frameworks do with attributes, it sets the attribute. */
  get form(): HTMLFormElement | null {
    return this.#internals.form
  }
  set form(id: string | null | undefined) {
    set(this, { form: id })
  }
  /** Name under which the form sends the value. */
  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(name: string | null | undefined) {
    set(this, { name })
  }
  /** Labels of the page that name the field. */
  get labels(): NodeList {
    return this.#internals.labels
  }
  /** Validity of the field, as for any field: whether an option still has to be chosen. */
  get validity(): ValidityState {
    return this.#internals.validity
  }
  /** The browser's message if an option still has to be chosen. */
  get validationMessage(): string {
    return this.#internals.validationMessage
  }
  /** Whether the form validates the field. */
  get willValidate(): boolean {
    return this.#internals.willValidate
  }
  /** Returns whether the field is valid; fires `invalid` if not. */
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }
  /** Does the same, and the browser shows the reason. */
  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  /** Sets the page's own reason why the value is not valid, as for any field; an empty text removes it. */
  setCustomValidity(message: string): void {
    this.#controller.customMessage = message
  }

  /** Moves the focus to the typeahead; a query in the box is searched again, so that the list reopens. */
  override focus(options?: FocusOptions): void {
    this.#controller.focus(options)
  }

  connectedCallback(): void {
    // Properties set before the element was defined hide its accessors.
    for (const name of ['search', 'value', 'display', 'name', 'form'] as const) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete (this as Partial<this>)[name]
      Object.assign(this, { [name]: value })
    }
    drawn.add(this.#controller)
    this.#controller.render()
    // A label after the field exists by then.
    requestAnimationFrame(() => this.#controller.render())
  }

  /** An adopted sheet belongs to one document. */
  adoptedCallback(): void {
    dress(this.#controller.root)
  }

  disconnectedCallback(): void {
    drawn.delete(this.#controller)
    this.#controller.picker.cancelCreation()
    this.#controller.leave()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // A page that repeats the values of a choice accepts it.
    const isPageChange = this.#selected.handleAttributeChange(name, after)
    if (before === after) return
    // A record that is still being created would replace what the page sets now.
    if (isPageChange) this.#controller.picker.cancelCreation()
    if (name === 'mode') this.#controller.switchMode()
    // A message that is there from the beginning is read with the field.
    if (name === 'message' && drawn.has(this.#controller)) this.#controller.announcer.announce(after)
    this.#controller.render()
    if (/disabled|mode/.test(name)) this.#controller.picker.quit()
    if (this.open && /fields|min-chars/.test(name)) this.#controller.picker.ask(0)
  }

  /** @internal */
  formResetCallback(): void {
    this.#controller.reset()
  }

  /** @internal */
  formDisabledCallback(disabled: boolean): void {
    this.#controller.fieldsetOff = disabled
  }

  /** @internal */
  formStateRestoreCallback(state: string | File | FormData | null): void {
    this.#selected.savedState = state
  }
}
