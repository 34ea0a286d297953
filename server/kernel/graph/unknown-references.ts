// Reports references to components that do not exist, each with the nearest name. Names in expressions are reported by
// the compiler, which knows the place in the text; an entry's set is checked by the entry's own rules.
import { splitId, type ComponentId } from '../components/component.ts'
import { roomOf } from '../components/registry.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ReferenceGraph } from './reference-graph.ts'

export interface UnknownOptions {
  /** Only edges of these components; all if omitted. */
  of?: Iterable<ComponentId>
  /** Targets that safe-delete already reports. */
  removed?: ReadonlySet<ComponentId>
}

export function unknownReferences(
  view: ComponentView,
  graph: ReferenceGraph,
  options: UnknownOptions = {},
): Finding[] {
  const findings: Finding[] = []
  for (const from of options.of ?? graph.outgoing.keys())
    for (const { to, path, origin } of graph.outgoing.get(from) ?? []) {
      if (origin === 'expression' || options.removed?.has(to) === true) continue
      const { type, key } = splitId(to)
      if (view.has(type, key)) continue
      const title = origin === 'value' ? 'named or external credential' : roomOf(type).title
      const keys =
        origin === 'value'
          ? [...view.keys('named_credential'), ...view.keys('external_credential')]
          : view.keys(type)
      const message = `The ${title} "${key}" does not exist.${didYouMean(key, keys)}`
      findings.push({
        severity: 'error',
        code: 'reference.unknown',
        component: from,
        path,
        message,
        related: [],
      })
    }
  return findings
}
