// The findings on the entries of a set, by the slug of the row.
import { computed } from 'vue'
import type { Finding } from '../../../api/wire.ts'
import { useProblems } from '../../../stores/problems.ts'

export function useRowFindings(set: () => string) {
  const problems = useProblems()
  return computed((): ReadonlyMap<string, Finding[]> => {
    const prefix = `config_entry/${set()}.`
    const ofSet = problems.findings.filter(({ component }) => component.startsWith(prefix))
    return Map.groupBy(ofSet, ({ component }) => component.slice(prefix.length))
  })
}
