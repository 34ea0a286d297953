// <svc-lookup-field>: a reference to one record, read as a link and re-pointed by typing (specification 2.9, 3.4, 6.3, 8.5).
import { namesIn, numberIn, set } from './dom.ts'
import { Picker, type Question } from './picker.ts'
import type { LookupChange, LookupOption, LookupSearch } from './types.ts'
import { viewIn, type View } from './view.ts'
import { words } from './words.ts'

/** What a reset goes back to, and what a page that comes back is given. */
type Pointed = readonly [value: string | null, display: string | null, href: string | null]

const pointing = ['value', 'display', 'href'] as const

/** Events are heard around the element, and out of a shadow root. */
const outwards = { bubbles: true, composed: true }

/**
 * A reference to one record: read as a link, re-pointed by typing.
 *
 * @tagname svc-lookup-field
 *
 * @attr {'read' | 'edit'} [mode=read] - Which half is drawn: the link or the typeahead. Any other value is `read`.
 * @attr {string} match-fields - Fields that the typed text is matched against, comma-separated; handed to the source.
 * @attr {string} display-fields - Fields of a result on its second line, comma-separated, in the order given.
 * @attr {number} [min-chars=0] - Characters typed before the source is asked.
 * @attr {number} [search-delay=150] - Milliseconds after the last keystroke before the source is asked.
 * @attr {string} value - Id of the record pointed at; written back when one is chosen, removed on clear.
 * @attr {string} display - Name of the linked record. Without it the id is shown.
 * @attr {string} href - Target of the read-mode link. Without it the name is a trigger for re-pointing.
 * @attr {string} label - Name of the field: drawn above, bound to the input, and the accessible name.
 * @attr {string} [placeholder=Search…] - Hint in the empty typeahead; in read mode, what is shown where nothing is linked.
 * @attr {boolean} [required=false] - Draws an asterisk beside the label; a form is held up until something is chosen.
 * @attr {boolean} [disabled=false] - Greys the typeahead and refuses focus. No effect on read mode.
 * @attr {boolean} [invalid=false] - Red outline and message; marks the input invalid.
 * @attr {string} message - Line under the control: muted help, or the red reason where `invalid` is set.
 * @attr {boolean} [inline=false] - Without box, label and message, for a row of a record.
 * @attr {string} name - Name under which a form sends the value.
 * @attr {string} form - Id of the form that the field belongs to, where that is not around it.
 *
 * @fires {CustomEvent<LookupChange>} svc-lookup-change - An option was chosen: the id now pointed at and the name shown.
 * @fires {CustomEvent<null>} svc-lookup-clear - The clear control was pressed; the link is dropped.
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
 * @cssprop [--svc-color-surface=Canvas] - Ground of control and list.
 * @cssprop [--svc-color-surface-2=ButtonFace] - Ground of a disabled control, and of an option under the pointer.
 * @cssprop [--svc-color-text=CanvasText] - Text.
 * @cssprop [--svc-color-text-muted=color-mix(in srgb, CanvasText 65%, Canvas)] - Second lines, hints and help.
 * @cssprop [--svc-color-accent=LinkText] - The link, and the control that has the focus.
 * @cssprop [--svc-color-accent-strong=LinkText] - What the typed text matched.
 * @cssprop [--svc-accent-wash=color-mix(in srgb, LinkText 12%, Canvas)] - Ground of the active option.
 * @cssprop [--svc-focus-ring=0 0 0 2px LinkText] - Shadow around what has the focus.
 * @cssprop [--svc-shadow-float=0 0 0 1px GrayText, 0 8px 24px #0003] - Shadow of the list.
 * @cssprop [--svc-color-danger=color-mix(in srgb, red 70%, CanvasText)] - Asterisk, outline and reason of what is invalid.
 */
export class SvcLookupField extends HTMLElement {
  /** @internal */
  static readonly formAssociated = true
  /** @internal */
  static readonly observedAttributes = [
    ...[
      'mode',
      'match-fields',
      'display-fields',
      'min-chars',
      'search-delay',
      'value',
      'display',
      'href',
      'label',
    ],
    ...['placeholder', 'required', 'disabled', 'invalid', 'message', 'inline', 'dir'],
  ]

  readonly #internals = this.attachInternals()
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true })
  readonly #view: View
  readonly #id: string
  readonly #picker: Picker
  #search: LookupSearch | null = null
  /** Whether the box holds what was typed, and not the name of the record. */
  #typed = false
  #composing = false
  /** The next focus opens nothing. */
  #quiet = false
  /** Drawn for editing because the trigger of read mode was pressed. */
  #visited = false
  #fieldsetOff = false
  /** While the element writes its own attributes. */
  #own = false
  #first: Pointed = [null, null, null]

  constructor() {
    super()
    const { view, id } = viewIn(this.#root)
    this.#view = view
    this.#id = id
    this.#picker = new Picker(view, id, {
      question: () => this.#question(),
      take: (option) => this.#take(option),
    })
    this.#listen()
  }

  /** Id of the record pointed at; null for none. */
  get value(): string | null {
    return this.getAttribute('value')
  }
  set value(value: string | null) {
    this.#write({ value })
  }

  /** Name of the linked record; what read mode draws. */
  get display(): string | null {
    return this.getAttribute('display')
  }
  set display(display: string | null) {
    this.#write({ display })
  }

  /** Result source: `(query, request) => options`, or a promise of them. */
  get search(): LookupSearch | null {
    return this.#search
  }
  set search(search: LookupSearch | null) {
    this.#search = typeof search === 'function' ? search : null
    if (this.open) this.#picker.ask(0)
  }

  /** Whether the results list is showing. */
  get open(): boolean {
    return this.#picker.open
  }

  /** The form that the field belongs to. Given an id, as frameworks do with attributes, it sets the attribute. */
  get form(): HTMLFormElement | null {
    return this.#internals.form
  }
  set form(id: string | null) {
    set(this, { form: id })
  }
  /** Name under which the form sends the value. */
  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(name: string) {
    this.setAttribute('name', name)
  }
  /** Labels of the page that name the field. */
  get labels(): NodeList {
    return this.#internals.labels
  }
  /** Whether something has to be chosen still, as in any field. */
  get validity(): ValidityState {
    return this.#internals.validity
  }
  /** What the browser tells where something has to be chosen still. */
  get validationMessage(): string {
    return this.#internals.validationMessage
  }
  /** Whether the form asks the field at all. */
  get willValidate(): boolean {
    return this.#internals.willValidate
  }
  /** Answers whether the field is valid; fires `invalid` where it is not. */
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }
  /** The same, and the browser shows what is missing. */
  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  /** Moves the keyboard's focus to the typeahead; a query that is in the box is searched again, so that the list reopens. */
  override focus(options?: FocusOptions): void {
    if (!this.#isEdit) return this.#link.focus(options)
    const { input } = this.#view
    const had = this.#root.activeElement === input
    input.focus(options)
    if (had && (this.#typed || !this.open)) this.#picker.ask(0)
  }

  connectedCallback(): void {
    // What was set before the element was known hides its own properties.
    for (const name of ['search', 'value', 'display', 'name'] as const) {
      if (!Object.hasOwn(this, name)) continue
      const given = this[name]
      delete (this as Partial<this>)[name]
      Object.assign(this, { [name]: given })
    }
    this.#render()
  }

  disconnectedCallback(): void {
    this.#leave()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    const at = pointing.indexOf(name as 'value')
    if (at >= 0 && !this.#own)
      this.#first = this.#first.map((was, index) => (index === at ? after : was)) as never
    this.#render()
    if (this.open && /fields|min-chars|delay|mode|disabled/.test(name)) this.#picker.close()
  }

  /** @internal */
  formResetCallback(): void {
    this.#point(...this.#first)
    this.#restore()
  }

  /** @internal */
  formDisabledCallback(disabled: boolean): void {
    this.#fieldsetOff = disabled
    if (disabled) this.#picker.close()
    this.#render()
  }

  /** @internal */
  formStateRestoreCallback(state: string | File | FormData | null): void {
    if (typeof state !== 'string') return
    try {
      this.#point(...(JSON.parse(state) as Pointed))
    } catch {
      // Kept by something else than this element.
    }
  }

  // ---- what is drawn ----

  get #isEdit(): boolean {
    return this.getAttribute('mode') === 'edit' || this.#visited
  }
  get #isOff(): boolean {
    return this.hasAttribute('disabled') || this.#fieldsetOff
  }
  get #shown(): string {
    return this.display || this.value || ''
  }
  get #query(): string {
    return this.#typed ? this.#view.input.value : ''
  }
  get #link(): HTMLElement {
    return this.#view.link(safeAddress(this.getAttribute('href')))
  }

  #render(): void {
    const { box, label, labelText, star, combo, input, clear, message } = this.#view
    const has = (name: string): boolean => this.hasAttribute(name)
    const [edit, off, invalid, required] = [this.#isEdit, this.#isOff, has('invalid'), has('required')]
    const named = this.getAttribute('label')
    const said = this.getAttribute('message')
    box.className = ['box', has('inline') && 'inline', invalid && 'invalid', edit && off && 'disabled']
      .filter(Boolean)
      .join(' ')
    set(box, { dir: this.matches(':dir(rtl)') ? 'rtl' : null })
    labelText.data = named ?? ''
    star.hidden = !required
    label.hidden = !named
    this.#renderLink(!edit, named)
    combo.hidden = !edit
    input.disabled = off
    input.placeholder = this.getAttribute('placeholder') ?? words.placeholder
    if (!this.#typed && input.value !== this.#shown) input.value = this.#shown
    set(input, {
      'aria-label': named || this.#outerLabel() || (this.getAttribute('aria-label') ?? null),
      'aria-required': required ? 'true' : null,
      'aria-invalid': invalid ? 'true' : null,
      'aria-describedby': said ? message.id : null,
    })
    set(this.#view.listbox, { 'aria-label': named || words.placeholder })
    clear.hidden = off || (!this.value && input.value === '')
    set(clear, { 'aria-label': named ? `${words.clear} ${named}` : words.clear })
    message.hidden = !said
    message.textContent = said
    this.#renderForm(edit && !off && required)
  }

  #renderLink(drawn: boolean, named: string | null): void {
    const link = this.#link
    link.hidden = !drawn
    link.textContent = this.#shown || this.getAttribute('placeholder') || words.nothing
    link.classList.toggle('none', this.#shown === '')
    // What a trigger is for is not told by a name alone.
    set(link, {
      'aria-labelledby': named && link.localName === 'button' ? `${this.#id}-label ${link.id}` : null,
    })
  }

  #renderForm(required: boolean): void {
    const { value } = this
    this.#internals.setFormValue(
      value || null,
      JSON.stringify([value, this.display, this.getAttribute('href')]),
    )
    if (required && !value)
      this.#internals.setValidity({ valueMissing: true }, words.missing, this.#view.input)
    else this.#internals.setValidity({})
  }

  #outerLabel(): string {
    return [...this.#internals.labels].map(({ textContent }) => textContent?.trim()).join(' ')
  }

  // ---- what a person does ----

  #listen(): void {
    const { input, clear, box } = this.#view
    input.addEventListener('focus', () => {
      // A label of the page may have come after the field.
      this.#render()
      if (this.#quiet) this.#quiet = false
      else {
        if (!this.#typed) input.select()
        this.#picker.ask(0)
      }
    })
    input.addEventListener('click', () => {
      if (!this.open) this.#picker.ask(0)
    })
    input.addEventListener('input', () => {
      this.#typed = true
      this.#render()
      if (!this.#composing) this.#type()
    })
    input.addEventListener('compositionstart', () => (this.#composing = true))
    input.addEventListener('compositionend', () => {
      this.#composing = false
      this.#type()
    })
    input.addEventListener('keydown', (event) => this.#key(event))
    clear.addEventListener('click', () => this.#clear())
    box.addEventListener('click', (event) => {
      if ((event.target as Element).closest('button[part=link]') !== null) this.#visit()
    })
    this.#root.addEventListener('focusout', (event) => {
      const to = (event as FocusEvent).relatedTarget as Node | null
      if (to !== null && this.#root.contains(to)) return
      if (to === null && !document.hasFocus()) {
        // Another window came to the front: what was typed stays for whoever comes back.
        this.#quiet = this.#root.activeElement === input
        this.#picker.close()
      } else this.#leave()
    })
    // A label of the page, or one that surrounds the element.
    this.addEventListener('click', (event) => {
      if (event.composedPath()[0] === this) this.focus()
    })
  }

  #type(): void {
    this.#picker.release()
    this.#picker.ask(numberIn(this.getAttribute('search-delay'), 150))
  }

  #key(event: KeyboardEvent): void {
    // Keys of an input method are its own, the one that ends it included.
    if (this.#composing || event.isComposing || event.keyCode === 229) return
    if (event.ctrlKey || event.metaKey) return
    if (this.#acts(event)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  /** Whether the key was the element's. */
  #acts({ key, altKey }: KeyboardEvent): boolean {
    if (this.#picker.key(key, altKey)) return true
    if (key === 'Enter') return this.#submit()
    if (key !== 'Escape') return false
    if (this.#typed) this.#restore()
    else if (this.#visited) this.#back()
    else return false
    return true
  }

  /** As in any text field: the form's own button is pressed. */
  #submit(): boolean {
    const { form } = this
    if (form === null) return false
    const button = [...form.elements].find((each) =>
      each.matches('button:not([type]), [type=submit], [type=image]'),
    ) as HTMLButtonElement | undefined
    if (button === undefined) form.requestSubmit()
    else button.click()
    return true
  }

  #visit(): void {
    if (this.#isOff) return
    this.#visited = true
    // What has the focus may not vanish before it has handed it on.
    this.#view.combo.hidden = false
    this.focus()
    this.#render()
  }

  /** Drawn as a link again. */
  #back(focus = true): void {
    if (!this.#visited) return
    this.#visited = false
    if (focus) {
      this.#link.hidden = false
      this.#link.focus()
    }
    this.#render()
  }

  #leave(): void {
    this.#picker.close()
    this.#restore()
    this.#composing = false
    this.#quiet = false
    this.#back(false)
  }

  /** The box holds the name of the record again. */
  #restore(): void {
    this.#typed = false
    this.#render()
  }

  // ---- what is pointed at ----

  /** What the list asks for now; null where nothing may be asked. */
  #question(): Question | null {
    if (this.#isOff || !this.#isEdit) return null
    return {
      query: this.#query,
      search: this.#search,
      minChars: numberIn(this.getAttribute('min-chars'), 0),
      matchFields: namesIn(this.getAttribute('match-fields')),
      displayFields: namesIn(this.getAttribute('display-fields')),
      value: this.value ?? '',
    }
  }

  #take({ value, label, href }: LookupOption): void {
    this.#point(value, label, href ?? null)
    this.#picker.close()
    this.#restore()
    const { input } = this.#view
    input.setSelectionRange(input.value.length, input.value.length)
    const detail: LookupChange = { value, label }
    this.#back()
    this.dispatchEvent(new CustomEvent('svc-lookup-change', { detail, ...outwards }))
  }

  #clear(): void {
    const had = this.value !== null
    this.#picker.close()
    this.#point(null, null, null)
    this.#typed = false
    this.#view.input.value = ''
    this.#render()
    if (this.#root.activeElement !== this.#view.input) {
      this.#quiet = true
      this.#view.input.focus()
      this.#quiet = false
    }
    if (had) this.dispatchEvent(new CustomEvent('svc-lookup-clear', outwards))
  }

  #point(value: string | null, display: string | null, href: string | null): void {
    this.#write({ value, display, href })
  }

  /** The element's own writing leaves what a reset goes back to. */
  #write(given: Partial<Record<(typeof pointing)[number], string | null | undefined>>): void {
    this.#own = true
    for (const [name, to] of Object.entries(given)) {
      if (to === null || to === undefined) this.removeAttribute(name)
      else this.setAttribute(name, to)
    }
    this.#own = false
  }
}

/** An address that leads to a place, and runs nothing. */
function safeAddress(href: string | null): string | null {
  if (href === null || href.trim() === '') return null
  try {
    return /^(https?|mailto|tel):$/.test(new URL(href, document.baseURI).protocol) ? href : null
  } catch {
    return null
  }
}
