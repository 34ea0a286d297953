// What is drawn of the attributes: the read half, the edit half, label and message (specification 2.9).
import { safeAddress } from './address.ts'
import { set } from './dom.ts'
import type { View } from './view.ts'
import { words } from './words.ts'

/** What is drawn, as it stands now. */
export interface Drawn {
  field: HTMLElement
  view: View
  id: string
  /** Labels of the page that name the field. */
  labels: NodeList
  /** Which half. */
  edit: boolean
  off: boolean
  /** Id and name of the record, or nothing. */
  value: string | null
  shown: string
  /** Whether the box holds what was typed. */
  typed: boolean
}

export function render(drawn: Drawn): void {
  const { field, view, labels, edit, off } = drawn
  const { box, label, labelText, star, combo, message } = view
  const has = (name: string): boolean => field.hasAttribute(name)
  const named = field.getAttribute('label')
  const naming = namesOf(field, labels)
  const name = named || textsOf(naming) || field.getAttribute('aria-label') || field.getAttribute('title')
  const said = field.getAttribute('message')
  box.className = [
    'box',
    has('inline') && 'inline',
    has('invalid') && 'invalid',
    edit && off && 'disabled',
    isRtl(field) && 'rtl',
  ]
    .filter(Boolean)
    .join(' ')
  labelText.data = named ?? ''
  star.hidden = !has('required')
  label.hidden = !named
  renderLink(drawn, named, name)
  combo.hidden = !edit
  renderInput(drawn, name)
  // Heard as the page says it by then; one around the field would tell what is in it too.
  const isApart = naming.length > 0 && !naming.some((each) => each.contains(field))
  view.input.ariaLabelledByElements = isApart && !named ? naming : null
  message.hidden = !said
  message.textContent = said
}

/** The link, or the trigger where there is no address. */
export function linkOf(field: HTMLElement, view: View): HTMLElement {
  return view.link(safeAddress(field.getAttribute('href')))
}

function renderLink(
  { field, view, id, edit, shown }: Drawn,
  named: string | null,
  name: string | null,
): void {
  const link = linkOf(field, view)
  link.hidden = edit
  link.textContent = shown || field.getAttribute('placeholder') || words.nothing
  link.classList.toggle('none', shown === '')
  // What a trigger is for is not told by a name alone.
  const isTrigger = link.localName === 'button'
  set(link, {
    'aria-labelledby': named && isTrigger ? `${id}-label ${link.id}` : null,
    'aria-label': !named && name && isTrigger ? `${name} ${link.textContent}` : null,
  })
}

function renderInput({ field, view, off, value, shown, typed }: Drawn, name: string | null): void {
  const { input, clear, listbox, message } = view
  const has = (each: string): 'true' | null => (field.hasAttribute(each) ? 'true' : null)
  input.disabled = off
  input.placeholder = field.getAttribute('placeholder') ?? words.placeholder
  if (!typed && input.value !== shown) input.value = shown
  set(input, {
    'aria-label': name || field.getAttribute('placeholder') || null,
    'aria-required': has('required'),
    'aria-invalid': has('invalid'),
    'aria-describedby': field.getAttribute('message') ? message.id : null,
  })
  const described = referred(field, 'aria-describedby')
  if (described.length > 0) input.ariaDescribedByElements = [...described, message]
  set(listbox, { 'aria-label': name || words.placeholder })
  clear.hidden = off || (!value && input.value === '')
  set(clear, { 'aria-label': name ? `${words.clear} ${name}` : words.clear })
}

/** Asked of the browser, since a page may turn round. */
function isRtl(field: HTMLElement): boolean {
  return CSS.supports('selector(:dir(rtl))')
    ? field.matches(':dir(rtl)')
    : getComputedStyle(field).direction === 'rtl'
}

/** What `aria-labelledby` names, for no id is seen out of a shadow root; else the labels of the page. */
function namesOf(field: HTMLElement, labels: NodeList): Element[] {
  const named = referred(field, 'aria-labelledby')
  return named.length > 0 ? named : ([...labels] as Element[])
}

function referred(field: HTMLElement, name: string): Element[] {
  const ids = field.getAttribute(name)?.split(/\s+/) ?? []
  const page = field.getRootNode() as Document
  return ids.map((id) => page.getElementById?.(id)).filter((each) => each != null)
}

function textsOf(elements: readonly Element[]): string {
  return elements.map(({ textContent }) => textContent?.trim()).join(' ')
}
