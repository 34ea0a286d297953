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
  const { field, view, edit, off } = drawn
  const { box, label, labelText, star, combo, message } = view
  const has = (name: string): boolean => field.hasAttribute(name)
  const named = field.getAttribute('label')
  const said = field.getAttribute('message')
  box.className = ['box', has('inline') && 'inline', has('invalid') && 'invalid', edit && off && 'disabled']
    .filter(Boolean)
    .join(' ')
  set(box, { dir: field.matches(':dir(rtl)') ? 'rtl' : null })
  labelText.data = named ?? ''
  star.hidden = !has('required')
  label.hidden = !named
  renderLink(drawn, named)
  combo.hidden = !edit
  renderInput(drawn, named)
  message.hidden = !said
  message.textContent = said
}

/** The link, or the trigger where there is no address. */
export function linkOf(field: HTMLElement, view: View): HTMLElement {
  return view.link(safeAddress(field.getAttribute('href')))
}

function renderLink({ field, view, id, edit, shown }: Drawn, named: string | null): void {
  const link = linkOf(field, view)
  link.hidden = edit
  link.textContent = shown || field.getAttribute('placeholder') || words.nothing
  link.classList.toggle('none', shown === '')
  // What a trigger is for is not told by a name alone.
  set(link, {
    'aria-labelledby': named && link.localName === 'button' ? `${id}-label ${link.id}` : null,
  })
}

function renderInput({ field, view, labels, off, value, shown, typed }: Drawn, named: string | null): void {
  const { input, clear, listbox, message } = view
  const has = (name: string): 'true' | null => (field.hasAttribute(name) ? 'true' : null)
  input.disabled = off
  input.placeholder = field.getAttribute('placeholder') ?? words.placeholder
  if (!typed && input.value !== shown) input.value = shown
  set(input, {
    'aria-label': named || outerLabel(labels) || (field.getAttribute('aria-label') ?? null),
    'aria-required': has('required'),
    'aria-invalid': has('invalid'),
    'aria-describedby': field.getAttribute('message') ? message.id : null,
  })
  set(listbox, { 'aria-label': named || words.placeholder })
  clear.hidden = off || (!value && input.value === '')
  set(clear, { 'aria-label': named ? `${words.clear} ${named}` : words.clear })
}

function outerLabel(labels: NodeList): string {
  return [...labels].map(({ textContent }) => textContent?.trim()).join(' ')
}
