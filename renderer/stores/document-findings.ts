// The findings of an open component: of its draft as last saved, or of the org with all drafts.
import type { Finding } from '../api/wire.ts'
import type { Document } from './document.ts'
import { useProblems } from './problems.ts'

export function findingsOf({ findings, id }: Document): Finding[] {
  const own = findings.filter(({ component }) => component === id)
  return own.length > 0 ? own : useProblems().findings.filter(({ component }) => component === id)
}
