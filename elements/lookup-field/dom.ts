// Small functions for the DOM. Everything is created by DOM calls, which the strictest content policy allows.

type Attributes = Readonly<Record<string, string | number | true | null | undefined>>

/** Null removes the attribute. */
export function set(element: Element, given: Attributes): void {
  for (const [name, value] of Object.entries(given))
    if (value == null) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value))
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  set(element, attributes)
  element.append(...children)
  return element
}

/** A drawing of 16 by 16 in the text colour. */
export function drawing(path: string, attributes: Attributes = {}): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  set(svg, { viewBox: '0 0 16 16', 'aria-hidden': 'true', ...attributes })
  const line = document.createElementNS(svg.namespaceURI!, 'path')
  set(line, { d: path })
  svg.append(line)
  return svg
}

/** Splits `a, b,` into ['a', 'b']. */
export function namesIn(list: string | null): string[] {
  return (list ?? '')
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean)
}

/** A whole number of at least 0, otherwise the default. */
export function numberIn(text: string | null, byDefault: number): number {
  const number = Number(text?.trim() || NaN)
  // A timer with a longer delay would fire immediately.
  return number >= 0 && number < Infinity ? Math.min(Math.floor(number), 2 ** 31 - 1) : byDefault
}
