// Renders the attributes: the read half, the edit half, label and message (docs/reference/lookup-field.md).
import { safeAddress } from './address.ts'
import { set } from './dom.ts'
import type { View } from './view.ts'
import { words } from './words.ts'

/** The current state to draw. */
export interface RenderInput {
  readonly field: HTMLElement & { readonly value: string | null }
  readonly view: View
  readonly id: string
  /** Labels of the page that name the field. */
  readonly labels: NodeList
  /** Which half is drawn. */
  readonly isEdit: boolean
  readonly isOff: boolean
  /** The name of the record, its id, or nothing. */
  readonly displayText: string
  /** Whether the box holds what was typed. */
  readonly keepsText: boolean
}

export function render({
  field,
  view,
  id,
  labels,
  isEdit: edit,
  isOff: off,
  displayText: text,
  keepsText,
}: RenderInput): void {
  const { box, label, labelText, star, combo, input, clear, listbox, message } = view
  const has = (name: string): boolean => field.hasAttribute(name)
  const attribute = (name: string): string | null => field.getAttribute(name)
  const [ownLabel, messageText, placeholder] = [
    attribute('label'),
    attribute('message'),
    attribute('placeholder'),
  ]
  // Ids cannot be referenced across a shadow root; the labels of the page come after.
  const labelled = referencedElements(field, 'aria-labelledby')
  const naming = labelled.length > 0 ? labelled : ([...labels] as Element[])
  const texts = naming.map(({ textContent }) => textContent?.trim()).join(' ')
  const name = ownLabel || texts || attribute('aria-label') || attribute('title')
  box.className = `box ${['inline', 'invalid'].filter(has).join(' ')} ${edit && off ? 'disabled' : ''} ${isRtl(field) ? 'rtl' : ''}`
  labelText.data = ownLabel ?? ''
  star.hidden = !has('required')
  label.hidden = !ownLabel
  combo.hidden = !edit
  message.hidden = !messageText
  message.textContent = messageText

  const link = linkOf(field, view)
  link.hidden = edit
  link.textContent = text || placeholder || words.nothing
  link.classList.toggle('none', !text)
  // A name alone does not explain the purpose of a trigger.
  const isTrigger = link.localName === 'button'
  set(link, {
    'aria-labelledby': ownLabel && isTrigger ? `${id}-label ${link.id}` : null,
    'aria-label': !ownLabel && name && isTrigger ? `${name} ${link.textContent}` : null,
  })

  input.disabled = off
  input.placeholder = placeholder ?? words.placeholder
  if (!keepsText && input.value !== text) {
    input.value = text
    // Typing also replaces a name that arrives late.
    if (input.matches(':focus')) input.select()
  }
  set(input, {
    'aria-label': name || placeholder || words.placeholder,
    'aria-required': has('required') || null,
    'aria-invalid': has('invalid') || null,
    'aria-describedby': messageText ? message.id : null,
  })
  const described = referencedElements(field, 'aria-describedby')
  if (described.length > 0) input.ariaDescribedByElements = [...described, message]
  // The name consists of the page's texts at that time; a label around the field would also include the field's
  // content.
  const isApart = naming.length > 0 && !naming.some((each) => each.contains(field))
  input.ariaLabelledByElements = isApart && !ownLabel ? naming : null
  set(listbox, { 'aria-label': name || words.placeholder })
  clear.hidden = off || (!field.value && !input.value)
  set(clear, { 'aria-label': name ? `${words.clear} ${name}` : words.clear })
}

/** The link, or the trigger if the URL is missing. */
export function linkOf(field: HTMLElement, view: View): HTMLElement {
  return view.link(safeAddress(field.getAttribute('href')))
}

/** Read from the browser, since a page can change direction. */
function isRtl(field: HTMLElement): boolean {
  return CSS.supports('selector(:dir(rtl))')
    ? field.matches(':dir(rtl)')
    : getComputedStyle(field).direction === 'rtl'
}

/** The elements that an attribute such as `aria-labelledby` names. */
function referencedElements(field: HTMLElement, name: string): Element[] {
  const ids = field.getAttribute(name)?.split(/\s+/) ?? []
  const page = field.getRootNode() as Document
  return ids.map((id) => page.getElementById?.(id)).filter((each) => each != null)
}
