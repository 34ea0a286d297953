// Converts a change list to a request body. A directory is read here: a file that cannot be read is a finding and is
// named to the server, which then validates the rest as a local org would.
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import {
  componentText,
  locateFindings,
  readDirectory,
  readServiceFiles,
  type Manifest,
} from '../pipeline/index.ts'
import type { ChangeListInput } from './org-api.ts'

export interface ChangeListBody {
  body: Record<string, unknown>
  /** Findings of reading the directory. */
  findings: Finding[]
  /** All findings, those of reading before those of the server, with file, line and column of the component. */
  mergeFindings: (found: readonly Finding[]) => Finding[]
  /** The org and generation that the directory was retrieved from; null if it does not name them. */
  origin: Manifest | null
}

/** @throws AlmanacError files.invalid */
export function createChangeListBody(list: ChangeListInput): ChangeListBody {
  const plain = { findings: [], mergeFindings: (found: readonly Finding[]) => [...found], origin: null }
  const confirmed = list.breaking === undefined ? {} : { breaking: list.breaking }
  if (list.kind === 'drafts') return { body: { drafts: list.ids ?? true, ...confirmed }, ...plain }
  if (list.kind === 'generation') {
    const { kind: _, ...restored } = list
    return { body: restored, ...plain }
  }
  if (list.kind === 'revert') {
    const { kind: _, breaking: _breaking, ...revert } = list
    return { body: { revert, ...confirmed }, ...plain }
  }
  if (list.kind === 'components') {
    const { components, removals } = list
    return { body: { components, removals, ...confirmed }, ...plain }
  }
  const { components, findings, invalidComponents, manifest } = readDirectory(list.dir)
  const services = new Set(
    components.flatMap(({ component: { type, key } }) => (type === 'external_service' ? [key] : [])),
  )
  const descriptions = Object.fromEntries(
    Object.entries(readServiceFiles(list.dir).descriptions).filter(([key]) => services.has(key)),
  )
  const judged = invalidComponents.filter(({ json }) => json !== undefined)
  const unread = invalidComponents.filter(({ json }) => json === undefined)
  const ownSentences = new Set(findings.map(sentence))
  return {
    body: {
      components: [
        ...components.map(({ component, hints }) => ({ ...component, ...hints })),
        ...judged.map(({ json }) => json),
      ],
      ...(Object.keys(descriptions).length === 0 ? {} : { descriptions }),
      ...(unread.length === 0 ? {} : { unread: unread.map(({ id }) => id) }),
      ...(list.prune && !hasErrors(findings) ? { prune: true } : {}),
      ...confirmed,
    },
    findings,
    // The server finds again what is not a component.
    mergeFindings: (serverFindings) => [
      ...findings,
      ...locateFindings(
        serverFindings.filter((each) => !ownSentences.has(sentence(each))),
        (id) => componentText(list.dir, id),
      ),
    ],
    origin: manifest,
  }
}

function sentence({ severity, code, component, path, message }: Finding): string {
  return JSON.stringify([severity, code, component, path, message])
}
