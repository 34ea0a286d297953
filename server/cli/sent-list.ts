// A change list as a request body. A directory is read here; what cannot be read is a finding, and is not sent.
import type { Finding } from '#kernel/errors/finding.ts'
import { componentText, placeFindings, readDirectory, type Manifest } from '../pipeline/index.ts'
import type { GivenList } from './org-api.ts'

export interface SentList {
  body: Record<string, unknown>
  findings: Finding[]
  /** The same findings with file, line and column, where the directory has the component. */
  placed: (findings: readonly Finding[]) => Finding[]
  /** The org and generation that a directory was retrieved from; null where it does not say. */
  origin: Manifest | null
}

/** @throws AlmanacError files.invalid */
export function sentList(list: GivenList): SentList {
  const placed: SentList['placed'] = (findings) => [...findings]
  if (list.kind === 'drafts')
    return { body: { drafts: list.ids ?? true }, findings: [], placed, origin: null }
  if (list.kind === 'components') {
    const { components, removals, prune } = list
    return {
      body: { components, removals, ...(prune === true ? { prune } : {}) },
      findings: [],
      placed,
      origin: null,
    }
  }
  const { components, findings, manifest } = readDirectory(list.dir)
  const envelopes = components.map(({ component, hints }) => ({ ...component, ...hints }))
  return {
    body: { components: envelopes, ...(list.prune && findings.length === 0 ? { prune: true } : {}) },
    findings,
    placed: (found) => placeFindings(found, (id) => componentText(list.dir, id)),
    origin: manifest,
  }
}
