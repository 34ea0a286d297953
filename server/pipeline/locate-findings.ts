// Locates findings: from component and pointer to file, line and column. Only texts with findings are read again.
import { isComponentType, type ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { createPlaceLookup } from './text-place.ts'

/** The name of a text in messages, and its content. */
export interface NamedText {
  name: string
  text: string
}

/** Null if the component has no text here. */
export type TextLookup = (id: ComponentId) => NamedText | null

/** Maximum number of texts that are read again; if more have findings, the user fixes these first. */
const maxTexts = 5000

/** The findings with `file`, `line` and `column` among their facts, if the component's text is known. */
export function locateFindings(findings: readonly Finding[], textOf: TextLookup): Finding[] {
  const placers = new Map<string, (finding: Finding) => Finding>()
  return findings.map((finding) => {
    if (finding.facts?.['file'] !== undefined) return finding
    let place = placers.get(finding.component)
    if (place === undefined) {
      if (placers.size === maxTexts) return finding
      place = placer(textFor(finding.component, textOf))
      placers.set(finding.component, place)
    }
    return place(finding)
  })
}

function textFor(component: string, textOf: TextLookup): NamedText | null {
  const slash = component.indexOf('/')
  return isComponentType(component.slice(0, slash)) ? textOf(component as ComponentId) : null
}

function placer(named: NamedText | null): (found: Finding) => Finding {
  if (named === null) return (found) => found
  const placeOf = createPlaceLookup(named.text)
  return (found) => ({
    ...found,
    facts: { ...found.facts, file: named.name, ...placeOf(found.path) },
  })
}
