// What assistive technology gets from the field, read from its shadow root: roles, names, states; nothing hidden.

export interface AccessibleNode {
  role: string
  name: string
  states: string[]
  children: AccessibleNode[]
}

/** Options that are read; for the rest of a long list only the number is shown. */
const most = 8

/** Returns the tree of an open shadow root. */
export function accessibilityTreeOf(root: ShadowRoot): AccessibleNode[] {
  const active = root.querySelector('[aria-expanded=true]')?.getAttribute('aria-activedescendant') ?? null
  const { activeElement } = root
  const read = (element: Element): AccessibleNode[] => {
    if (isHidden(element)) return []
    const role = roleOf(element)
    const inner =
      role === 'listbox' ? options([...element.children], read) : [...element.children].flatMap(read)
    if (role === null) return inner
    const states = [...statesOf(element, root), ...(element === activeElement ? ['focused'] : [])]
    if (active !== null && element.id === active) states.unshift('active')
    const leaf = ['option', 'button', 'link', 'status', 'text'].includes(role)
    return [{ role, name: nameOf(element, root), states, children: leaf ? [] : inner }]
  }
  return [...root.children].flatMap(read)
}

function options(children: Element[], read: (element: Element) => AccessibleNode[]): AccessibleNode[] {
  const rows = children.flatMap((child) => (roleOf(child) === null ? [...child.children] : [child]))
  const firstRows = rows.slice(0, most).flatMap(read)
  const active = rows.slice(most).filter((each) => each.getAttribute('aria-selected') === 'true')
  const more = rows.length - most - active.length
  return [
    ...firstRows,
    ...active.flatMap(read),
    ...(more > 0 ? [{ role: '', name: `${more} more in the document`, states: [], children: [] }] : []),
  ]
}

const isHidden = (element: Element): boolean =>
  element.localName === 'style' ||
  element.getAttribute('aria-hidden') === 'true' ||
  !(element as HTMLElement).checkVisibility({ visibilityProperty: true })

function roleOf(element: Element): string | null {
  const given = element.getAttribute('role')
  if (given !== null && given !== 'none') return given
  if (element.hasAttribute('aria-live')) return 'status'
  if (element.localName === 'a') return 'link'
  if (element.localName === 'button') return 'button'
  if (element.localName === 'label' || element.getAttribute('part') === 'message') return 'text'
  return null
}

const byIds = (root: ShadowRoot, ids: string | null): string =>
  (ids ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => visibleText(root.getElementById(id)))
    .filter(Boolean)
    .join(' ')

function nameOf(element: Element, root: ShadowRoot): string {
  const named = byIds(root, element.getAttribute('aria-labelledby'))
  if (named !== '') return named
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  if (element.localName === 'input') return visibleText(root.querySelector(`label[for="${element.id}"]`))
  return element.getAttribute('role') === 'listbox' ? '' : visibleText(element)
}

/** The text without its hidden parts. */
function visibleText(element: Element | null): string {
  const words = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
    return [...node.childNodes].map(words).join('')
  }
  return element === null ? '' : words(element).replace(/\s+/gu, ' ').trim()
}

function statesOf(element: Element, root: ShadowRoot): string[] {
  const states: string[] = []
  if (element instanceof HTMLInputElement) {
    if (element.value !== '') states.push(`value “${element.value}”`)
    else if (element.placeholder !== '') states.push(`placeholder “${element.placeholder}”`)
    if (element.disabled) states.push('disabled')
  }
  for (const { name, value } of element.attributes) {
    const state = name.slice('aria-'.length)
    if (!name.startsWith('aria-') || ['label', 'labelledby', 'controls', 'live', 'atomic'].includes(state))
      continue
    if (state === 'activedescendant' || state === 'setsize') continue
    if (state === 'posinset') states.push(positionTextOf(element))
    else if (state === 'expanded') states.push(value === 'true' ? 'expanded' : 'collapsed')
    else if (state === 'describedby') states.push(`described by “${byIds(root, value)}”`)
    else if (value === 'true') states.push(state)
    else if (value !== 'false') states.push(`${state} ${value}`)
  }
  return states
}

/** `3 of 7`; the total is omitted if the list does not know it. */
export function positionTextOf(option: Element): string {
  const [at, of] = ['aria-posinset', 'aria-setsize'].map((name) => option.getAttribute(name))
  return of === null || of === undefined || of === '-1' ? `${at} of many` : `${at} of ${of}`
}
