// What Chromium passes to assistive technology, as lines: role, name, and the exposed states.
import type { Page } from '@playwright/test'

const stateNames = new Set([
  'autocomplete',
  'hasPopup',
  'expanded',
  'required',
  'invalid',
  'disabled',
  'selected',
  'live',
  'activedescendant',
])
const silent = new Set([
  'RootWebArea',
  'none',
  'generic',
  'StaticText',
  'InlineTextBox',
  'LabelText',
  'svg',
  'ListMarker',
])

interface Value {
  type: string
  value?: unknown
  relatedNodes?: { backendDOMNodeId: number }[]
}
interface Node {
  backendDOMNodeId?: number
  ignored: boolean
  role?: Value
  name?: Value
  description?: Value
  value?: Value
  properties?: { name: string; value: Value }[]
}

/** One line per exposed node; a live region is represented by its content. */
export async function axTree(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] }
  await session.detach()
  const nameOf = (id: number | undefined): unknown =>
    nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === id)?.name?.value
  const line = ({ role, name, description, value, properties = [] }: Node): string => {
    const states = properties
      .filter(
        ({ name: of, value: { value: is } }) =>
          stateNames.has(of) && is !== 'false' && (is !== false || of === 'expanded'),
      )
      .map(({ name: of, value: { type, value: is, relatedNodes } }) => {
        if (type === 'idref') return `${of}="${String(nameOf(relatedNodes?.[0]?.backendDOMNodeId))}"`
        return is === true ? of : `${of}=${String(is)}`
      })
    return [
      String(role?.value),
      name?.value ? `"${String(name.value)}"` : '',
      value?.value ? `value="${String(value.value)}"` : '',
      description?.value ? `described="${String(description.value)}"` : '',
      ...states,
    ]
      .filter(Boolean)
      .join(' ')
  }
  return nodes
    .filter(({ ignored, role }) => !ignored && !silent.has(String(role?.value)))
    .map(line)
    .filter((each) => each !== '')
}
