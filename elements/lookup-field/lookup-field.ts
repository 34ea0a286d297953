// <svc-lookup-field>: a reference to one record, read as a link and re-pointed by typing (specification 2.9, 3.4, 6.3, 8.5).
import { namesIn, numberIn, set } from './dom.ts'
import { Picker, type Question } from './picker.ts'
import type { LookupChange, LookupOption, LookupSearch } from './types.ts'
import { viewIn, type View } from './view.ts'
import { words } from './words.ts'

/** What a reset goes back to, and what a page that comes back is given. */
type Pointed = readonly [value: string | null, display: string | null, href: string | null]

const pointing = ['value', 'display', 'href'] as const

export class SvcLookupField extends HTMLElement {
  static readonly formAssociated = true
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

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }
  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(name: string) {
    this.setAttribute('name', name)
  }
  get labels(): NodeList {
    return this.#internals.labels
  }
  get validity(): ValidityState {
    return this.#internals.validity
  }
  get validationMessage(): string {
    return this.#internals.validationMessage
  }
  get willValidate(): boolean {
    return this.#internals.willValidate
  }
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }
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
    for (const name of ['search', 'value', 'display'] as const) {
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

  formResetCallback(): void {
    this.#point(...this.#first)
    this.#restore()
  }

  formDisabledCallback(disabled: boolean): void {
    this.#fieldsetOff = disabled
    this.#render()
  }

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
    this.#internals.setFormValue(value, JSON.stringify([value, this.display, this.getAttribute('href')]))
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
    this.#fire('svc-lookup-change', detail)
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
    if (had) this.#fire('svc-lookup-clear')
  }

  #fire(name: 'svc-lookup-change' | 'svc-lookup-clear', detail?: LookupChange): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
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
